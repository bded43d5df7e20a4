import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const vitest = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname
const reporter = new URL('run-reporter.ts', import.meta.url).pathname

/** Writes a folder of tests, and starts vitest in it, as the leader of a process group. */
function startTests(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'fairlead-reporter-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const config = `
    import { RunReporter } from '${reporter}'
    export default { test: { globals: true, maxWorkers: 2, isolate: false, reporters: [new RunReporter({ record: false })] } }`
  for (const [name, text] of Object.entries({ 'vitest.config.mjs': config, ...files }))
    writeFileSync(join(root, name), text)
  const run = spawn(process.execPath, [vitest, 'run', '--root', root], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [run.stdout, run.stderr]) {
    stream.on('data', (bytes) => (output += stripVTControlCharacters(String(bytes))))
  }
  return { pid: run.pid!, closed: once(run, 'close'), output: () => output }
}

test('a run of many files prints its failures and what it skipped, but no file that passed', async () => {
  const note = `process.stderr.write('*** SKIPPED: the tests of a missing program. ***')`
  const passing = Array.from({ length: 21 }, (_, index) => [
    `passing-${index}.test.js`,
    `${note}; test('adds', () => {})`,
  ])
  const broken = `describe('a sum', () => test('is right', () => expect(1 + 1).toBe(3)))`
  const { closed, output } = startTests({ ...Object.fromEntries(passing), 'broken.test.js': broken })
  expect(await closed).toEqual([1, null])
  expect(output()).toContain('FAIL  broken.test.js > a sum > is right')
  expect(output()).toContain('22 files, 22 tests')
  expect(output()).not.toContain('passing-3')
  expect(output().match(/SKIPPED: the tests of a missing program/g)).toHaveLength(1)
})

test('Ctrl-C prints what failed so far, a summary, and the files that were running', async () => {
  // A terminal signals the whole process group.
  const { pid, closed, output } = startTests({
    'broken.test.js': `test('adds', () => expect(1 + 1).toBe(3))`,
    'endless.test.js': `test('waits', () => (console.log('waiting'), new Promise(() => {})), 600_000)`,
  })
  await expect.poll(output).toMatch(/❯ broken\.test\.js[^]*waiting|waiting[^]*❯ broken\.test\.js/)
  process.kill(-pid, 'SIGINT')
  expect(await closed).toEqual([130, null])
  expect(output()).toContain('FAIL  broken.test.js > adds')
  expect(output()).toContain('AssertionError: expected 2 to be 3')
  expect(output()).toMatch(/Tests +1 failed/)
  expect(output()).toContain('Files still running: endless.test.js')
})
