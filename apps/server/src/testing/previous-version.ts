import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from './run-main.ts'

const root = join(import.meta.dirname, '../../../..')
const file = 'scripts/previous-version'

/**
 * The tag or commit of the version before this one. A shallow clone in CI fetches it first. If this clone lacks it, warns on
 * standard error and returns undefined; throws in CI, unless the clone is shallow.
 */
export function findPreviousVersion(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  const version = lines.find((line) => line !== '' && !line.startsWith('#')) ?? ''
  const inCI = environment['CI'] === 'true'
  const isShallow = git('rev-parse', '--is-shallow-repository').stdout.trim() === 'true'
  if (inCI && isShallow) git('fetch', '--quiet', '--tags', '--unshallow')
  if (git('cat-file', '-e', `${version}^{commit}`).status === 0) return version
  const lack = `this clone lacks ${version}, which ${file} names; run "git fetch --tags --unshallow"`
  if (inCI && !isShallow) throw new Error(`CI tests the upgrade from the version before: ${lack}.`)
  process.stderr.write(`\n*** SKIPPED: the upgrade from the version before (${lack}). ***\n\n`)
  return undefined
}

function git(...args: readonly string[]) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', timeout: 60_000 })
}

/**
 * Installs a version with its own dependencies in a folder that is removed when the test ends.
 *
 * @returns its `main.ts`
 */
export async function installVersion(version: string): Promise<string> {
  const folder = temporaryFolder()
  const archive = execFileSync('git', ['archive', version], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x'], { cwd: folder, input: archive })
  // As `npm start` does. Node itself only prints its version.
  await promisify(execFile)(process.execPath, ['scripts/launch.mjs', 'server', '--version'], { cwd: folder })
  return join(folder, 'apps/server/src/main.ts')
}
