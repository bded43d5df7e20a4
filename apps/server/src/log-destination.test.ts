import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { logDestination } from './log-destination.ts'

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'log')
}

const written = (path: string) => readFileSync(path, 'utf8')

test('log lines are written soon, in their order, also many of them', async () => {
  const path = newFile()
  const log = logDestination(path)
  const lines = Array.from({ length: 5_000 }, (_, n) => `${JSON.stringify({ n, word: 'Grüße' })}\n`)
  for (const line of lines) log.write(line)
  await expect.poll(() => written(path)).toBe(lines.join(''))
  log.write('the last\n')
  await expect.poll(() => written(path)).toBe(`${lines.join('')}the last\n`)
})

test('what waits is written at once when that is asked for', async () => {
  const path = newFile()
  const log = logDestination(path)
  log.write('one\n')
  log.flushSync()
  expect(written(path)).toBe('one\n')
})

test('nothing is lost when the process exits', async () => {
  const module = new URL('log-destination.ts', import.meta.url).href
  const program = `
    import { logDestination } from '${module}'
    const log = logDestination(1)
    for (let n = 0; n < 1000; n++) log.write(n + '\\n')
    if (process.argv[1] === 'thrown') throw new Error('a defect')
    process.exit()
  `
  for (const how of ['thrown', 'told']) {
    const node = ['--conditions=@fairlead/source', '--input-type=module', '-e', program, how]
    const { stdout } = await promisify(execFile)(process.execPath, node).catch((error: { stdout: string }) => error)
    expect(stdout.split('\n')).toHaveLength(1001)
  }
})
