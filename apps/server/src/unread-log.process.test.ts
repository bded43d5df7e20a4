import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compileCache, temporaryFolder } from './testing/run-main.ts'

const main = join(import.meta.dirname, 'main.ts')

/** Starts the service with a pipe to a reader, which is a separate process, as in `npm start | reader`. */
async function startInto(environment: Readonly<Record<string, string>> = {}) {
  const reader = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] })
  const server = spawn(process.execPath, ['--conditions=@fairlead/source', main], {
    cwd: temporaryFolder(),
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCache,
      PORT: '0',
      FAIRLEAD_PROVIDERS: 'local',
      FAIRLEAD_CONFIG: join(import.meta.dirname, 'testing/cold-models.config.ts'),
      FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
      LOG_LEVEL: 'trace',
      ...environment,
    },
    stdio: ['ignore', reader.stdin, reader.stdin],
  })
  // The service alone holds the pipe.
  reader.stdin.destroy()
  const ended = once(server, 'exit').then(([code, signal]) => code ?? signal)
  onTestFinished(() => {
    server.kill('SIGKILL')
    reader.kill('SIGKILL')
  })
  let output = ''
  reader.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await expect.poll(() => output).toContain(' listens on ')
  const [, url = ''] = / listens on ([^\s,]+),/.exec(output) ?? []
  return { server, reader, url, ended }
}

/** More lines than a pipe holds, whose lines are about 200 bytes. */
async function fillLog(url: string): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${url}/nowhere`)).text()))
  }
}

/** Each case starts the service. */
const cases = process.env['FUZZ_RUNS'] === undefined ? ['1'] : ['1', '2']

describe.each(cases.map((workers) => ({ workers })))('with FAIRLEAD_WORKERS=$workers', ({ workers }) => {
  test.concurrent('the service answers and exits after the reader of its output has ended', async () => {
    const { server, reader, url, ended } = await startInto({ FAIRLEAD_WORKERS: workers })
    reader.kill('SIGKILL')
    await once(reader, 'exit')
    await fillLog(url)
    server.kill('SIGTERM')
    expect(await Promise.race([ended, sleep(60_000, 'still running', { ref: false })])).toBe(0)
  })

  test.concurrent('the service answers and exits while the reader of its output is stopped', async () => {
    const { server, reader, url, ended } = await startInto({ FAIRLEAD_WORKERS: workers })
    reader.kill('SIGSTOP')
    await fillLog(url)
    // Until the port is closed.
    const load = (async () => {
      for (;;) await (await fetch(`${url}/healthz`)).text()
    })().catch(() => {})
    server.kill('SIGTERM')
    expect(await Promise.race([ended, sleep(60_000, 'still running', { ref: false })])).toBe(0)
    await load
  })
})
