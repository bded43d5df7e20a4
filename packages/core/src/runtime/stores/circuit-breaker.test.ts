import { describe, expect, test, vi } from 'vitest'
import { testClock } from '@fairlead/testing'
import { CircuitBreaker, type ServerFailure } from './circuit-breaker.ts'

const intervalMs = 1_000
const refused = { code: 'SERVICE_UNAVAILABLE', message: 'The server is not available right now.', retryAfterMs: 1_000 }
const done = async () => 'done'

function setUp() {
  const clock = testClock()
  const changes: string[] = []
  const server = { isAway: false, probes: 0 }
  const ask = async () => {
    if (server.isAway) throw new Error('lost')
    return 'answer'
  }
  const breaker = new CircuitBreaker({
    name: 'The server',
    clock,
    maxFailures: 3,
    classify: (error) => (error as Error).message as ServerFailure,
    probe() {
      server.probes += 1
      return ask()
    },
    probeIntervalMs: intervalMs,
    onOpen: (error) => void changes.push(`opened: ${(error as Error).message}`),
    onClose: () => void changes.push('closed'),
  })
  const fail = (failure: ServerFailure) =>
    breaker.execute(() => Promise.reject(new Error(failure))).catch((error: Error) => error.message)
  const openCircuit = async () => {
    server.isAway = true
    for (let n = 0; n < 3; n++) await fail('lost')
  }
  /** Lets the time of a probe pass, and the probe settle. */
  const probe = async () => {
    clock.advance(intervalMs)
    await new Promise(setImmediate)
  }
  return { breaker, server, changes, ask, fail, openCircuit, probe }
}

describe('CircuitBreaker', () => {
  test('CircuitBreaker opens after several failures in a row, and then runs nothing', async () => {
    const { breaker, changes, openCircuit } = setUp()
    await openCircuit()
    const work = vi.fn<() => Promise<string>>(done)
    await expect(breaker.execute(work)).rejects.toMatchObject(refused)
    expect(work).not.toHaveBeenCalled()
    expect(changes).toEqual(['opened: lost'])
  })

  test('CircuitBreaker opens after one command that had no response', async () => {
    const { breaker, fail } = setUp()
    await fail('silent')
    await expect(breaker.execute(done)).rejects.toMatchObject(refused)
  })

  test.each<[string, ServerFailure | undefined]>([
    ['a success', undefined],
    ['a command that fails for a reason of its own', 'answered'],
  ])('CircuitBreaker stays closed if %s comes between', async (_case, failure) => {
    const { breaker, changes, fail } = setUp()
    await fail('lost')
    await fail('lost')
    await (failure ? fail(failure) : breaker.execute(done))
    await fail('lost')
    await fail('lost')
    expect(await breaker.execute(done)).toBe('done')
    expect(changes).toEqual([])
  })

  test('CircuitBreaker takes an error of this process neither for an outage nor for an answer of the server', async () => {
    const { fail, changes } = setUp()
    for (let n = 0; n < 5; n++) await fail('local')
    expect(changes).toEqual([])
    await fail('lost')
    await fail('lost')
    await fail('local')
    await fail('lost')
    expect(changes).toHaveLength(1)
  })

  test('CircuitBreaker counts an error that fails all calls of a batch once', async () => {
    const { breaker, changes } = setUp()
    const error = new Error('lost')
    for (let n = 0; n < 5; n++) await breaker.execute(() => Promise.reject(error)).catch(() => {})
    expect(changes).toEqual([])
  })

  test('CircuitBreaker sends one probe at a time, none of them a request, and closes when one succeeds', async () => {
    const { breaker, server, changes, ask, openCircuit, probe } = setUp()
    await openCircuit()
    for (let n = 0; n < 3; n++) await probe()
    expect(server.probes).toBe(3)
    expect(changes).toHaveLength(1)
    server.isAway = false
    await expect(breaker.execute(ask)).rejects.toMatchObject(refused)
    await probe()
    expect(await breaker.execute(ask)).toBe('answer')
    expect(changes).toEqual(['opened: lost', 'closed'])
    for (let n = 0; n < 3; n++) await probe()
    expect(server.probes).toBe(4)
  })

  test('CircuitBreaker ignores time-outs of work that began before the server was back', async () => {
    const { breaker, server, changes, openCircuit, probe } = setUp()
    const frozen = Array.from({ length: 5 }, () => Promise.withResolvers<never>())
    const waiting = frozen.map(({ promise }) => breaker.execute(() => promise).catch(() => {}))
    await openCircuit()
    server.isAway = false
    await probe()
    for (const { reject } of frozen) reject(new Error('lost'))
    await Promise.all(waiting)
    expect(await breaker.execute(done)).toBe('done')
    expect(changes).toHaveLength(2)
  })

  test('CircuitBreaker sends no probe after it was stopped', async () => {
    const { breaker, server, openCircuit, probe } = setUp()
    await openCircuit()
    breaker.stop()
    await probe()
    expect(server.probes).toBe(0)
  })
})
