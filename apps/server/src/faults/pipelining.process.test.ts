import { describe, expect, test } from 'vitest'
import { pipeline, type PipelineAttack, type PipelineOutcome } from '../testing/pipeline.ts'
import { runMain } from '../testing/run-main.ts'

type Attack = Omit<PipelineAttack, 'url'>

/** Only `npm run fuzz` limits the time: in `npm test`, other tests use the processor meanwhile. */
const isFuzz = process.env['FUZZ_RUNS'] !== undefined
const maxHealthzMs = isFuzz ? 250 : Infinity
const maxAttempts = isFuzz ? 3 : 1
const slow = { timeout: 300_000 }

/** Each request is answered: none of the connections has more than 50 waiting. The first request finds nothing prepared. */
const answered = [
  { connections: 20, requests: 20, path: '/openapi.json?download', status: '200' },
  { connections: 20, requests: 20, path: '/openapi.yaml', status: '200' },
  { connections: 20, requests: 20, path: '/docs/swagger-ui-bundle.js', status: '200' },
  { connections: 20, requests: 20, path: '/models', status: '401' },
]
/** The connections are closed, at most one response having been sent on each. */
const closed = [
  { connections: 1, requests: 270, path: '/openapi.json?download' },
  { connections: 1, requests: 3_300, path: '/openapi.json?download' },
  { connections: 50, requests: 3_300, path: '/' },
]
/**
 * Far more than the limit of 600 requests. Node reads all connections that have data in one turn of the event loop, 1.3 ms
 * for each of 50 requests: a proxy has to limit the connections of a client.
 */
const tooMany = [
  { connections: 50, requests: 50, path: '/models', maxMs: maxHealthzMs },
  { connections: 500, requests: 50, path: '/models', maxMs: 2_000 },
]

/** Attacks a fresh service, with the default limit of anonymous requests. */
async function attackOnce(attack: Attack): Promise<PipelineOutcome> {
  const server = runMain({ FAIRLEAD_ANONYMOUS_REQUESTS_PER_MINUTE: '600' })
  const outcome = await pipeline({ url: await server.url, ...attack })
  server.signal('SIGKILL')
  await server.end
  if (isFuzz) process.stdout.write(`${JSON.stringify({ ...attack, ...outcome })}\n`)
  return outcome
}

/** The outcome with the quickest `/healthz` of a few: another program may have used the processor. */
async function startAttack(attack: Attack, maxMs = maxHealthzMs): Promise<PipelineOutcome> {
  let best = await attackOnce(attack)
  for (let attempt = 1; attempt < maxAttempts && best.healthzMs >= maxMs; attempt++) {
    const next = await attackOnce(attack)
    if (next.healthzMs < best.healthzMs) best = next
  }
  return best
}

describe('/healthz is answered during pipelined requests without a key:', () => {
  test.each(isFuzz ? answered : answered.slice(0, 1))(
    '/healthz is answered during $connections connections of $requests requests for $path, all answered with $status',
    slow,
    async ({ status, ...attack }) => {
      const { statuses, healthzMs } = await startAttack(attack)
      expect(statuses).toEqual({ [status]: attack.connections * attack.requests })
      expect(healthzMs).toBeLessThan(maxHealthzMs)
    },
  )

  test.runIf(isFuzz).each(closed)(
    '/healthz is answered during $connections connections of $requests requests for $path, all closed',
    slow,
    async (attack) => {
      const { statuses, healthzMs } = await startAttack(attack)
      expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(attack.connections)
      expect(healthzMs).toBeLessThan(maxHealthzMs)
    },
  )
})

describe('requests over the limit for a network are answered with 429:', () => {
  test.runIf(isFuzz).each(tooMany)(
    'requests over the limit are answered with 429 on $connections connections of $requests requests, and /healthz within $maxMs ms',
    slow,
    async ({ maxMs, ...attack }) => {
      const { statuses, healthzMs } = await startAttack(attack, maxMs)
      expect(statuses).toEqual({ 401: expect.any(Number), 429: expect.any(Number) })
      expect(statuses['429']).toBeGreaterThan(1_000)
      expect(healthzMs).toBeLessThan(maxMs)
    },
  )
})
