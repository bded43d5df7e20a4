import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type Manifest, readManifest } from './manifest.ts'
import { tryCommand } from './run.ts'

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

/** npm and the scripts of the projects run under this Node, not under the machine's. */
const environment = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }

/** Makes both projects outside of the workspace, with packed packages in place of those on npm, and runs their tests. */
export function projectFaults(packages: readonly Packed[]): readonly string[] {
  const world = mkdtempSync(join(tmpdir(), 'fairlead-projects-'))
  try {
    return Object.entries(projects).flatMap(([command, { name, folder, script }]) => {
      const main = join(packages.find((each) => each.name === command)!.folder, 'dist/main.js')
      const made = tryCommand(process.execPath, [main, name], world)
      if (made !== undefined) return made
      const project = join(world, folder)
      const tarballs = tarballsOf(readManifest(project), packages)
      const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs]
      const npm = (...args: readonly string[]) => tryCommand('npm', args, project, environment)
      return npm(...install) ?? npm('test') ?? npm('run', script) ?? []
    })
  } finally {
    rmSync(world, { recursive: true })
  }
}

/** The tarballs of the packages that a project needs, and those that these need. */
function tarballsOf(project: Manifest, packages: readonly Packed[]): readonly string[] {
  const needed = new Set<Packed>()
  const add = ({ dependencies, devDependencies, peerDependencies }: Manifest): void => {
    const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
    for (const each of packages.filter(({ name }) => names.includes(name))) {
      if (needed.has(each)) continue
      needed.add(each)
      add({ ...readManifest(each.folder), devDependencies: {} })
    }
  }
  add(project)
  return [...needed].map(({ tarball }) => tarball)
}
