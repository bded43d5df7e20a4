import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  Application,
  Comment,
  Converter,
  type ProjectReflection,
  ReferenceType,
  ReflectionKind,
  type SomeType,
  UnknownType,
} from 'typedoc'
import { joined, table } from './markdown.ts'

interface Manifest {
  readonly name: string
  readonly description: string
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> }
}

/** A published entry point, such as `@fairlead/core/provider`, and the file of its source. */
interface EntryPoint {
  readonly name: string
  readonly file: string
  readonly description: string
}

function entryPoints(root: string): readonly EntryPoint[] {
  return globSync(['packages/*/package.json', 'packages/providers/*/package.json'], { cwd: root }).flatMap((path) => {
    const { name, description, exports, publishConfig } = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest
    const subpaths = Object.keys(publishConfig?.exports ?? {}).filter((subpath) => subpath !== './package.json')
    return subpaths.map((subpath) => {
      const file = join(root, dirname(path), exports[subpath]?.['@fairlead/source'] ?? '')
      const [, comment] = /^\/\*\* (.*) \*\/\n/.exec(readFileSync(file, 'utf8')) ?? []
      return { name: name + subpath.slice(1), file, description: comment ?? (subpath === '.' ? description : '') }
    })
  })
}

/** Writes a page for each published entry point of the packages, and an index. */
export async function writePackageReference(root: string, folder: string): Promise<void> {
  const points = entryPoints(root).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const byFile = new Map(points.map((point) => [point.file, point]))
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: points.map(({ file }) => file),
    outputs: [{ name: 'markdown', path: folder }],
    tsconfig: join(root, 'docs/site/tsconfig.packages.json'),
    skipErrorChecking: true,
    excludeInternal: true,
    excludeExternals: true,
    excludePrivate: true,
    excludeProtected: true,
    disableSources: true,
    readme: 'none',
    router: 'module',
    entryFileName: 'index',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    groupOrder: ['Functions', 'Classes', 'Variables', '*'],
    useCodeBlocks: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { hideInherited: true, hideOverrides: true, hideModifiers: true, hideSources: true },
    logLevel: 'Warn',
  } as never)
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const [declaration] = context.getSymbolFromReflection(reflection)?.declarations ?? []
    const point = reflection.kindOf(ReflectionKind.Module) && byFile.get(declaration?.getSourceFile().fileName ?? '')
    if (!point) return
    reflection.name = point.name
    reflection.comment = new Comment([{ kind: 'text', text: point.description }])
  })
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => shorten(project))
  const project = await app.convert()
  if (project === undefined) throw new Error('typedoc could not read the packages')
  // The first of two equal names gets the path: `@fairlead/webhooks/verify` rather than the function `webhooks` of core.
  project.childrenIncludingDocuments?.reverse()
  await app.generateOutputs(project)
  const rows = points.map(({ name, description }) => [`[\`${name}\`](${name}.md)`, description])
  const index = joined(['# Packages', 'What each package exports.', table(['Import', 'Package'], rows)])
  writeFileSync(join(folder, 'index.md'), index)
}
/** The most characters of a type that is shown whole: the inferred type of `operations` has 47,000. */
const maxTypeLength = 1_000

function shorten(project: ProjectReflection): void {
  for (const reflection of Object.values(project.reflections)) {
    if (!reflection.isDeclaration() && !reflection.isSignature() && !reflection.isParameter()) continue
    if (reflection.name === '__namedParameters') reflection.name = 'options'
    if (reflection.type && String(reflection.type).length > maxTypeLength) reflection.type = shortened(reflection.type)
  }
}

/** `Feature<…>` for a long `Feature<{ … }>`. */
function shortened(type: SomeType): SomeType {
  const ellipsis = new UnknownType('…')
  if (!(type instanceof ReferenceType)) return ellipsis
  type.typeArguments = [ellipsis]
  return type
}
