import { copyFileSync, globSync, rmSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { type OutputOptions, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { readManifest } from './manifest.ts'

const names = { format: 'esm', chunkFileNames: '[name]-[hash].js' } as const

/** Functions and classes keep their names, so that the stack of an error can be read: packages have no source maps. */
const code: OutputOptions = {
  ...names,
  entryFileNames: '[name].js',
  minify: {
    compress: { target: 'es2024', keepNames: { function: true, class: true } },
    mangle: { toplevel: true, keepNames: true },
    codegen: { removeWhitespace: true },
  },
  comments: { annotation: true, legal: true, jsdoc: false },
}

const declarations: OutputOptions = {
  ...names,
  entryFileNames: '[name].ts',
  chunkFileNames: '[name]-[hash].d.ts',
}

/**
 * Writes `dist` of a package, all files in one folder: one build of all entry points, whose common code is in shared files,
 * so that a class exists once. Other packages stay imports. Declarations are bundled from those that the compiler wrote.
 */
export async function buildPackage(source: string): Promise<void> {
  const folder = resolve(source)
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  const entries = entryPoints(folder)
  const common = {
    cwd: folder,
    external: (id: string) => !/^[./]/.test(id),
    platform: 'node',
    tsconfig: false,
  } as const
  const input = { ...entries, ...alternatives(folder), ...programs(folder) }
  await using sources = await rolldown({ ...common, input, transform: { target: 'es2024' } })
  await sources.write({ ...code, dir: dist })
  const declared = Object.entries(entries).map(([name, path]) => [`${name}.d`, toDeclaration(path)])
  const plugins = [dts({ dtsOnly: true, generator: 'oxc', tsconfig: false })]
  await using types = await rolldown({ ...common, input: Object.fromEntries(declared), plugins })
  await types.write({ ...declarations, dir: dist })
  for (const path of globSync('src/*.mjs', { cwd: folder }))
    copyFileSync(join(folder, path), join(dist, parse(path).base))
}

/** The sources of the published entry points, by the names of their files: `./stores` is `dist/stores.js`. */
function entryPoints(folder: string): Readonly<Record<string, string>> {
  const { exports, publishConfig } = readManifest(folder)
  return Object.fromEntries(
    Object.keys(publishConfig.exports).flatMap((subpath) => {
      const target = exports[subpath]
      if (typeof target !== 'object') return []
      return [[subpath === '.' ? 'index' : subpath.slice('./'.length), target['@fairlead/source'] as string]]
    }),
  )
}

/** The sources for a platform, by the names of their files: they have the condition of a clone, and are below a condition. */
function alternatives(folder: string): Readonly<Record<string, string>> {
  const { exports, imports = {} } = readManifest(folder)
  const sources = [...Object.values(exports), ...Object.values(imports)].flatMap((targets) =>
    Object.values(targets).flatMap((target) => (typeof target === 'object' ? target['@fairlead/source']! : [])),
  )
  return Object.fromEntries(sources.map((path) => [parse(path).name, path]))
}

/** The sources that are started by the path of their file. */
function programs(folder: string): Readonly<Record<string, string>> {
  const files = globSync('src/{main,*worker}.ts', { cwd: folder })
  return Object.fromEntries(files.map((path) => [parse(path).name, path]))
}

function toDeclaration(source: string): string {
  return source.replace('./src/', './.types/').replace(/\.ts$/, '.d.ts')
}
