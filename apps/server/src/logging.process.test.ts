import { execFile, execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ProviderError } from '@fairlead/core/provider'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { errorRecord, logDestination } from './logging.ts'

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'log')
}

const written = (path: string) => readFileSync(path, 'utf8')

test('the log writes many lines in order within a moment', async () => {
  const path = newFile()
  const log = logDestination(path)
  const lines = Array.from({ length: 5_000 }, (_, n) => `${JSON.stringify({ n, word: 'Grüße' })}\n`)
  for (const line of lines) log.write(line)
  await expect.poll(() => written(path)).toBe(lines.join(''))
  log.write('the last\n')
  await expect.poll(() => written(path)).toBe(`${lines.join('')}the last\n`)
})

test('flushSync writes buffered lines at once', async () => {
  const path = newFile()
  const log = logDestination(path)
  log.write('one\n')
  log.flushSync()
  expect(written(path)).toBe('one\n')
})

test('the log writes buffered lines when the process exits', async () => {
  const module = new URL('logging.ts', import.meta.url).href
  const program = `
    import { logDestination } from '${module}'
    const log = logDestination(1)
    for (let n = 0; n < 1000; n++) log.write(n + '\\n')
    if (process.argv[1] === 'thrown') throw new Error('a defect')
    process.exit()
  `
  for (const how of ['thrown', 'exit']) {
    const node = ['--conditions=@fairlead/source', '--input-type=module', '-e', program, how]
    const { stdout } = await promisify(execFile)(process.execPath, node).catch((error: { stdout: string }) => error)
    expect(stdout.split('\n')).toHaveLength(1001)
  }
})

/** A pipe that holds 64 kB, and that the test does not read. */
function unreadPipe() {
  const path = newFile()
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  return {
    reader,
    writer,
    read: () => readSync(reader, Buffer.alloc(1_000_000)),
    close() {
      closeSync(reader)
      closeSync(writer)
    },
  }
}

describe('a pipe that nobody reads', () => {
  test('a pipe that nobody reads fills the buffer, and then lines are dropped and counted', async () => {
    const { writer, read, close } = unreadPipe()
    onTestFinished(close)
    const log = logDestination(writer, { maxBufferLength: 100_000 })
    for (let n = 0; n < 200; n++) log.write(`${'x'.repeat(999)}\n`)
    expect(log.dropped).toBe(100)
    expect(await log.close()).toBe(true)
    expect(read()).toBeLessThanOrEqual(65_536)
  })

  test('a pipe that nobody reads is written to again once it is read', async () => {
    const { writer, read, close } = unreadPipe()
    onTestFinished(close)
    const log = logDestination(writer)
    for (let n = 0; n < 100; n++) log.write(`${'x'.repeat(999)}\n`)
    let total = 0
    await expect.poll(() => (total += readSoFar(read))).toBe(100_000)
    expect(log.dropped).toBe(0)
  })

  test('a pipe that nobody reads delays a flush and an exit only for a time', async () => {
    const { writer, close } = unreadPipe()
    onTestFinished(close)
    const log = logDestination(writer)
    for (let n = 0; n < 100; n++) log.write(`${'x'.repeat(999)}\n`)
    log.flushSync()
    await log.close()
    log.flushSync()
    expect(log.dropped).toBeGreaterThan(0)
  })
})

/** A pipe without data throws. */
function readSoFar(read: () => number): number {
  try {
    return read()
  } catch {
    return 0
  }
}

test('lines for a closed pipe are dropped and counted, and flushing them ends', async () => {
  const { reader, writer } = unreadPipe()
  closeSync(reader)
  onTestFinished(() => closeSync(writer))
  const log = logDestination(writer)
  log.write('one\n')
  log.flushSync()
  log.write('two\n')
  expect(await log.close()).toBe(true)
  expect(log.dropped).toBe(2)
})

function logged(err: unknown): unknown {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  pino({ serializers: { err: errorRecord } }, { write }).warn({ err }, 'failed')
  return JSON.parse(lines.join('')).err
}

describe('an error in the log', () => {
  test('an error in the log has the cause but no stack for a failure of a provider', () => {
    const cause = new Error('ECONNREFUSED')
    const error = new ProviderError('retry', 'rack: the connection failed', { cause, retryAfterMs: 7 })
    expect(logged(error)).toEqual({
      type: 'ProviderError',
      name: 'ProviderError',
      brokeOff: false,
      message: 'rack: the connection failed: ECONNREFUSED',
      failure: 'retry',
      retryAfterMs: 7,
      mayBill: false,
    })
  })

  test('an error in the log has its stack if it is a bug', () => {
    const err = new TypeError('x is undefined', { cause: new ProviderError('retry', 'down') })
    expect(logged(err)).toMatchObject({
      type: 'TypeError',
      message: 'x is undefined: down',
      stack: expect.stringContaining('logging.process.test.ts'),
    })
  })

  test('an error in the log can be any thrown value', () => {
    expect(logged('just words')).toBe('just words')
    expect(logged(undefined)).toBe(undefined)
  })
})
