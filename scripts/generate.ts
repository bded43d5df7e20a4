// npm run generate: writes every generated file that is committed, and prints the ones that changed.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { untilStable } from './until-stable.ts'
import { writeApiTypes } from './launcher/api-types.mjs'

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

/** Tests compare each file with what the code says now, and write it if they run with --update. */
const tests = git('grep', '--untracked', '-l', 'toMatchFileSnapshot', '--', '*.test.ts')

/** The hash of every file that git tracks or would add, by its path. */
function hashes(): ReadonlyMap<string, string> {
  const paths = git('ls-files', '--cached', '--others', '--exclude-standard').filter((path) => existsSync(path))
  return new Map(paths.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]))
}

function update(): string | undefined {
  // Without `=all`, `--update` takes the first path as its value, and does not run that file.
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', '--update=all', ...tests]
  const { status, stdout, stderr } = spawnSync(process.execPath, vitest, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  return status === 0 ? undefined : `${stdout}${stderr}`
}

const { changed, problem } = untilStable(update, hashes)
writeApiTypes(process.cwd(), process.execPath)
console.log(changed.length === 0 ? 'generate: nothing changed' : changed.map((path) => `wrote ${path}`).join('\n'))
if (problem !== undefined) {
  console.log(problem.trimEnd())
  process.exitCode = 1
}
