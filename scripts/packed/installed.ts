import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { maxInstalledMegabytes } from './sizes.ts'

/** The packages that each installation starts from, by their folders. */
const installations: Readonly<Record<keyof typeof maxInstalledMegabytes, readonly string[]>> = {
  'npm install fairlead': ['packages/cli'],
  'npm start': ['.', 'packages/cli', 'apps/dashboard'],
}

/** The installations whose dependencies, other than Node, are larger than their limit. */
export function installedFaults(): readonly string[] {
  return Object.entries(maxInstalledMegabytes).flatMap(([name, max]) => {
    const found = new Set<string>()
    for (const folder of installations[name as keyof typeof installations]) addDependencies(realpathSync(folder), found)
    const external = [...found].filter((folder) => /node_modules/.test(folder) && !/node_modules\/node-/.test(folder))
    const megabytes = external.reduce((sum, folder) => sum + bytesIn(folder), 0) / 1e6
    return megabytes > max
      ? [`${name} installs ${megabytes.toFixed(1)} MB, over its limit of ${max} MB (scripts/packed/sizes.ts)`]
      : []
  })
}

/** Adds the folders of what a package needs at run time. Optional dependencies for other platforms are not installed. */
function addDependencies(folder: string, found: Set<string>): void {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>
    readonly optionalDependencies?: Readonly<Record<string, string>>
  }
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const dependency = folderOf(name, folder)
    if (dependency === undefined || found.has(dependency)) continue
    found.add(dependency)
    addDependencies(dependency, found)
  }
}

/** Where Node finds a package from a folder. */
function folderOf(name: string, from: string): string | undefined {
  const path = join(from, 'node_modules', name)
  if (existsSync(path)) return realpathSync(path)
  return dirname(from) === from ? undefined : folderOf(name, dirname(from))
}

/** The size of the files of a package; its dependencies are elsewhere. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
