// npm run fuzz -- 10000: runs property tests with that many cases per property, attacks that are too slow for every run,
// and then the mutations.
// npm run fuzz -- mutations: runs only the mutations, each a change of one line that makes a test fail.
import { globSync, readFileSync } from 'node:fs'
import { startVitest } from 'vitest/node'
import { runMutations } from './mutations/run-mutations.ts'

const [runs = '1000', ...filters] = process.argv.slice(2)
const files = globSync('{packages,apps}/**/*.test.ts', { exclude: ['**/node_modules'] })
  .filter((path) => /from 'fast-check'|FUZZ_RUNS/.test(readFileSync(path, 'utf8')))
  .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))

if (runs === 'mutations') mutate()
else if (!/^[1-9]\d*$/.test(runs)) refuse(`Invalid number of cases: ${runs}`)
else if (files.length === 0) refuse('No matching file has a property test')
else {
  await fuzz()
  if (filters.length === 0) mutate()
}

async function fuzz() {
  process.env['FUZZ_RUNS'] = runs
  const vitest = await startVitest('test', files, {
    watch: false,
    testTimeout: 0,
    setupFiles: ['scripts/fuzz-runs.ts'],
  })
  await vitest.close()
}

function mutate() {
  if (!runMutations(process.cwd(), filters)) process.exitCode = 1
}

function refuse(reason: string) {
  console.error(`npm run fuzz -- <cases | mutations> [files]: ${reason}`)
  process.exitCode = 1
}
