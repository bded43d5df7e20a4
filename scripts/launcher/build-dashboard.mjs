import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './say.mjs'

/** In the built dashboard: the hash of the sources that it was built from. */
const stampName = '.sources'
/** What the build reads, relative to the folder of the dashboard. It reads neither tests nor declarations. */
const sources = ['src', 'public', 'build', 'index.html', 'vite.config.ts', 'package.json']

/**
 * Builds the dashboard, unless it is built from the sources as they are. A failure is reported, and returned as false: the
 * service works without a dashboard.
 * @param {string} root
 * @param {string} node
 */
export function buildDashboard(root, node, build = runVite, print = say) {
  const folder = join(root, 'apps', 'dashboard')
  if (!existsSync(join(folder, 'package.json'))) return true
  const dist = join(folder, 'dist')
  const fingerprint = fingerprintOf(root, folder)
  if (readStamp(dist) === fingerprint) return true

  print('building the dashboard, which takes some seconds; the next start skips this')
  // In a folder of its own: a running service serves the current one, and two starts may build at the same time.
  const fresh = `${dist}-${process.pid}`
  try {
    const problem = build(folder, node, fresh)
    if (problem !== undefined) {
      print(`the dashboard could not be built; the service starts without it\n${problem}`)
      return false
    }
    writeFileSync(join(fresh, stampName), fingerprint)
    // Another start may have finished first, and its service already serves the files.
    if (readStamp(dist) !== fingerprint) replace(dist, fresh)
    return true
  } catch (error) {
    // Another start may have put its result there first.
    if (readStamp(dist) === fingerprint) return true
    throw error
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/**
 * Moves the folders whole: another start that does the same at this moment finds either dashboard, complete.
 * @type {(dist: string, fresh: string) => void}
 */
function replace(dist, fresh) {
  const previous = `${fresh}-previous`
  try {
    if (existsSync(dist)) renameSync(dist, previous)
    renameSync(fresh, dist)
  } finally {
    rmSync(previous, { recursive: true, force: true })
  }
}

/** @param {string} dist */
function readStamp(dist) {
  const path = join(dist, stampName)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/**
 * Changes with the sources of the dashboard and with the locked versions.
 * @type {(root: string, folder: string) => string}
 */
function fingerprintOf(root, folder) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'pnpm-lock.yaml')))
  for (const path of sources.flatMap((source) => filesOf(folder, source))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(folder, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** @type {(folder: string, source: string) => string[]} */
function filesOf(folder, source) {
  if (!existsSync(join(folder, source))) return []
  if (source.includes('.')) return [source]
  return readdirSync(join(folder, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.|\.d\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/**
 * Returns the output of a build that failed.
 * @type {(folder: string, node: string, destination: string) => string | undefined}
 */
function runVite(folder, node, destination) {
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js')
  const { status, stdout, stderr, error } = spawnSync(node, [vite, 'build', '--outDir', destination], {
    cwd: folder,
    encoding: 'utf8',
    // Otherwise, tests would build the development version of React.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return status === 0 ? undefined : `${stdout ?? ''}${stderr ?? ''}${error ?? ''}`
}
