import { describe, expect, test } from 'vitest'
import { pipeline } from '../testing/pipeline.ts'
import { runMain } from '../testing/run-main.ts'

const slow = { timeout: 300_000 }
/** The attacks, with the least number of responses that they get. */
const attacks = [
  { connections: 20, requests: 20, path: '/openapi.json?download', answered: 400 },
  { connections: 20, requests: 20, path: '/openapi.yaml', answered: 400 },
  { connections: 20, requests: 20, path: '/docs/swagger-ui-bundle.js', answered: 400 },
  { connections: 20, requests: 20, path: '/models', answered: 400 },
  { connections: 1, requests: 270, path: '/openapi.json?download', answered: 0 },
  { connections: 1, requests: 3_300, path: '/openapi.json?download', answered: 0 },
  { connections: 50, requests: 3_300, path: '/', answered: 0 },
]
/** In `npm test`, other tests use the processor at the same time. */
const isFuzz = process.env['FUZZ_RUNS'] !== undefined
const maxHealthzMs = isFuzz ? 250 : 10_000

describe('requests that are pipelined without a key', () => {
  test.each(isFuzz ? attacks : attacks.slice(0, 1))(
    'leave time for /healthz: $connections connections of $requests requests for $path',
    slow,
    async ({ answered, ...attack }) => {
      // The default, which tests otherwise turn off.
      const server = runMain({ FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE: '600' })
      const outcome = await pipeline({ url: await server.url, ...attack })
      if (isFuzz) process.stdout.write(`${JSON.stringify({ ...attack, ...outcome })}\n`)
      expect(Object.values(outcome.statuses).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(answered)
      expect(outcome.healthzMs).toBeLessThan(maxHealthzMs)
    },
  )
})
