// npm run fuzz -- 10000: runs property tests with that many cases per property, attacks and exhaustive tests that are too
// slow for every run, and then the mutations.
// npm run fuzz -- mutations: runs only the mutations, each a change of one line that makes a test fail.
// npm run fuzz -- 200 --seconds=180 --from=42: starts at the 42nd file and mutation, and starts nothing that would end after
// 180 s. Leaves out what is named .fuzz.test.ts, because such a file takes minutes.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { rotate } from './mutations/rotate.ts'
import { runMutations } from './mutations/run-mutations.ts'
import { lastRun } from './test/test-times.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: 'Infinity' }, from: { type: 'string', default: '0' } },
})
const [runs = '1000', ...filters] = positionals
const seconds = Number(values.seconds)
const from = Number(values.from)
const startedAt = performance.now()

/** How much longer more cases take than the cases of `npm test`, which records the time of each file. */
const slower = 2
const unknownSeconds = 10

const all = globSync('{packages,apps,scripts}/**/*.test.ts', { exclude: ['**/node_modules'] })
  .toSorted()
  .filter((path) => path.endsWith('.fuzz.test.ts') || /from 'fast-check'|FUZZ_RUNS/.test(readFileSync(path, 'utf8')))
  .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))

if (!(seconds > 0 && from >= 0)) refuse('Invalid --seconds or --from')
else if (runs === 'mutations') mutate()
else if (!/^[1-9]\d*$/.test(runs)) refuse(`Invalid number of cases: ${runs}`)
else if (all.length === 0) refuse('No matching file has a property test')
else {
  fuzz()
  if (filters.length === 0) mutate()
}

/** All files share one run, unless the time is limited. Then half of it is left for the mutations. */
function fuzz() {
  if (seconds === Infinity) return runFiles(all)
  const { files = {} } = lastRun() ?? {}
  let done = 0
  for (const file of rotate(all, from)) {
    const expected = slower * (files[file]?.seconds ?? unknownSeconds)
    if (file.endsWith('.fuzz.test.ts') || elapsed() + expected > seconds / 2) continue
    runFiles([file])
    done++
  }
  console.log(`fuzz: ${done} of ${all.length} files`)
}

function runFiles(files: readonly string[]) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config=scripts/fuzz.config.ts', ...files]
  // A part of the cases is the same whenever it is run for one commit.
  const env = { ...process.env, FUZZ_RUNS: runs, ...(values.from !== '0' && { FUZZ_SEED: values.from }) }
  if (spawnSync(process.execPath, vitest, { env, stdio: 'inherit' }).status !== 0) process.exitCode = 1
}

function mutate() {
  const hasTime = () => elapsed() < seconds
  if (!runMutations(process.cwd(), { filters, from, hasTime })) process.exitCode = 1
}

function elapsed() {
  return (performance.now() - startedAt) / 1000
}

function refuse(reason: string) {
  console.error(`npm run fuzz -- <cases | mutations> [files] [--seconds=180] [--from=42]: ${reason}`)
  process.exitCode = 1
}
