import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ConnectionSharesOptions, createConnectionShares } from './connection-shares.ts'

const busy = { code: 'SERVICE_UNAVAILABLE', message: 'The database is too busy right now.', retryAfterMs: 1_000 }

function setUp(options: Partial<ConnectionSharesOptions> = {}) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const logged: unknown[] = []
  const log = { warn: (facts: object) => void logged.push(facts) }
  const shares = createConnectionShares({ size: 10, timeoutMs: 2_000, maxWaiting: 100, log, ...options })
  const given: string[] = []
  const acquire = (account: string | undefined) =>
    shares
      .runAs(account, () => shares.acquire())
      .then(
        (holder) => void given.push(holder ?? 'service'),
        (error: unknown) => error,
      )
  const flood = (account: string | undefined, count: number) => Array.from({ length: count }, () => acquire(account))
  const settled = () => vi.advanceTimersByTimeAsync(0)
  return { shares, given, logged, acquire, flood, settled }
}

describe('the connections of a pool', () => {
  test('the connections of a pool are held by one account up to half of them', async () => {
    const { given, acquire, flood, settled } = setUp()
    flood('hostile', 100)
    await settled()
    expect(given).toEqual(Array(5).fill('hostile'))
    await acquire('other')
    await acquire(undefined)
    expect(given.slice(5)).toEqual(['other', 'service'])
  })

  test('the connections of a pool can all be held by the service itself', async () => {
    const { given, flood, settled } = setUp()
    flood(undefined, 12)
    await settled()
    expect(given).toHaveLength(10)
  })

  test('the connections of a pool go to the account with the fewest of them', async () => {
    const { shares, given, flood, settled } = setUp({ size: 4 })
    for (const account of ['a', 'b', 'c']) flood(account, 9)
    flood('late', 1)
    await settled()
    const before = given.length
    shares.release('a')
    await settled()
    expect(given.slice(before)).toEqual(['late'])
  })
})

describe('a call that gets no connection', () => {
  test('a call that gets no connection is rejected as too busy after the timeout, and logged once in ten seconds', async () => {
    const { acquire, flood, logged, settled } = setUp({ size: 2 })
    flood(undefined, 2)
    await settled()
    const waiting = [acquire('a'), acquire('b')]
    await vi.advanceTimersByTimeAsync(2_000)
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject(busy)
    expect(logged).toEqual([{ inUse: 2, waiting: 1 }])
  })

  test('a call that gets no connection loses its place to an account with fewer waiting calls', async () => {
    const { flood, acquire, settled } = setUp({ size: 2, maxWaiting: 3 })
    flood(undefined, 2)
    const hostile = flood('hostile', 3)
    await settled()
    void acquire('other')
    expect(await hostile[2]).toMatchObject(busy)
  })
})
