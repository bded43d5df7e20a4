import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRedis } from '@fairlead/cache/testing'
import { findPostgres } from '@fairlead/storage/testing'
import { describe, expect, test } from 'vitest'
import { type Cluster, startCluster, startProvider, statusOf } from '../testing/cluster.ts'
import { dataDirectory } from '../testing/data-directory.ts'
import { runMain } from '../testing/run-main.ts'

// Takes minutes, because every test starts nodes. Run it with FUZZ_RUNS=1.
const runs = process.env['FUZZ_RUNS'] !== undefined
const server = runs ? await findPostgres() : undefined
const canCluster = server !== undefined && findRedis()

/** Each token costs a dollar, and so does each answer. */
const echo = {
  id: 'echo',
  type: 'text',
  name: 'Echo',
  description: 'Repeats the prompt.',
  maxTokens: 100,
  chat: true,
  pricing: { input: 0, output: 1_000_000 },
}
const upstream = { models: [echo] }
const lasting = { maxEstimateUsd: 5, holdSeconds: 600 }
/** A call that is killed holds its dollar for two seconds. */
const brief = { maxEstimateUsd: 5, holdSeconds: 2 }

type Nodes = Pick<Cluster, 'addBudget' | 'query' | 'prompts'> & {
  /** Repeats a call that a store under load rejects. */
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
      return unlessBusy(() => statusOf(`${url}/generate`, { method: 'POST', headers, body }))
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
  }
}

/** What was spent and is reserved, in US dollars. */
async function spend({ query }: Nodes) {
  const [found] = await query<{ spent: number; reserved: number }>(
    'select spent / 100000000 as spent, reserved / 100000000 as reserved from spend',
  )
  return found && { spent: Number(found.spent), reserved: Number(found.reserved) }
}

describe.each([
  ['three nodes on PostgreSQL', canCluster, threeNodes],
  ['one node on SQLite', runs, oneNode],
] as const)('the budget of a user on %s', (_name, canRun, start) => {
  /** Sends 1,000 calls, 100 at a time, with 64 keys. Returns how many had each status. */
  async function sendAll({ generate }: Nodes, tokens: readonly string[], maxTokens: number) {
    const statuses: Record<number, number> = {}
    let sent = 0
    const lane = async () => {
      while (sent < 1_000) {
        const status = await generate(tokens[sent++ % tokens.length]!, 'hi', maxTokens)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: 100 }, lane))
    return statuses
  }

  test.skipIf(!canRun)('allows exactly the calls that it can pay for', async () => {
    const nodes = await start(lasting)
    const tokens = await nodes.addBudget(300, 64)
    expect(await sendAll(nodes, tokens, 1)).toEqual({ 200: 300, 429: 700 })
    expect(nodes.prompts).toHaveLength(300)
    expect(await spend(nodes)).toEqual({ spent: 300, reserved: 0 })
  })

  test.skipIf(!canRun)('is never exceeded by calls that cost less than they reserve', async () => {
    const nodes = await start(lasting)
    const tokens = await nodes.addBudget(300, 64)
    const statuses = await sendAll(nodes, tokens, 3)
    const { spent, reserved } = (await spend(nodes)) ?? {}
    expect(spent).toBe(statuses[200])
    expect(spent).toBeLessThanOrEqual(300)
    expect(reserved).toBe(0)
  })

  test.skipIf(!canRun)('gets back what killed calls have reserved', async () => {
    const nodes = await start(brief)
    const tokens = await nodes.addBudget(30, 64)
    const hanging = tokens.slice(0, 30).map((token) => nodes.generate(token, 'hang', 1).catch(() => 'killed'))
    await expect.poll(() => nodes.prompts.length).toBe(30)
    expect(await spend(nodes)).toEqual({ spent: 0, reserved: 30 })
    await nodes.killAll()
    await Promise.all(hanging)
    await expect.poll(() => nodes.generate(tokens[0]!, 'after', 1)).toBe(200)
    expect(await spend(nodes)).toEqual({ spent: 1, reserved: 0 })
  })
})
