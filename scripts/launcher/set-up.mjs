import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PlainError, say } from './say.mjs'
import { watchInstallation } from './watch-installation.mjs'

/** @typedef {'server' | 'workspace'} Scope */

/**
 * The packages that pnpm installs for each scope. The root is selected because the pinned Node is its optional dependency,
 * and the dashboard because `npm start` builds it.
 */
const selections = {
  server: ['--prod', '--filter', '.', '--filter', 'fairlead...', '--filter', '@fairlead/dashboard'],
  workspace: [],
}

/**
 * pnpm would first ask the registry for the age of every version in the lock file, which takes longer than the installation.
 * CI asks whenever the lock file changes, and pnpm still checks that each package is the one that the lock file names.
 */
const lockedOnly = ['--frozen-lockfile', '--trust-lockfile']

const purposes = {
  server: 'what the server needs',
  workspace: 'everything that building and testing needs',
}

/**
 * Installs the packages of `scope`, unless a stamp in node_modules shows that they are installed. Never removes packages.
 * @param {{ root: string, scope: Scope }} wanted
 * @param {(root: string, scope: Scope) => void | Promise<void>} install
 */
export async function setUp({ root, scope }, install = runPnpm) {
  const stampPath = join(root, 'node_modules', '.fairlead-set-up')
  const [stampedScope, stampedFingerprint] = readStamp(stampPath)
  const fingerprint = fingerprintOf(root)
  const covers = scope === 'server' || stampedScope === 'workspace'
  if (covers && stampedFingerprint === fingerprint) return

  const wider = stampedScope === 'workspace' || isFullInstall(root) ? 'workspace' : scope
  // A failed installation leaves no stamp.
  rmSync(stampPath, { force: true })
  await install(root, wider)
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(stampPath, `${wider} ${fingerprint}`)
}

/** @param {string} path */
function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8').split(' ') : []
}

/**
 * Changes with the platform, the lock file and every manifest of the workspace.
 * @param {string} root
 */
function fingerprintOf(root) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\0`)
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests(root)]) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

/**
 * Reads the `packages:` list, whose patterns are a folder or `folder/*`, without a YAML parser: none is installed yet.
 * @param {string} root
 */
function manifests(root) {
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const [, list = ''] = /^packages:\n((?: +- .*\n)+)/m.exec(workspace) ?? []
  return [...list.matchAll(/- ['"]?([^'"\n]+)/g)]
    .flatMap(([, pattern = '']) => foldersOf(root, pattern))
    .map((folder) => `${folder}/package.json`)
    .filter((path) => existsSync(join(root, path)))
}

/** @type {(root: string, pattern: string) => string[]} */
function foldersOf(root, pattern) {
  if (!pattern.endsWith('/*')) return [pattern]
  const parent = pattern.slice(0, -2)
  if (!existsSync(join(root, parent))) return []
  return readdirSync(join(root, parent))
    .sort()
    .map((name) => `${parent}/${name}`)
}

/**
 * Whether `pnpm install` was run by hand: then the development tools are installed.
 * @param {string} root
 */
function isFullInstall(root) {
  const { devDependencies = {} } = readManifest(root)
  return Object.keys(devDependencies).some((name) => existsSync(join(root, 'node_modules', name)))
}

/** @type {(root: string, scope: Scope) => Promise<void>} */
async function runPnpm(root, scope) {
  const { packageManager } = readManifest(root)
  const [pnpm = ''] = packageManager.split('+')
  say(`installing ${purposes[scope]} with ${pnpm}; the next run skips this`)
  const startedAt = Date.now()
  // On a terminal pnpm draws its own progress.
  const reporter = process.stderr.isTTY ? 'default' : 'append-only'
  const pnpmArguments = ['install', ...lockedOnly, `--reporter=${reporter}`, ...selections[scope]]
  const child = spawn('npx', ['--yes', '--package', pnpm, 'pnpm', ...pnpmArguments], {
    cwd: root,
    stdio: process.stderr.isTTY ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
    // CI keeps pnpm from asking before it replaces an older node_modules.
    env: { ...process.env, CI: 'true', npm_config_loglevel: 'error' },
    shell: process.platform === 'win32',
  })
  const { output, status } = await watchInstallation(child, pnpm)
  if (status !== 0) throw new PlainError(`the installation failed\n${output}`)
  say(`installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

/**
 * @param {string} root
 * @returns {{ packageManager: string, devDependencies?: Record<string, string> }}
 */
function readManifest(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}
