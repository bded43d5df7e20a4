import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript-5.9'

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ['@fairlead/source'],
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ['node'],
}

const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope

/** The most characters of an inferred type that is shown whole. Of a longer one, the names of its members are. */
const maxTypeLength = 2_000

/**
 * The public API of packages as text, by the path of their package.json: each entry point with the declaration of each name
 * that it exports, without comments and bodies.
 */
export function publicApis(manifests: readonly string[]): ReadonlyMap<string, string> {
  const entries = manifests.map((manifest) => ({ manifest, points: entryPoints(manifest) }))
  const program = ts.createProgram(
    entries.flatMap(({ points }) => points.map(({ file }) => file)),
    options,
  )
  const reader = new ApiReader(program)
  return new Map(
    entries.map(({ manifest, points }) => [
      manifest,
      points.map(({ name, file }) => `## ${name}\n\n${reader.exportsOf(file).join('\n\n')}\n`).join('\n'),
    ]),
  )
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly publishConfig: { readonly exports: Readonly<Record<string, unknown>> }
}

/** The published entry points of a package, and their sources. */
function entryPoints(manifest: string) {
  const { name, exports, publishConfig } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
  const subpaths = Object.keys(publishConfig.exports).filter((subpath) => subpath !== './package.json')
  return subpaths.map((subpath) => ({
    name: name + subpath.slice(1),
    file: resolve(join(dirname(manifest), exports[subpath]?.['@fairlead/source'] ?? '')),
  }))
}

class ApiReader {
  readonly #program: ts.Program
  readonly #checker: ts.TypeChecker
  readonly #printer = ts.createPrinter({ removeComments: true })

  constructor(program: ts.Program) {
    this.#program = program
    this.#checker = program.getTypeChecker()
  }

  exportsOf(file: string): readonly string[] {
    const source = this.#program.getSourceFile(file)
    const module = source && this.#checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} is no module`)
    return this.#checker
      .getExportsOfModule(module)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((symbol) => this.#describe(symbol))
  }

  #describe(symbol: ts.Symbol): string {
    const target = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
    const declaration = target.declarations?.[0]
    if (!declaration) throw new Error(`${symbol.name} has no declaration`)
    if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration))
      return this.#print(declaration)
    if (ts.isClassDeclaration(declaration)) return `class ${symbol.name} ${this.#members(declaration, target)}`
    const type = this.#checker.getTypeOfSymbolAtLocation(target, declaration)
    const kind = ts.isFunctionDeclaration(declaration) ? 'function' : 'const'
    return `${kind} ${symbol.name}: ${this.#textOf(type, declaration)}`
  }

  #print(node: ts.Node): string {
    return this.#printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
  }

  #members(declaration: ts.ClassDeclaration, symbol: ts.Symbol): string {
    const { members = new Map() } = symbol
    const texts = [...(members as ReadonlyMap<string, ts.Symbol>).values()]
      .filter(({ name, flags: kinds }) => kinds & ts.SymbolFlags.ClassMember && !/^(__)?#/.test(name))
      .map((member) => {
        const type = this.#checker.getTypeOfSymbolAtLocation(member, declaration)
        return `  ${member.name}: ${this.#checker.typeToString(type, declaration, flags)}`
      })
    return `{\n${texts.toSorted().join('\n')}\n}`
  }

  #textOf(type: ts.Type, declaration: ts.Declaration): string {
    const text = this.#checker.typeToString(type, declaration, flags)
    if (text.length <= maxTypeLength) return text
    const names = type.getProperties().map(({ name }) => name)
    return names.length > 0 ? `{ ${names.toSorted().join(', ')} }` : `${text.slice(0, maxTypeLength)}…`
  }
}
