import { spawnSync } from 'node:child_process'

/** Whether redis-server is installed. If not, warns on standard error and returns false; throws in CI. */
export function findRedis(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  if (spawnSync('redis-server', ['--version']).status === 0) return true
  const missing = 'redis-server not found in PATH; on Debian: apt-get install redis-server'
  if (environment['CI'] === 'true') throw new Error(`CI requires Redis: ${missing}`)
  process.stderr.write(`\n*** SKIPPED: the tests against Redis (${missing}). ***\n\n`)
  return false
}
