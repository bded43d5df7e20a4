import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findRedis } from '@fairlead/cache/testing'
import { findPostgres } from '@fairlead/storage/testing'
import { describe, expect, test } from 'vitest'
import { type Cluster, dollarModel, startCluster, startProvider, fetchStatus } from '../testing/cluster.ts'
import { dataDirectory } from '../testing/data-directory.ts'
import { runMain } from '../testing/run-main.ts'

const server = await findPostgres()
/** Three nodes take a minute, so that only `npm run fuzz` tests them. */
const isFuzz = process.env['FUZZ_RUNS'] !== undefined
const canCluster = isFuzz && server !== undefined && findRedis()

/** How many calls are sent at once, and how many of them the budget allows. */
const [calls, limit] = isFuzz ? [3_000, 900] : [300, 90]
const upstream = { models: [dollarModel] }
const retryAfterMs = 1_000
const lasting = { maxEstimateUsd: 5, holdSeconds: 600 }
const brief = { maxEstimateUsd: 30, holdSeconds: 2 }

type Nodes = Pick<Cluster, 'addBudget' | 'query' | 'prompts'> & {
  /** Repeats a call that gets 503, as clients do. */
  generate(token: string, prompt: string, maxTokens: number): Promise<number>
  /** Kills all nodes, and starts others. */
  killAll(): Promise<unknown>
}

async function threeNodes(budgets: object): Promise<Nodes> {
  const cluster = await startCluster(server!, { upstream, budgets })
  return {
    ...cluster,
    generate: (token, prompt, maxTokens) =>
      unlessBusy(() => cluster.post('/generate', token, { model: 'upstream/echo', prompt, max_tokens: maxTokens })),
    killAll: () =>
      Promise.all(
        cluster.nodes.map((node) => {
          node.signal('SIGKILL')
          return cluster.replace(node)
        }),
      ),
  }
}

async function oneNode(budgets: object): Promise<Nodes> {
  const [data, provider] = await Promise.all([dataDirectory(), startProvider()])
  const file = join(data.path, 'fairlead.config.json')
  const providers = [{ use: 'openai-compatible', id: 'upstream', baseUrl: provider.url, ...upstream }]
  writeFileSync(file, JSON.stringify({ providers, budgets }))
  const start = () => runMain({ FAIRLEAD_CONFIG: file, FAIRLEAD_PROVIDERS: 'auto', FAIRLEAD_DATA_DIR: data.path })
  let node = start()
  await node.url
  return {
    ...data,
    prompts: provider.prompts,
    async generate(token, prompt, maxTokens) {
      const body = JSON.stringify({ model: 'upstream/echo', prompt, max_tokens: maxTokens })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const url = await node.url
      return unlessBusy(() => fetchStatus(`${url}/generate`, { method: 'POST', headers, body }))
    },
    async killAll() {
      node.signal('SIGKILL')
      await node.end
      node = start()
      await node.url
    },
  }
}

async function unlessBusy(send: () => Promise<number>): Promise<number> {
  for (;;) {
    const status = await send()
    if (status !== 503) return status
    await setTimeout(retryAfterMs)
  }
}

/** The amounts that were spent and are reserved, in US dollars. */
async function spend({ query }: Nodes) {
  const [found] = await query<{ spent: number; reserved: number }>(
    'select spent / 100000000 as spent, reserved / 100000000 as reserved from spend',
  )
  return found && { spent: Number(found.spent), reserved: Number(found.reserved) }
}

describe.each([
  ['three nodes on PostgreSQL', canCluster, threeNodes],
  ['one node on SQLite', true, oneNode],
] as const)('the budget of a user on %s', (_name, canRun, start) => {
  /** Sends all calls at once, with 64 keys. Returns how many had each status. */
  async function sendAll({ generate }: Nodes, tokens: readonly string[], maxTokens: number) {
    const send = (_: unknown, n: number) => generate(tokens[n % tokens.length]!, 'hi', maxTokens)
    const statuses = await Promise.all(Array.from({ length: calls }, send))
    const count = (status: number) => statuses.filter((each) => each === status).length
    return Object.fromEntries(statuses.map((status) => [status, count(status)]))
  }

  test.skipIf(!canRun)('the budget of a user allows exactly the calls that it can pay for', async () => {
    const nodes = await start(lasting)
    const tokens = await nodes.addBudget(limit, 64)
    expect(await sendAll(nodes, tokens, 1)).toEqual({ 200: limit, 429: calls - limit })
    expect(nodes.prompts).toHaveLength(limit)
    expect(await spend(nodes)).toEqual({ spent: limit, reserved: 0 })
  })

  test.skipIf(!canRun)('the budget of a user is never exceeded by calls that cost less than they reserve', async () => {
    const nodes = await start(lasting)
    const tokens = await nodes.addBudget(limit, 64)
    const statuses = await sendAll(nodes, tokens, 3)
    const allowed = statuses[200] ?? 0
    expect(statuses).toEqual({ 200: allowed, 429: calls - allowed })
    expect(allowed).toBeGreaterThanOrEqual(Math.floor(limit / 3))
    expect(allowed).toBeLessThanOrEqual(limit)
    expect(await spend(nodes)).toEqual({ spent: allowed, reserved: 0 })
  })

  test.skipIf(!canRun)(
    'the budget of a user keeps what killed calls have reserved: their provider may bill them',
    async () => {
      const nodes = await start(brief)
      const tokens = await nodes.addBudget(31, 64)
      const hanging = tokens.slice(0, 30).map((token) => nodes.generate(token, 'hang', 1).catch(() => 'killed'))
      await expect.poll(() => nodes.prompts.length).toBe(30)
      expect(await spend(nodes)).toEqual({ spent: 0, reserved: 30 })
      await nodes.killAll()
      await Promise.all(hanging)
      expect(await nodes.generate(tokens[0]!, 'after', 1)).toBe(200)
      expect(await nodes.generate(tokens[0]!, 'later', 1)).toBe(429)
      expect(await spend(nodes)).toEqual({ spent: 1, reserved: 30 })
    },
  )
})
