import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testClock } from '../testing/test-clock.ts'
import { createAttemptLimits, tooManyAttempts } from './attempt-limits.ts'

const day = 86_400_000
const intervalMs = 9_000

function passes(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

describe('the limit of a network', () => {
  test('lets through a hundred failures and one more every nine seconds, whatever succeeds beside them', () => {
    const step = record({
      network: constantFrom('a', 'b'),
      isRight: boolean(),
      passMs: integer({ min: 0, max: 2_000 }),
    })
    assert(
      property(array(step, { minLength: 200, maxLength: 400 }), (steps) => {
        const clock = testClock()
        const { countFailure } = createAttemptLimits(clock)
        const begun = clock.now()
        const failures = new Map<string, number>()
        const faults: string[] = []
        for (const { network, isRight, passMs } of steps) {
          clock.advance(passMs)
          const recovered = (clock.now() - begun) / intervalMs
          const failed = failures.get(network) ?? 0
          let takeBack = () => {}
          const passed = passes(() => (takeBack = countFailure(network)))
          // Who failed less than a hundred times is let through; more than that and what recovered is not.
          if (failed < 100 && !passed) faults.push(`refused after ${failed} failures`)
          if (failed >= 100 + recovered && passed) faults.push(`passed after ${failed} failures`)
          if (passed && isRight) takeBack()
          else if (passed) failures.set(network, failed + 1)
        }
        expect(faults).toEqual([])
      }),
    )
  })

  test('does not outlast a clock that was set back', () => {
    const clock = testClock()
    const { countFailure } = createAttemptLimits(clock)
    const now = clock.now()
    clock.jumpTo(now + 400 * day)
    for (let n = 0; n < 100; n++) countFailure('a')
    clock.jumpTo(now)
    expect(passes(() => countFailure('a'))).toBe(true)
  })

  test('is remembered for ten thousand networks, those that failed last', () => {
    const { countFailure } = createAttemptLimits(testClock())
    const exhaust = (network: string) => {
      for (let n = 0; n < 100; n++) countFailure(network)
    }
    exhaust('first')
    exhaust('second')
    for (let n = 0; n < 9_999; n++) countFailure(`network ${n}`)
    expect([passes(() => countFailure('second')), passes(() => countFailure('first'))]).toEqual([false, true])
  })
})

describe('a refusal of the store', () => {
  const refused = () => Promise.reject(tooManyAttempts('Too many.', 60_000))

  test('is repeated without the work until it ends', async () => {
    const clock = testClock()
    const { unlessRefused } = createAttemptLimits(clock)
    await expect(unlessRefused('a', refused)).rejects.toMatchObject({ retryAfterMs: 60_000 })
    clock.advance(20_000)
    const again = unlessRefused('a', async () => 'worked')
    await expect(again).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'Too many.',
      retryAfterMs: 40_000,
    })
    expect(await unlessRefused('b', async () => 'worked')).toBe('worked')
    clock.advance(40_000)
    expect(await unlessRefused('a', async () => 'worked')).toBe('worked')
  })

  test('is forgotten when the clock was set back', async () => {
    const clock = testClock()
    const { unlessRefused } = createAttemptLimits(clock)
    const now = clock.now()
    clock.jumpTo(now + 400 * day)
    await expect(unlessRefused('a', refused)).rejects.toThrow('Too many.')
    clock.jumpTo(now)
    expect(await unlessRefused('a', async () => 'worked')).toBe('worked')
  })

  test('of another kind is not remembered', async () => {
    const { unlessRefused } = createAttemptLimits(testClock())
    await expect(unlessRefused('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await unlessRefused('a', async () => 'worked')).toBe('worked')
  })
})
