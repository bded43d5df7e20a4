import { FairleadError } from '@fairlead/core'
import { testClock } from '@fairlead/testing'
import { breakableLink, createTestDatabase, findPostgres, freePort } from '@fairlead/storage/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError } from './config-error.ts'
import { runMain, temporaryFolder } from './testing/run-main.ts'
import { waitUntilAvailable } from './wait-until-available.ts'

const server = await findPostgres()

function outage(code: string): Error {
  const cause = Object.assign(new Error(`failed with ${code}`), { code })
  const known = new FairleadError('SERVICE_UNAVAILABLE', `PostgreSQL cannot be used: ${code}`, { cause })
  return new ConfigError(`DATABASE_URL names a database, which cannot be used: ${code}`, { cause: known })
}

/** Waits for a database that fails so many times. */
function waiting(failures: number, error: Error) {
  const clock = testClock()
  const lines: string[] = []
  const signal = new AbortController()
  let attempts = 0
  let waits = 0
  const open = async () => {
    if (++attempts <= failures) throw error
    return 'open'
  }
  const opened = waitUntilAvailable(open, {
    log: { warn: (_facts, message) => void lines.push(message) },
    signal: signal.signal,
    onWait: () => void waits++,
    clock,
  })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      clock.advance(250)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { opened, lines, signal, pass, attempts: () => attempts, waits: () => waits }
}

/** A port that was free a moment ago: the service says its own only once it has started. */
describe('waitUntilAvailable', () => {
  test.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', '57P03', '53300'])(
    'waitUntilAvailable tries again after %s, less and less often, and logs that at most every ten seconds',
    async (code) => {
      const { opened, lines, pass, attempts, waits } = waiting(8, outage(code))
      await pass(1_000)
      expect([attempts(), waits(), lines]).toEqual([3, 1, ['dependency unavailable, waiting for it']])
      await pass(29_000)
      expect(await opened).toBe('open')
      expect([attempts(), waits()]).toEqual([9, 1])
      expect(lines).toEqual([
        'dependency unavailable, waiting for it',
        'dependency unavailable, waiting for it',
        'dependency available, starting',
      ])
    },
  )

  test.each(['28P01', '28000', '3D000'])(
    'waitUntilAvailable rejects at once after %s, which does not pass by itself',
    async (code) => {
      const { opened, lines, waits } = waiting(1, outage(code))
      await expect(opened).rejects.toThrow(code)
      expect([waits(), lines]).toEqual([0, []])
    },
  )

  test('waitUntilAvailable rejects at once if the database needs something else', async () => {
    await expect(waiting(1, new ConfigError('move the data to a newer server')).opened).rejects.toThrow('newer server')
  })

  test('waitUntilAvailable ends when the start is canceled', async () => {
    const { opened, signal, pass } = waiting(100, outage('ECONNREFUSED'))
    await pass(250)
    signal.abort(new Error('interrupted'))
    await expect(opened).rejects.toThrow('interrupted')
  })
})

describe.skipIf(!server)('a service whose PostgreSQL is not there yet', () => {
  async function startEarly(environment: Readonly<Record<string, string>> = {}) {
    const database = await createTestDatabase(server!)
    onTestFinished(() => database.drop())
    const link = await breakableLink(database.url)
    onTestFinished(() => link.close())
    link.cut()
    const port = await freePort()
    const main = runMain({
      DATABASE_URL: link.url,
      FAIRLEAD_SECRET_KEY: 'k'.repeat(32),
      FAIRLEAD_DATA_DIR: temporaryFolder(),
      PORT: String(port),
      ...environment,
    })
    await expect.poll(() => main.output).toContain('dependency unavailable, waiting for it')
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    return { main, link, ask }
  }

  test('a service whose PostgreSQL is not there yet is alive and not ready, says why, and starts as soon as it is', async () => {
    const { main, link, ask } = await startEarly()
    expect((await ask('/healthz')).status).toBe(200)
    const ready = await ask('/readyz')
    const reason = 'The service is waiting for its storage.'
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready', reason }])
    const early = await ask('/models')
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await early.json()).toMatchObject({
      success: false,
      error: { code: 'SERVICE_UNAVAILABLE', message: reason },
    })
    link.restore()
    await main.url
    expect((await ask('/readyz')).status).toBe(200)
    await expect.poll(() => main.output).toContain('dependency available, starting')
  })

  test.each([{}, { FAIRLEAD_WORKERS: '2' }])(
    'a service whose PostgreSQL is not there yet ends with code 0 on SIGTERM meanwhile: %j',
    async (environment) => {
      const { main } = await startEarly(environment)
      main.signal('SIGTERM')
      expect(await main.end).toBe(0)
    },
  )

  test('a service whose PostgreSQL is not there yet ends with code 1 and the reason if the database does not exist', async () => {
    const database = await createTestDatabase(server!)
    await database.drop()
    const main = runMain({
      DATABASE_URL: database.url,
      FAIRLEAD_SECRET_KEY: 'k'.repeat(32),
      FAIRLEAD_DATA_DIR: temporaryFolder(),
    })
    expect(await main.end).toBe(1)
    expect(main.output).toMatch(/^Fairlead cannot start\.\nDATABASE_URL names a database, which cannot be used\./)
  })
})
