import { findRedis } from '@fairlead/cache/testing'
import { findPostgres } from '@fairlead/storage/testing'
import { describe, expect, test } from 'vitest'
import {
  type Cluster,
  clusterKey,
  generate,
  jsonRequest,
  keepDoing,
  numbered,
  openReceiver,
  shipment,
  startCluster,
} from '../testing/cluster.ts'
import type { MainProcess } from '../testing/run-main.ts'

const server = await findPostgres()
const canRun = server !== undefined && findRedis()
/**
 * `npm run fuzz` rotates the key of three nodes to the end; `npm test` rotates the key of two, until both use the new
 * one.
 */
const isFuzz = process.env['FUZZ_RUNS'] !== undefined
const { size, lanes } = isFuzz ? { size: 3, lanes: 4 } : { size: 2, lanes: 1 }

const newKey = 'n'.repeat(32)
const phases = [
  { FAIRLEAD_SECRET_KEY: clusterKey },
  { FAIRLEAD_SECRET_KEY: clusterKey, FAIRLEAD_SECRET_KEY_PREVIOUS: newKey },
  { FAIRLEAD_SECRET_KEY: newKey, FAIRLEAD_SECRET_KEY_PREVIOUS: clusterKey },
  { FAIRLEAD_SECRET_KEY: newKey },
]

interface Reply {
  readonly status: number
  readonly isReplayed: boolean
  readonly data?: { readonly id: string; readonly access_token: string; readonly refresh_token: string }
}

/** Sends a request to one node, or through the load balancer. */
async function post(url: string, token: string, body: object, idempotencyKey?: string): Promise<Reply> {
  const reply = await fetch(url, jsonRequest(token, body, idempotencyKey))
  const isReplayed = reply.headers.get('idempotent-replayed') === 'true'
  // The load balancer answers without a body if it has no node.
  const text = await reply.text()
  return { status: reply.status, isReplayed, ...(text && (JSON.parse(text) as Pick<Reply, 'data'>)) }
}

/** Begins as many sessions as there are lanes. Returns how to refresh the one that was refreshed the longest ago. */
async function beginSessions(cluster: Cluster) {
  const [admin = ''] = /fl_\w+/.exec(cluster.nodes[0]!.firstLogin) ?? []
  const login = { email: 'ada@example.com', password: 'correct horse battery' }
  expect(await post(`${cluster.url}/users`, admin, { ...login, name: 'Ada' })).toMatchObject({ status: 201 })
  const begin = () => post(`${cluster.url}/auth/login`, '', login)
  const sessions = await Promise.all(Array.from({ length: lanes }, begin))
  const tokens = sessions.map(({ data }) => data!.refresh_token)
  return async (): Promise<number> => {
    const token = tokens.shift()!
    const { status, data } = await post(`${cluster.url}/auth/refresh`, '', { refresh_token: token })
    tokens.push(data?.refresh_token ?? token)
    return status
  }
}

/** How many deliveries are in each state. */
const deliveriesOf = (cluster: Cluster) =>
  cluster.query<{ status: string; tries: number; count: number }>(
    'select status, tries, count(*)::int as count from deliveries group by status, tries',
  )

describe.skipIf(!canRun)('nodes whose secret key rotates', () => {
  test('nodes whose secret key rotates in two phases answer every request, refresh every session, and deliver every event', async () => {
    const cluster = await startCluster(server!, { size })
    const { token } = await cluster.addKey(1_000_000)
    const receiver = await openReceiver()
    const refresh = await beginSessions(cluster)
    const nodes = [...cluster.nodes]

    let webhooks = 0
    const addWebhook = async (node: MainProcess) => {
      const webhook = { url: `${receiver.url}${++webhooks}`, events: ['shipment.created'] }
      expect(await post(`${await node.url}/webhooks`, token, webhook)).toMatchObject({ status: 201 })
    }
    const prompts = numbered('prompt')
    /** The outcome of one node is replayed by another one. */
    const replay = async (first: MainProcess, second: MainProcess) => {
      const prompt = prompts()
      const ask = async (node: MainProcess) =>
        post(`${await node.url}/generate`, token, { model: 'upstream/echo', prompt }, prompt)
      expect(await ask(first)).toMatchObject({ status: 200, isReplayed: false })
      expect(await ask(second)).toMatchObject({ status: 200, isReplayed: true })
    }
    const restart = async (index: number, variables: Readonly<Record<string, string>>) => {
      cluster.setVariables(variables)
      nodes[index] = await cluster.restart(nodes[index]!)
    }
    let replayed = 0
    const rotate = async () => {
      for (const [index, phase] of (isFuzz ? phases : phases.slice(0, 3)).entries()) {
        const before = phases[index - 1]
        if (!before) continue
        await restart(0, phase)
        const [first, last] = [nodes[0]!, nodes.at(-1)!]
        await addWebhook(first)
        await addWebhook(last)
        await replay(first, last)
        await replay(last, first)
        replayed += 2
        if (isFuzz || before === phases[1]) {
          // A node that this phase has not reached can still start again.
          await restart(size - 1, before)
          await replay(nodes[0]!, nodes.at(-1)!)
          replayed++
        }
        for (let next = 1; next < size; next++) await restart(next, phase)
        // Until each session has a token of the current key: one of each lane may be on its way.
        const reached = refreshed
        await expect.poll(() => refreshed).toBeGreaterThanOrEqual(reached + 2 * lanes)
      }
    }
    let refreshed = 0
    let turn = 0
    let created = 0
    const work = async () => {
      const kind = turn++ % 3
      if (kind === 0) return `generate ${await generate(cluster, token, 'hi')}`
      if (kind === 1) return `create ${await cluster.post('/shipments', token, shipment(`order-${++created}`))}`
      const status = await refresh()
      refreshed++
      return `refresh ${status}`
    }
    // Before the first event, which goes to the webhooks of its time.
    await addWebhook(nodes[0]!)
    const counts = await keepDoing(lanes, work, rotate())

    expect(counts).toEqual({
      'generate 200': expect.any(Number),
      'create 201': created,
      'refresh 200': refreshed,
    })
    expect(cluster.prompts).toHaveLength(counts['generate 200']! + replayed)
    const events = await cluster.query<{ id: string }>("select id from events where type = 'shipment.created'")
    expect(events).toHaveLength(created)
    await expect.poll(() => events.filter(({ id }) => !receiver.ids.has(id)), { timeout: 10_000 }).toEqual([])
    await expect
      .poll(() => deliveriesOf(cluster), { timeout: 10_000 })
      .toEqual([{ status: 'delivered', tries: 1, count: expect.any(Number) }])
    expect(nodes.map(({ output }) => output).join('')).not.toContain('cannot decrypt')
  })

  test('nodes whose secret key rotates without the first phase leave deliveries to the node that can sign them', async () => {
    const cluster = await startCluster(server!, { size: 2 })
    const { token } = await cluster.addKey(1_000_000)
    const receiver = await openReceiver()
    const [behind, other] = cluster.nodes as [MainProcess, MainProcess]
    cluster.setVariables(phases[2]!)
    const ahead = await cluster.restart(other)
    const webhook = { url: receiver.url, events: ['shipment.created'] }
    const added = await post(`${await ahead.url}/webhooks`, token, webhook)
    expect(added).toMatchObject({ status: 201 })

    const next = numbered('order')
    for (let count = 0; count < 20; count++) {
      expect(await post(`${await behind.url}/shipments`, token, shipment(next()))).toMatchObject({ status: 201 })
    }
    await expect.poll(() => receiver.ids.size, { timeout: 10_000 }).toBe(20)
    await expect.poll(() => deliveriesOf(cluster)).toEqual([{ status: 'delivered', tries: 1, count: 20 }])
    const lines = behind.output.split('\n').filter((line) => line.includes('cannot decrypt the secret of a webhook'))
    expect(lines).toEqual([expect.stringContaining(added.data!.id)])
  })
})
