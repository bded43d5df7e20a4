import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testClock } from '@fairlead/testing'
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

describe('countFailure', () => {
  test('countFailure accepts 100 failures of a network and one more every nine seconds, regardless of successes', () => {
    const step = record({
      network: constantFrom('a', 'b'),
      succeeds: boolean(),
      passMs: integer({ min: 0, max: 2_000 }),
    })
    assert(
      property(array(step, { minLength: 200, maxLength: 400 }), (steps) => {
        const clock = testClock()
        const { countFailure } = createAttemptLimits(clock)
        const begun = clock.now()
        const failures = new Map<string, number>()
        const violations: string[] = []
        for (const { network, succeeds, passMs } of steps) {
          clock.advance(passMs)
          const recovered = (clock.now() - begun) / intervalMs
          const failed = failures.get(network) ?? 0
          let takeBack = () => {}
          const passed = passes(() => (takeBack = countFailure(network)))
          // Fewer than 100 failures always pass; failures beyond 100 and those recovered never do.
          if (failed < 100 && !passed) violations.push(`rejected after ${failed} failures`)
          if (failed >= 100 + recovered && passed) violations.push(`passed after ${failed} failures`)
          if (passed && succeeds) takeBack()
          else if (passed) failures.set(network, failed + 1)
        }
        expect(violations).toEqual([])
      }),
    )
  })

  test('countFailure ignores failures recorded before the clock was set back', () => {
    const clock = testClock()
    const { countFailure } = createAttemptLimits(clock)
    const now = clock.now()
    clock.jumpTo(now + 400 * day)
    for (let n = 0; n < 100; n++) countFailure('a')
    clock.jumpTo(now)
    expect(passes(() => countFailure('a'))).toBe(true)
  })

  test('countFailure keeps the failures of the 10,000 networks that failed last', () => {
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

describe('unlessRejected', () => {
  const rejected = () => Promise.reject(tooManyAttempts('Too many.', 60_000))

  test('unlessRejected repeats a rejection without running the work until retryAfterMs has passed', async () => {
    const clock = testClock()
    const { unlessRejected } = createAttemptLimits(clock)
    await expect(unlessRejected('a', rejected)).rejects.toMatchObject({ retryAfterMs: 60_000 })
    clock.advance(20_000)
    const again = unlessRejected('a', async () => 'worked')
    await expect(again).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'Too many.',
      retryAfterMs: 40_000,
    })
    expect(await unlessRejected('b', async () => 'worked')).toBe('worked')
    clock.advance(40_000)
    expect(await unlessRejected('a', async () => 'worked')).toBe('worked')
  })

  test('unlessRejected discards a rejection when the clock is set back', async () => {
    const clock = testClock()
    const { unlessRejected } = createAttemptLimits(clock)
    const now = clock.now()
    clock.jumpTo(now + 400 * day)
    await expect(unlessRejected('a', rejected)).rejects.toThrow('Too many.')
    clock.jumpTo(now)
    expect(await unlessRejected('a', async () => 'worked')).toBe('worked')
  })

  test('unlessRejected does not cache other errors', async () => {
    const { unlessRejected } = createAttemptLimits(testClock())
    await expect(unlessRejected('a', () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
    expect(await unlessRejected('a', async () => 'worked')).toBe('worked')
  })
})
