import { globSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { buildPackage } from './build-package.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { run } from './run.ts'

/** A package of this repository that is published. */
export interface Published {
  readonly name: string
  readonly folder: string
  readonly manifest: Manifest
}

export function publishedPackages(): readonly Published[] {
  return globSync(['packages/{*,providers/*}/package.json', 'apps/server/package.json']).map((path) => {
    const folder = dirname(path)
    const manifest = readManifest(folder)
    return { name: manifest.name, folder, manifest }
  })
}

/** Compiles and builds the packages that are published. */
export async function buildPackages(): Promise<void> {
  const folders = publishedPackages().map(({ folder }) => folder)
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-b', ...folders])
  for (const folder of folders) await buildPackage(folder)
}

/** Writes a tarball of each of the packages, as npm gets it, to a folder. They must be built. */
export function packPackages(packages: readonly Published[], folder: string): void {
  const { packageManager } = readManifest('.') as unknown as { readonly packageManager: string }
  const filters = packages.flatMap(({ name }) => ['--filter', name])
  const pack = ['-r', ...filters, 'pack', '--pack-destination', resolve(folder)]
  run('npx', ['--yes', '--package', packageManager, 'pnpm', ...pack])
}

/** The file name of a package's tarball. */
export function tarballOf({ name, manifest }: Published): string {
  return `${name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
}

/** The named packages, and the packages of this repository that they need. Optional peers are not needed. */
export function withNeeded(names: readonly string[], packages: readonly Published[]): readonly Published[] {
  const needed = new Set<Published>()
  const add = (name: string): void => {
    const found = packages.find((each) => each.name === name)
    if (!found || needed.has(found)) return
    needed.add(found)
    const { dependencies, peerDependencies, peerDependenciesMeta } = found.manifest
    const required = Object.keys({ ...peerDependencies }).filter((peer) => !peerDependenciesMeta?.[peer]?.optional)
    for (const each of [...Object.keys({ ...dependencies }), ...required]) add(each)
  }
  for (const name of names) add(name)
  return [...needed]
}
