import { findRedis } from '@fairlead/cache/testing'
import { findPostgres } from '@fairlead/storage/testing'
import { describe, expect, test } from 'vitest'
import { keepDoing, numbered, openReceiver, shipment, startCluster } from '../testing/cluster.ts'

const server = await findPostgres()
const canRun = server !== undefined && findRedis()
/** `npm run fuzz` kills two nodes after more requests than `npm test` sends. */
const isFuzz = process.env['FUZZ_RUNS'] !== undefined
const { kills, between, lanes } = isFuzz ? { kills: 2, between: 100, lanes: 8 } : { kills: 1, between: 10, lanes: 2 }

describe.skipIf(!canRun)('three nodes on PostgreSQL and Redis', () => {
  test('three nodes on PostgreSQL and Redis have one effect per Idempotency-Key and deliver every event while nodes are killed', async () => {
    const cluster = await startCluster(server!)
    const { token } = await cluster.addKey(1_000_000)
    const receiver = await openReceiver()
    const created = await cluster.post('/webhooks', token, { url: receiver.url, events: ['shipment.created'] })
    expect(created).toBe(201)
    const next = numbered('order')
    const sent = new Set<string>()

    const kill = async () => {
      for (const node of cluster.nodes.slice(0, kills)) {
        await expect.poll(() => sent.size).toBeGreaterThan(between)
        sent.clear()
        node.signal('SIGKILL')
        await cluster.replace(node)
      }
    }
    // A client repeats a request until it knows the outcome.
    const create = async () => {
      const reference = next()
      for (;;) {
        const status = await cluster.post('/shipments', token, shipment(reference), reference).catch(() => 'cut off')
        if (status === 201) {
          sent.add(reference)
          return 'created'
        }
        // A node may be killed while it responds.
        expect(['cut off', 409, 502, 503]).toContain(status)
      }
    }
    const { created: count } = await keepDoing(lanes, create, kill())

    const references = await cluster.query<{ count: number; different: number }>(
      'select count(*)::int as count, count(distinct reference)::int as different from shipments',
    )
    expect(references).toEqual([{ count, different: count }])
    const events = await cluster.query<{ id: string }>("select id from events where type = 'shipment.created'")
    expect(events).toHaveLength(count!)
    await expect.poll(() => events.filter(({ id }) => !receiver.ids.has(id))).toEqual([])
  })
})
