// npm run fuzz -- 10000: runs the files that hold property tests, with that many cases a property, or attacks that are too
// slow for every run.
import { globSync, readFileSync } from 'node:fs'
import { startVitest } from 'vitest/node'

const [runs = '1000', ...filters] = process.argv.slice(2)
const files = globSync('{packages,apps}/**/*.test.ts', { exclude: ['**/node_modules'] })
  .filter((path) => /from 'fast-check'|FUZZ_RUNS/.test(readFileSync(path, 'utf8')))
  .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))

if (!/^[1-9]\d*$/.test(runs)) refuse(`${runs} is no number of cases`)
else if (files.length === 0) refuse('no such file holds a property test')
else await fuzz()

async function fuzz() {
  process.env['FUZZ_RUNS'] = runs
  const vitest = await startVitest('test', files, {
    watch: false,
    testTimeout: 0,
    setupFiles: ['scripts/fuzz-runs.ts'],
  })
  await vitest.close()
}

function refuse(reason: string) {
  console.error(`npm run fuzz -- <cases> [files]: ${reason}`)
  process.exitCode = 1
}
