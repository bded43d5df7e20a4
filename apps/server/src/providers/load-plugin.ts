import { pathToFileURL } from 'node:url'
import { moduleResolve } from 'import-meta-resolve'
import { ConfigError } from '../config.ts'
import { importModule } from '../explain-import.ts'
import type { Options } from './http-provider.ts'

export interface PluginSource {
  /** A package, or a file as `./provider.js`. */
  readonly specifier: string
  /** The file that names it, from which it is resolved. */
  readonly from: string
  /** The start of messages. */
  readonly where: string
}

/** A server that runs from its sources also loads the sources of packages, as Node does under `--conditions`. */
const conditions = new Set(['node', 'import', 'module-sync', 'node-addons'])
if (import.meta.url.endsWith('.ts')) conditions.add('@fairlead/source')

/** Returns the factory of a plugin; undefined if the package or file does not exist. */
export async function loadPlugin(source: PluginSource): Promise<((options: Options) => unknown) | undefined> {
  const url = find(source)
  if (!url) return undefined
  const exported = await importModule(url, source.specifier, `${source.where}.use: `)
  const name = factoryName(source.specifier)
  const factory = exported[name] ?? exported['default']
  if (typeof factory === 'function') return (options) => factory(options)
  throw new ConfigError(
    `${source.where}.use names ${source.specifier}, which exports neither a function "${name}" nor a default function. ` +
      'Ask its author, or import it in the configuration file and pass the provider that it creates',
  )
}

function find({ specifier, from, where }: PluginSource): URL | undefined {
  try {
    return moduleResolve(specifier, pathToFileURL(from), conditions)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_MODULE_NOT_FOUND') return undefined
    const reason = resolveErrors.get(code) ?? 'it is not the name of a package'
    throw new ConfigError(`${where}.use names ${specifier}, which cannot be imported: ${reason}`, { cause: error })
  }
}

const resolveErrors = new Map<unknown, string>([
  ['ERR_PACKAGE_PATH_NOT_EXPORTED', 'its package exports no main module'],
  ['ERR_UNSUPPORTED_DIR_IMPORT', 'it is a folder; name a file in it, such as ./acme/index.js'],
])

/** `@acme/fairlead-provider-big-model` exports `bigModel`; `./big-model.js` does too. */
function factoryName(specifier: string): string {
  const last = specifier.split('/').at(-1) ?? specifier
  const bare = last.replace(/^(fairlead-)?provider-/, '').replace(/\.[cm]?[jt]s$/, '')
  return bare.replace(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase())
}
