// npm run check: all checks other than the tests. Every step runs, so that one run shows every failure.
import { spawnSync } from 'node:child_process'
import { printSize } from './size.ts'

const steps: Readonly<Record<string, readonly string[]>> = {
  'is formatted': ['node_modules/oxfmt/bin/oxfmt', '--check'],
  'keeps the rules': ['node_modules/oxlint/bin/oxlint', '--deny-warnings'],
  compiles: ['node_modules/typescript/bin/tsc', '-b'],
  'compiles in tests and scripts': ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'],
  'uses all that it has': ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'],
  'works when packed': ['scripts/packed/check.ts'],
  'has no spelling mistakes': ['docs/node_modules/cspell/bin.mjs', 'lint', '--no-progress'],
  'has no slow test file': ['scripts/test/check-times.ts'],
  'has a documentation site': ['docs/site/run.ts'],
}

const requestPath = ['--conditions=@fairlead/source', 'scripts/request-path.ts']

const [option, ...others] = process.argv.slice(2)

if (option === undefined) runSteps()
else if (option === '--size') printSize()
else if (option === '--request-path')
  process.exitCode = spawnSync(process.execPath, [...requestPath, ...others], { stdio: 'inherit' }).status ?? 1
else {
  console.log('npm run check: format, lint, types, unused code, packed packages, spelling and the docs site')
  console.log('npm run check -- --size: the size of the production code')
  console.log(
    'npm run check -- --request-path [generate|stream|shipment]: the files and functions that one request runs, and their limits',
  )
  process.exitCode = option === '--help' ? 0 : 1
}

function runSteps(): void {
  const failed = Object.entries(steps).filter(([name, command]) => !passes(name, command))
  if (failed.length === 0) return
  console.log(`check: ${failed.length} of ${Object.keys(steps).length} failed`)
  process.exitCode = 1
}

function passes(name: string, command: readonly string[]) {
  const startedAt = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (status !== 0) console.log(`${stdout}${stderr}`.trimEnd())
  return status === 0
}
