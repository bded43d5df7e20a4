import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ProviderError, type Provider } from '../../provider.ts'
import { scripted } from '../../testing/fake-providers.ts'
import type { TestClock } from '../../testing/test-clock.ts'
import { testCore } from '../../testing/test-core.ts'
import { whileTimePasses } from '../../testing/while-time-passes.ts'

const requests = 10_000
const atOnce = 100

/** The same numbers from 0 to 1 for the same seed (a linear congruential generator: Knuth's MMIX, in 32 bits). */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Upstream extends Provider {
  readonly tally: { calls: number; failures: number; late: number }
}

/** Takes a moment, and fails a share of its calls. */
function upstream(id: string, clock: () => TestClock, random: () => number, failing: number): Upstream {
  const provider = scripted(id, 'hello')
  const tally = { calls: 0, failures: 0, late: 0 }
  return {
    ...provider,
    tally,
    async generateText(request, call) {
      tally.calls++
      await new Promise<void>((resolve) => void clock().schedule(5 + random() * 50, resolve))
      if (clock().now() > call.deadline) tally.late++
      if (random() >= failing) return provider.generateText!(request, call)
      tally.failures++
      throw new ProviderError('retry', '503')
    },
  }
}

async function survive(seed: number, circuit: { readonly failures: number }) {
  const random = seeded(seed)
  let clock: TestClock | undefined
  const at = () => clock!
  const shaky = upstream('shaky', at, random, 0.5)
  const well = upstream('well', at, random, 0)
  const { core, clock: testClock } = await testCore({
    providers: [shaky, well],
    routes: { smart: { targets: ['shaky/any', 'well/any'] } },
    retries: {},
    circuit,
    random,
  })
  clock = testClock
  const startedAt = testClock.now()
  let answered = 0
  let left = requests
  const client = async () => {
    while (left-- > 0) {
      const { content } = await core.generate({ model: 'smart', prompt: 'x' })
      if (content === 'hello') answered++
    }
  }
  await whileTimePasses(testClock, Promise.all(Array.from({ length: atOnce }, client)))
  const seconds = (testClock.now() - startedAt) / 1_000
  return { answered, seconds, shaky: shaky.tally, well: well.tally }
}

describe('with two targets, of which the first answers 503 half the time', () => {
  test.each([
    ['which is left alone for it', 5, 20],
    ['which is asked nevertheless', 1_000_000, 4_000],
  ])('%s, every request succeeds in time, and the upstreams bear no storm', { timeout: 120_000 }, async (...row) => {
    const [, failures, fewest] = row
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const { answered, seconds, shaky, well } = await survive(seed, { failures })
        expect(answered).toBe(requests)
        expect(shaky.late + well.late).toBe(0)
        expect(shaky.failures).toBeGreaterThanOrEqual(fewest)
        expect(shaky.calls + well.calls).toBeLessThanOrEqual(requests * 1.1 + shaky.failures)
        // What a first target is asked more often than there are requests are retries: a tenth, and the budget's floor.
        expect(shaky.calls).toBeLessThanOrEqual(requests * 1.1 + 10 + seconds)
      }),
      { numRuns: 2, seed: 1 },
    )
  })
})
