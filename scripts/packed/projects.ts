import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readManifest } from './manifest.ts'
import { publishedPackages, withNeeded } from './pack.ts'
import { npmEnvironment, tryCommand } from './run.ts'

/** A packed package, installed in the stranger's folder. */
interface Packed {
  readonly name: string
  readonly folder: string
  readonly tarball: string
}

/** By package, the name to ask for, the folder of the project, and what to run there besides its tests. */
const projects = {
  'create-fairlead-provider': { name: 'acme-text', folder: 'fairlead-provider-acme-text', script: 'build' },
  'create-fairlead-app': { name: 'my-app', folder: 'my-app', script: 'check' },
}

/** Makes both projects outside of the workspace, with packed packages in place of those on npm, and runs their tests. */
export function projectFaults(packages: readonly Packed[]): readonly string[] {
  const world = mkdtempSync(join(tmpdir(), 'fairlead-projects-'))
  try {
    return Object.entries(projects).flatMap(([command, { name, folder, script }]) => {
      const main = join(packages.find((each) => each.name === command)!.folder, 'dist/main.js')
      const made = tryCommand(process.execPath, [main, name], world)
      if (made !== undefined) return made
      const project = join(world, folder)
      const { dependencies, devDependencies } = readManifest(project)
      const needed = withNeeded(Object.keys({ ...dependencies, ...devDependencies }), publishedPackages())
      const tarballs = needed.map((each) => packages.find((packed) => packed.name === each.name)!.tarball)
      const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs]
      const npm = (...args: readonly string[]) => tryCommand('npm', args, project, npmEnvironment)
      return npm(...install) ?? npm('test') ?? npm('run', script) ?? []
    })
  } finally {
    rmSync(world, { recursive: true })
  }
}
