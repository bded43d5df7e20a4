import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ProviderError, type Provider } from '../../provider.ts'
import { scripted, type TestClock, testCore, whileTimePasses } from '@fairlead/testing'

const requests = 10_000
const concurrency = 100

/** A deterministic random number generator (linear congruential, 32 bits). */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

interface Upstream extends Provider {
  readonly counts: { calls: number; failures: number; late: number }
}

/** Responds after up to 55 ms, and fails a share of its calls. */
function upstream(id: string, clock: () => TestClock, random: () => number, failing: number): Upstream {
  const provider = scripted(id, 'hello')
  const counts = { calls: 0, failures: 0, late: 0 }
  return {
    ...provider,
    counts,
    async generateText(request, call) {
      counts.calls++
      await new Promise<void>((resolve) => void clock().schedule(5 + random() * 50, resolve))
      if (clock().now() > (call.deadline ?? Infinity)) counts.late++
      if (random() >= failing) return provider.generateText!(request, call)
      counts.failures++
      throw new ProviderError('retry', '503')
    },
  }
}

async function simulate(seed: number, circuit: { readonly failures: number }) {
  const random = seeded(seed)
  let clock: TestClock | undefined
  const at = () => clock!
  const shaky = upstream('shaky', at, random, 0.5)
  const healthy = upstream('healthy', at, random, 0)
  const { fairlead, clock: testClock } = await testCore({
    providers: [shaky, healthy],
    routes: { smart: { targets: ['shaky/any', 'healthy/any'] } },
    retries: {},
    circuit,
    random,
  })
  clock = testClock
  let answered = 0
  let remaining = requests
  const client = async () => {
    while (remaining-- > 0) {
      const { content } = await fairlead.generate({ model: 'smart', prompt: 'x' })
      if (content === 'hello') answered++
    }
  }
  await whileTimePasses(testClock, Promise.all(Array.from({ length: concurrency }, client)))
  return { answered, shaky: shaky.counts, healthy: healthy.counts }
}

describe('two targets, the first of which fails half of its calls', () => {
  test.each([
    ['with a circuit breaker', 5, 20],
    ['without a circuit breaker', 1_000_000, 4_000],
  ])('%s, every request succeeds in time, and retries stay within their budget', async (...row) => {
    const [, failures, minFailures] = row
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const { answered, shaky, healthy } = await simulate(seed, { failures })
        expect(answered).toBe(requests)
        expect(shaky.late + healthy.late).toBe(0)
        expect(shaky.failures).toBeGreaterThanOrEqual(minFailures)
        expect(shaky.calls + healthy.calls).toBeLessThanOrEqual(requests * 1.1 + shaky.failures)
        // Calls to the first target beyond the number of requests are retries.
        expect(shaky.calls).toBeLessThanOrEqual(requests * 1.1 + 10)
      }),
      { numRuns: 2, seed: 1 },
    )
  })
})
