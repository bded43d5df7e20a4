import { FairleadError } from '@fairlead/core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'

const outage = () => new Error('outage')
const refused = { code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 }

function setUp() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const logged: string[] = []
  const server = { isAway: false, probes: 0 }
  const ask = () => (server.isAway ? Promise.reject(outage()) : Promise.resolve('answer'))
  const breaker = createCircuitBreaker({
    isOutage: (error) => error instanceof Error && /^(outage|silence)$/.test(error.message),
    isSilence: (error) => error instanceof Error && error.message === 'silence',
    probe() {
      server.probes += 1
      return ask()
    },
    probeIntervalMs: 1_000,
    log: { warn: (_facts, message) => void logged.push(message) },
  })
  onTestFinished(() => breaker.close())
  const fail = (message = 'outage') =>
    breaker.execute(() => Promise.reject(new Error(message))).catch((error: Error) => error.message)
  const openCircuit = async () => {
    server.isAway = true
    for (let n = 0; n < 3; n++) await fail()
  }
  return { breaker, server, logged, ask, fail, openCircuit }
}

describe('the circuit breaker of a database', () => {
  test('opens after three outages in a row, and then runs nothing', async () => {
    const { breaker, logged, openCircuit } = setUp()
    await openCircuit()
    const work = vi.fn<() => Promise<string>>(async () => 'done')
    await expect(breaker.execute(work)).rejects.toMatchObject(refused)
    expect(work).not.toHaveBeenCalled()
    expect(logged).toHaveLength(1)
  })

  test('opens after one statement that had no response', async () => {
    const { breaker, fail } = setUp()
    await fail('silence')
    await expect(breaker.execute(async () => 'done')).rejects.toMatchObject(refused)
  })

  test.each([
    ['a success', async () => 'done'],
    ['a statement that fails for a reason of its own', () => Promise.reject(new Error('duplicate key'))],
  ])('stays closed where %s comes between', async (_case, work) => {
    const { breaker, logged, fail } = setUp()
    await fail()
    await fail()
    await breaker.execute(work).catch(() => {})
    await fail()
    await fail()
    expect(await breaker.execute(async () => 'done')).toBe('done')
    expect(logged).toEqual([])
  })

  test('takes an error of this process neither for an outage nor for a response of the server', async () => {
    const { breaker, fail, logged } = setUp()
    const busy = () => breaker.execute(() => Promise.reject(new FairleadError('SERVICE_UNAVAILABLE', 'outage')))
    for (let n = 0; n < 5; n++) await busy().catch(() => {})
    expect(logged).toEqual([])
    await fail()
    await fail()
    await busy().catch(() => {})
    await fail()
    expect(logged).toHaveLength(1)
  })

  test('sends one probe at a time, and closes when one succeeds', async () => {
    const { breaker, server, logged, ask, openCircuit } = setUp()
    await openCircuit()
    await vi.advanceTimersByTimeAsync(3_500)
    expect(server.probes).toBe(3)
    expect(logged).toHaveLength(1)
    server.isAway = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await breaker.execute(ask)).toBe('answer')
    expect(logged).toEqual([expect.stringContaining('opened'), expect.stringContaining('closed')])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(server.probes).toBe(4)
  })

  test('ignores time-outs of work that began before the server was back', async () => {
    const { breaker, server, logged, openCircuit } = setUp()
    const frozen = Array.from({ length: 5 }, () => Promise.withResolvers<never>())
    const waiting = frozen.map(({ promise }) => breaker.execute(() => promise).catch(() => {}))
    await openCircuit()
    server.isAway = false
    await vi.advanceTimersByTimeAsync(1_000)
    for (const { reject } of frozen) reject(outage())
    await Promise.all(waiting)
    expect(await breaker.execute(async () => 'done')).toBe('done')
    expect(logged).toHaveLength(2)
  })

  test('sends no probe after it was closed', async () => {
    const { breaker, server, openCircuit } = setUp()
    await openCircuit()
    breaker.close()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(server.probes).toBe(0)
  })
})
