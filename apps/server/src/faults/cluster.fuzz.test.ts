import { findRedis } from '@fairlead/cache/testing'
import { findPostgres } from '@fairlead/storage/testing'
import { describe, expect, test } from 'vitest'
import { generate, keepDoing, numbered, shipment, startCluster } from '../testing/cluster.ts'

const server = await findPostgres()
const canRun = server !== undefined && findRedis()

describe.skipIf(!canRun)('three nodes on PostgreSQL and Redis', () => {
  test('three nodes on PostgreSQL and Redis grant 500 of 1,500 concurrent calls within a quota of 500', async () => {
    const cluster = await startCluster(server!)
    const { token } = await cluster.addKey(500)
    const next = numbered('call')
    const statuses: Record<number, number> = {}
    const lane = async () => {
      for (let n = 0; n < 15; n++) {
        const status = await generate(cluster, token, next())
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: 100 }, lane))
    expect(statuses).toEqual({ 200: 500, 429: 1_000 })
    expect(cluster.prompts).toHaveLength(500)
  })

  test('three nodes on PostgreSQL and Redis answer every request while each is restarted', async () => {
    const cluster = await startCluster(server!)
    const { token } = await cluster.addKey(1_000_000)
    const restart = async () => {
      for (const node of cluster.nodes) await cluster.restart(node)
    }
    const statuses = await keepDoing(8, () => generate(cluster, token, 'hi'), restart())
    expect(Object.keys(statuses)).toEqual(['200'])
  })

  test('three nodes on PostgreSQL and Redis answer every request while each reads the configuration again', async () => {
    const cluster = await startCluster(server!)
    const { token } = await cluster.addKey(1_000_000)
    const greet = () => cluster.post('/generate', token, { model: 'greeter', prompt: 'hi' })
    expect(await greet()).toBe(400)
    const reload = async () => {
      cluster.configure({ routes: { greeter: { targets: ['upstream/echo'] } } })
      for (const node of cluster.nodes) node.signal('SIGHUP')
      await expect.poll(() => Promise.all(cluster.nodes.map(greet))).toEqual([200, 200, 200])
    }
    const statuses = await keepDoing(8, () => generate(cluster, token, 'hi'), reload())
    expect(Object.keys(statuses)).toEqual(['200'])
  })

  test('three nodes on PostgreSQL and Redis answer every call while Redis is frozen', async () => {
    const cluster = await startCluster(server!)
    const { token } = await cluster.addKey(1_000_000)
    expect(await generate(cluster, token, 'before')).toBe(200)
    cluster.redis.freeze()
    const during = await Promise.all(Array.from({ length: 100 }, () => generate(cluster, token, 'during')))
    cluster.redis.thaw()
    expect(new Set(during)).toEqual(new Set([200]))
  })

  test.each(['restarts', 'freezes'] as const)(
    'three nodes on PostgreSQL and Redis answer calls with 200 or 503 while PostgreSQL %s, and charge each 200 once',
    async (fault) => {
      const cluster = await startCluster(server!)
      const { token, keyId } = await cluster.addKey(1_000_000)
      const call = () => generate(cluster, token, 'hi')
      const fail = async () => {
        if (fault === 'restarts') cluster.database.cut()
        else cluster.database.freeze()
        await expect.poll(() => cluster.get('/readyz')).toBe(503)
        if (fault === 'restarts') cluster.database.restore()
        else cluster.database.thaw()
        await expect.poll(() => generate(cluster, token, 'after')).toBe(200)
      }
      const before = cluster.prompts.length
      const statuses = await keepDoing(8, call, fail())
      expect(Object.keys(statuses).filter((status) => !['200', '503'].includes(status))).toEqual([])
      const [{ used } = { used: 0 }] = await cluster.query<{ used: number }>(
        `select sum(used)::int as used from counters where counter = '${keyId}'`,
      )
      // A call that PostgreSQL charged before the connection broke got 503, and may have cost its unit.
      expect(used).toBeGreaterThanOrEqual(statuses['200']!)
      expect(cluster.prompts.length - before).toBeLessThanOrEqual(used)
    },
  )

  test('three nodes on PostgreSQL and Redis serve an account while another one floods them with writes', async () => {
    const cluster = await startCluster(server!)
    const [hostile, other] = [await cluster.addKey(1_000_000), await cluster.addKey(1_000_000)]
    const next = numbered('flood')
    const calls = async () => {
      const statuses: number[] = []
      while (statuses.length < 200) {
        const reference = `own ${statuses.length}`
        const asked =
          statuses.length % 2 === 0
            ? cluster.post('/shipments', other.token, shipment(reference))
            : generate(cluster, other.token, reference)
        statuses.push(await asked)
      }
      return statuses.filter((status) => status < 300)
    }
    const served = calls()
    await keepDoing(100, () => cluster.post('/shipments', hostile.token, shipment(next())), served)
    expect((await served).length).toBeGreaterThanOrEqual(198)
  })
})
