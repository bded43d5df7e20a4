import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const vitest = new URL('../node_modules/vitest/vitest.mjs', import.meta.url).pathname
const reporter = new URL('interruptible-reporter.ts', import.meta.url).pathname

const files = {
  'vitest.config.mjs': `
    import { InterruptibleReporter } from '${reporter}'
    export default { test: { globals: true, maxWorkers: 2, reporters: [new InterruptibleReporter()] } }`,
  'broken.test.js': `test('adds', () => expect(1 + 1).toBe(3))`,
  'endless.test.js': `test('waits', () => (console.log('waiting'), new Promise(() => {})), 600_000)`,
}

test('Ctrl-C prints what failed so far, a summary, and the files that were running', async () => {
  const root = mkdtempSync(join(tmpdir(), 'fairlead-interrupted-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  // A terminal signals the whole process group.
  const run = spawn(process.execPath, [vitest, 'run', '--root', root], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [run.stdout, run.stderr]) {
    stream.on('data', (bytes) => (output += stripVTControlCharacters(String(bytes))))
  }
  const closed = once(run, 'close')
  await expect.poll(() => output).toMatch(/❯ broken\.test\.js[^]*waiting|waiting[^]*❯ broken\.test\.js/)
  process.kill(-run.pid!, 'SIGINT')
  expect(await closed).toEqual([130, null])
  expect(output).toContain('FAIL  broken.test.js > adds')
  expect(output).toContain('AssertionError: expected 2 to be 3')
  expect(output).toMatch(/Tests +1 failed/)
  expect(output).toContain('Files still running: endless.test.js')
})
