import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './say.mjs'

/** To be imported by a child of this process: ends it soon after this one, also if this one was killed. */
export const followParent = () =>
  new URL(`../../packages/cli/src/follow-parent.mjs?parent=${process.pid}`, import.meta.url).href

/** In the built dashboard: the hash of the sources that it was built from. */
const stampName = '.sources'
/** The files that the build reads, relative to the folder of the dashboard. It reads neither tests nor declarations. */
const sources = ['src', 'public', 'build', 'index.html', 'vite.config.ts', 'package.json']

/** The service answers with this page, and 503, while `index.html` is missing. */
const noticeName = 'unavailable.html'

/**
 * Builds the dashboard, unless it is built from the sources as they are. A failure is reported, and resolves with false: the
 * service works without a dashboard.
 * @param {string} root
 * @param {string} node
 * @param {AbortSignal} [signal] ends the build
 */
export async function buildDashboard(root, node, signal, build = runVite, print = say) {
  const { folder, dist, fingerprint, isBuilt } = dashboardOf(root)
  if (isBuilt()) return true

  print('building the dashboard, which takes some seconds; the next start skips this')
  // In a separate folder: a running service serves the current one, and two starts may build at the same time.
  const fresh = `${dist}-${process.pid}`
  try {
    const problem = await build(folder, node, fresh, signal)
    if (signal?.aborted) return false
    if (problem !== undefined) {
      print(`the dashboard could not be built; the service runs without it\n${problem}`)
      if (existsSync(join(dist, noticeName))) writeNotice(dist, 'The dashboard could not be built. The log says why.')
      return false
    }
    writeFileSync(join(fresh, stampName), fingerprint)
    // Another start may have finished first, and its service already serves the files.
    if (!isBuilt()) replace(dist, fresh)
    return true
  } catch (error) {
    // Another start may have put its result there first.
    if (isBuilt()) return true
    throw error
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/**
 * Puts a page that says that the dashboard is being built in its place, unless it is built from the sources as they are.
 * Returns whether it has to be built.
 * @param {string} root
 */
export function announceBuild(root) {
  const { dist, isBuilt } = dashboardOf(root)
  if (isBuilt()) return false
  const fresh = `${dist}-${process.pid}`
  mkdirSync(fresh)
  writeNotice(fresh, 'The dashboard is being built, which takes some seconds.')
  replace(dist, fresh)
  return true
}

/** @param {string} root */
function dashboardOf(root) {
  const folder = join(root, 'apps', 'dashboard')
  const dist = join(folder, 'dist')
  const isMissing = !existsSync(join(folder, 'package.json'))
  const fingerprint = isMissing ? '' : fingerprintOf(root, folder)
  return { folder, dist, fingerprint, isBuilt: () => isMissing || readStamp(dist) === fingerprint }
}

/** @type {(folder: string, text: string) => void} */
function writeNotice(folder, text) {
  const page = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="color-scheme" content="light dark">
  <meta http-equiv="refresh" content="2">
  <title>Fairlead</title>
  <p>${text} This page reloads itself.</p>
</html>
`
  writeFileSync(join(folder, noticeName), page)
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
 * Resolves with the output of a build that failed.
 * @type {(folder: string, node: string, destination: string, signal?: AbortSignal) => Promise<string | undefined>}
 */
async function runVite(folder, node, destination, signal) {
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js')
  const child = spawn(node, ['--import', followParent(), vite, 'build', '--outDir', destination], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Otherwise, tests would build the development version of React.
    env: { ...process.env, NODE_ENV: 'production' },
    signal,
  })
  let output = ''
  /** @param {string | Buffer | Error} text */
  const add = (text) => {
    output += text
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  child.on('error', add)
  const status = await new Promise((resolve) => child.on('close', resolve))
  return status === 0 ? undefined : output
}
