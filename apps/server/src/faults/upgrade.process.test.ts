import { findRedis } from '@fairlead/cache/testing'
import { findPostgres } from '@fairlead/storage/testing'
import { describe, expect, test } from 'vitest'
import {
  type Cluster,
  generate,
  jsonRequest,
  keepDoing,
  openReceiver,
  shipment,
  startCluster,
} from '../testing/cluster.ts'
import { findPreviousVersion, installVersion } from '../testing/previous-version.ts'
import type { MainProcess } from '../testing/run-main.ts'

const server = await findPostgres()
const version = findPreviousVersion()
const canRun = server !== undefined && version !== undefined && findRedis()
/** `npm run fuzz` upgrades three nodes, and rolls one back; `npm test` upgrades one of two. */
const isFuzz = process.env['FUZZ_RUNS'] !== undefined
const { size, lanes, change } = isFuzz
  ? { size: 3, lanes: 4, change: 'each is upgraded from the version before, and one is rolled back' }
  : { size: 2, lanes: 1, change: 'one is upgraded from the version before' }

interface Reply {
  readonly status: number
  readonly isReplayed: boolean
  readonly data: { readonly id: string; readonly secret: string; readonly access_token: string }
}

/** Sends a request to one node, or through the load balancer. */
async function post(url: string, token: string, body: object, idempotencyKey?: string): Promise<Reply> {
  const reply = await fetch(url, jsonRequest(token, body, idempotencyKey))
  const { data } = (await reply.json()) as Pick<Reply, 'data'>
  return {
    status: reply.status,
    isReplayed: reply.headers.get('idempotent-replayed') === 'true',
    data,
  }
}

/** Adds a user with an API key over REST, so that the version of the nodes writes them. */
async function addKey(cluster: Cluster, quotaLimit: number): Promise<{ readonly id: string; readonly token: string }> {
  const [admin = ''] = /fl_\w+/.exec(cluster.nodes[0]!.firstLogin) ?? []
  const login = { email: `limit-${quotaLimit}@example.com`, password: 'correct horse battery' }
  const user = { ...login, name: 'Ada', tier: 'enterprise', quota_limit: quotaLimit }
  expect(await post(`${cluster.url}/users`, admin, user)).toMatchObject({ status: 201 })
  const scopes = ['generate', 'shipments', 'webhooks']
  const session = await post(`${cluster.url}/auth/login`, '', login)
  const created = await post(`${cluster.url}/api-keys`, session.data.access_token, { name: 'test', scopes })
  return { id: created.data.id, token: created.data.secret }
}

describe.skipIf(!canRun)('nodes on PostgreSQL and Redis', () => {
  test(`nodes on PostgreSQL and Redis answer every request while ${change}`, async () => {
    const before = await installVersion(version!)
    const cluster = await startCluster(server!, { program: before, size })
    const { id, token } = await addKey(cluster, 1_000_000)
    const limited = await addKey(cluster, 100)
    const receiver = await openReceiver()
    const webhook = { url: receiver.url, events: ['shipment.created'] }
    expect(await cluster.post('/webhooks', token, webhook)).toBe(201)

    const once = async (node: MainProcess, prompt: string) =>
      post(`${await node.url}/generate`, token, { model: 'upstream/echo', prompt }, prompt)
    const roll = async () => {
      const [first, second, third] = cluster.nodes
      await once(first!, 'written-before')
      // The new version migrates the database while the others serve.
      const upgraded = await cluster.restart(first!)
      expect(await once(upgraded, 'written-before')).toMatchObject({ status: 200, isReplayed: true })
      await once(upgraded, 'written-after')
      expect(await once(second!, 'written-after')).toMatchObject({ status: 200, isReplayed: true })
      const calls = Array.from({ length: 150 }, () => generate(cluster, limited.token, 'limited'))
      const granted = (await Promise.all(calls)).filter((status) => status === 200)
      expect(granted).toHaveLength(100)
      if (!isFuzz) return
      await cluster.restart(second!)
      await cluster.restart(third!)
      const rolledBack = await cluster.restart(upgraded, before)
      expect(await once(rolledBack, 'written-after')).toMatchObject({ status: 200, isReplayed: true })
    }
    let created = 0
    let turn = 0
    const work = async () => {
      if (turn++ % 2 === 0) return `generate ${await generate(cluster, token, 'hi')}`
      return `create ${await cluster.post('/shipments', token, shipment(`order-${++created}`))}`
    }
    const counts = await keepDoing(lanes, work, roll())

    expect(counts).toEqual({ 'generate 200': expect.any(Number), 'create 201': created })
    const [{ used } = { used: 0 }] = await cluster.query<{ used: number }>(
      `select sum(used)::int as used from counters where counter = '${id}'`,
    )
    const prompts = counts['generate 200']! + 2
    expect(used).toBe(prompts + created)
    expect(cluster.prompts).toHaveLength(prompts + 100)
    const events = await cluster.query<{ id: string }>("select id from events where type = 'shipment.created'")
    expect(events).toHaveLength(created)
    await expect.poll(() => events.filter((event) => !receiver.ids.has(event.id))).toEqual([])
  })
})
