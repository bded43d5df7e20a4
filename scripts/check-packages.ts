// Packs every published package and installs it as a user would: from its tarball, without the sources.
import { spawnSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const stranger = mkdtempSync(join(tmpdir(), 'fairlead-packed-'))
try {
  pack(stranger)
  const packages = globSync('packages/{*,providers/*}/package.json').map((path) => unpacked(dirname(path)))
  for (const { name, folder } of packages) refuseSourcePaths(name, folder)
  const faces = packages.flatMap(({ name, manifest }) => facesOf(name, manifest))
  importAll(faces)
  compileAll(faces)
} finally {
  rmSync(stranger, { recursive: true })
}

function pack(destination: string) {
  const { packageManager } = readManifest('.') as Manifest & { packageManager: string }
  const filter = ['-r', '--filter', './packages/**']
  run('npx', ['--yes', '--package', packageManager, 'pnpm', ...filter, 'pack', '--pack-destination', destination])
  for (const tarball of globSync(join(destination, '*.tgz'))) {
    run(process.execPath, ['node_modules/publint/src/cli.js', 'run', '--strict', tarball])
  }
}

/** Installs a packed package and its dependencies beside the others. */
function unpacked(source: string) {
  const { name, version, dependencies, peerDependencies } = readManifest(source)
  const folder = join(stranger, 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  const tarball = join(stranger, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  run('tar', ['--extract', '--gzip', `--file=${tarball}`, `--directory=${folder}`, '--strip-components=1'])
  for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
    if (dependency.startsWith('@fairlead/')) continue
    const link = join(folder, 'node_modules', dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(realpathSync(join(source, 'node_modules', dependency)), link)
  }
  return { name, folder, manifest: readManifest(folder) }
}

function facesOf(name: string, { exports }: Manifest) {
  if (JSON.stringify(exports).includes('@fairlead/source')) throw new Error(`${name} publishes its source condition`)
  return Object.keys(exports).map((subpath) => name + subpath.slice(1))
}

/** The compiler rewrites `.ts` in imports, but not in `new URL('./worker.ts', import.meta.url)`. */
function refuseSourcePaths(name: string, folder: string) {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js') || file.includes('node_modules')) continue
    const [found] = /new URL\(\s*['"`][^'"`]*\.ts['"`]/.exec(readFileSync(join(folder, file), 'utf8')) ?? []
    if (found) throw new Error(`${name}: ${file} asks for a source that is not packed: ${found}`)
  }
}

function importAll(faces: readonly string[]) {
  const script = join(stranger, 'import-all.js')
  writeFileSync(script, `await Promise.all(${JSON.stringify(faces)}.map((face) => import(face)))`)
  writeFileSync(join(stranger, 'package.json'), '{ "type": "module" }')
  run(process.execPath, [script])
}

function compileAll(faces: readonly string[]) {
  const program = faces.map((face, index) => `import * as face${index} from '${face}'\nvoid face${index}\n`).join('')
  writeFileSync(join(stranger, 'compile-all.ts'), program)
  const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] }
  writeFileSync(join(stranger, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['compile-all.ts'] }))
  run(process.execPath, [resolve('node_modules/typescript/bin/tsc')], stranger)
}

function readManifest(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** Throws an error with the output of the command if it fails. */
function run(command: string, commandArguments: readonly string[], cwd = '.') {
  const { status, stdout, stderr } = spawnSync(command, commandArguments, { encoding: 'utf8', cwd })
  if (status !== 0) throw new Error(`${command} ${commandArguments.join(' ')}\n${stdout}${stderr}`)
}
