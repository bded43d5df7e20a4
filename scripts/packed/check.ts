// Packs every published package and uses it as a stranger would: from its tarball, without the sources.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { bundleFaults } from './bundles.ts'
import { cloneFaults } from './clone.ts'
import { compileFaults } from './compile.ts'
import { exampleFaults, writeExamples } from './examples.ts'
import { faultyFiles } from './files.ts'
import { installedFaults } from './installed.ts'
import { findFaults, readManifest } from './manifest.ts'
import { buildPackages, packPackages, type Published, publishedPackages, tarballOf } from './pack.ts'
import { projectFaults } from './projects.ts'
import { resolutionFaults } from './resolution.ts'
import { run } from './run.ts'
import { startFaults } from './start-times.ts'
import { maxKilobytes } from './sizes.ts'

/** A packed package, installed in the stranger's folder. */
interface Packed {
  readonly name: string
  readonly folder: string
  readonly tarball: string
  readonly faces: readonly string[]
}

const stranger = mkdtempSync(join(tmpdir(), 'fairlead-packed-'))
const faults: string[] = []
try {
  const published = publishedPackages()
  await buildPackages()
  packPackages(published, stranger)
  const packages = published.map(unpack)
  for (const { name, folder, tarball } of packages) {
    const found = [...findFaults(readManifest(folder)), ...faultyFiles(folder), ...sizeFaults(name, tarball)]
    faults.push(...found.map((fault) => `${name}: ${fault}`))
  }
  const examples = writeExamples(stranger, packages)
  faults.push(
    ...exampleFaults(stranger, examples),
    ...compileFaults(
      stranger,
      packages.flatMap(({ faces }) => faces),
      examples,
    ),
    ...(await bundleFaults(stranger)),
    ...(await startFaults(stranger)),
    ...(await resolutionFaults(packages)),
    ...installedFaults(),
    ...projectFaults(packages),
    ...cloneFaults(),
  )
} finally {
  rmSync(stranger, { recursive: true })
}
for (const fault of faults) console.log(fault)
if (faults.length > 0) process.exitCode = 1

/** Installs a packed package beside the others, with links to the dependencies of its source. */
function unpack(published: Published): Packed {
  const { name, folder: source } = published
  const { dependencies, peerDependencies } = published.manifest
  const folder = join(stranger, 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  const tarball = join(stranger, tarballOf(published))
  run(process.execPath, ['node_modules/publint/src/cli.js', 'run', '--strict', tarball])
  run('tar', ['--extract', '--gzip', `--file=${tarball}`, `--directory=${folder}`, '--strip-components=1'])
  for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
    if (!dependency.startsWith('@fairlead/')) link(source, dependency, folder)
  }
  const subpaths = Object.keys(readManifest(folder).exports).filter((subpath) => subpath !== './package.json')
  const faces = subpaths.map((subpath) => name + subpath.slice(1))
  return { name, folder, tarball, faces }
}

function link(source: string, dependency: string, folder: string): void {
  const path = join(folder, 'node_modules', dependency)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(realpathSync(resolve(source, 'node_modules', dependency)), path)
}

function sizeFaults(name: string, tarball: string): readonly string[] {
  const kilobytes = statSync(tarball).size / 1000
  const max = maxKilobytes[name] ?? 0
  return kilobytes > max
    ? [`${kilobytes.toFixed(1)} kB packed, over its limit of ${max} kB (scripts/packed/sizes.ts)`]
    : []
}
