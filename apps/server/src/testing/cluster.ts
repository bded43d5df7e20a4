import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type RedisServer, startRedis } from '@fairlead/cache/testing'
import { type BreakableLink, breakableLink, createTestDatabase } from '@fairlead/storage/testing'
import { blankPng } from '@fairlead/testing'
import { expect, onTestFinished } from 'vitest'
import { type DataDirectory, dataDirectory } from './data-directory.ts'
import { startLoadBalancer } from './load-balancer.ts'
import { type MainProcess, runMain } from './run-main.ts'

/** The secret key of the nodes, unless another one is set. */
export const clusterKey = 'k'.repeat(32)

/** A model whose tokens cost a dollar, and so does each answer. */
export const dollarModel = {
  id: 'echo',
  type: 'text',
  name: 'Echo',
  description: 'Repeats the prompt.',
  maxTokens: 100,
  chat: true,
  streaming: true,
  pricing: { input: 0, output: 1_000_000 },
}

/** Nodes behind a load balancer, on a new PostgreSQL database and a new Redis. */
export interface Cluster {
  /** The address of the load balancer. */
  readonly url: string
  readonly nodes: readonly MainProcess[]
  readonly redis: RedisServer
  /** Between the nodes and PostgreSQL. */
  readonly database: BreakableLink
  /** The prompts that the provider has received. */
  readonly prompts: readonly string[]
  /** Lets the provider answer the prompts `wait` so far. */
  answerWaiting(): void
  readonly addKey: DataDirectory['addKey']
  readonly addBudget: DataDirectory['addBudget']
  query<Row>(statement: string): Promise<readonly Row[]>
  /** Starts a node in the place of another one, once that has ended. It may run the `main.ts` of another version. */
  replace(node: MainProcess, program?: string): Promise<MainProcess>
  /** Stops a node as an operator does, and replaces it. */
  restart(node: MainProcess, program?: string): Promise<MainProcess>
  /** Writes the configuration file, which the nodes share, with more settings. */
  configure(settings: object): void
  /** Sets more variables for nodes that start from now on. */
  setVariables(variables: Readonly<Record<string, string>>): void
  /** Both resolve to the status of the response. */
  get(path: string): Promise<number>
  post(path: string, token: string, body: object, idempotencyKey?: string): Promise<number>
}

/**
 * Starts the nodes. Everything is stopped and removed when the test ends.
 *
 * @param options.size how many nodes; default: three
 * @param options.program the `main.ts` of another version; default: of this one
 * @param options.upstream more options of the provider
 * @param options.budgets of the configuration file
 * @param options.variables more variables, until others are set
 */
export async function startCluster(
  postgres: string,
  {
    size = 3,
    program,
    upstream: facts = {},
    variables = {},
    ...more
  }: {
    readonly size?: number
    readonly program?: string
    readonly upstream?: object
    readonly budgets?: object
    readonly variables?: Readonly<Record<string, string>>
  } = {},
): Promise<Cluster> {
  const created = await createTestDatabase(postgres)
  onTestFinished(() => created.drop())
  const data = await dataDirectory(created)
  const [redis, database, balancer, provider] = await Promise.all([
    startRedis(),
    breakableLink(created.url),
    startLoadBalancer(),
    startProvider(),
  ])
  onTestFinished(() => database.close())
  const file = join(data.path, 'fairlead.config.json')
  const configure = (settings: object) => {
    const upstream = { use: 'openai-compatible', id: 'upstream', baseUrl: provider.url, ...facts }
    // The burst limit asks Redis for every call.
    const rateLimits = { requestsPerMinute: { enterprise: 100_000 }, writesPerMinute: 100_000 }
    writeFileSync(file, JSON.stringify({ providers: [upstream], rateLimits, ...more, ...settings }))
  }
  configure({})

  const environment = {
    FAIRLEAD_CONFIG: file,
    FAIRLEAD_PROVIDERS: 'auto',
    FAIRLEAD_DATA_DIR: data.path,
    FAIRLEAD_SECRET_KEY: clusterKey,
    // Longer than the load balancer takes to see that a node is not ready.
    FAIRLEAD_DRAIN_DELAY: '1',
    FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS: '127.0.0.1',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    LOG_LEVEL: 'warn',
  }
  let added = variables
  const startNode = async (version?: string) => {
    const node = runMain({ ...environment, ...added }, data.path, version)
    const url = await node.url
    await expect.poll(() => fetchStatus(`${url}/readyz`)).toBe(200)
    balancer.add(url)
    return node
  }
  const nodes = await Promise.all(Array.from({ length: size }, () => startNode(program)))
  const replace = async (node: MainProcess, version?: string) => {
    await node.end
    balancer.remove(await node.url)
    return startNode(version)
  }
  return {
    url: balancer.url,
    nodes,
    redis,
    database,
    prompts: provider.prompts,
    answerWaiting: provider.answerWaiting,
    addKey: data.addKey,
    addBudget: data.addBudget,
    query: data.query,
    configure,
    setVariables: (next) => void (added = next),
    replace,
    async restart(node, version) {
      node.signal('SIGTERM')
      expect(await node.end).toBe(0)
      return replace(node, version)
    },
    get: (path) => fetchStatus(balancer.url + path),
    post: (path, token, body, idempotencyKey) =>
      fetchStatus(balancer.url + path, jsonRequest(token, body, idempotencyKey)),
  }
}

export function jsonRequest(token: string, body: object, idempotencyKey?: string): RequestInit {
  return {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(body),
  }
}

/** Does work in that many lanes until `done` resolves. Resolves to how many results were of each kind. */
export async function keepDoing(
  lanes: number,
  work: () => Promise<string | number>,
  done: Promise<unknown>,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  const state = { isDone: false }
  const stop = () => (state.isDone = true)
  void done.then(stop, stop)
  async function lane(): Promise<void> {
    while (!state.isDone) {
      const result = await work()
      counts[result] = (counts[result] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  await done
  return counts
}

/** Counts up: `order-1`, `order-2`, … */
export function numbered(word: string): () => string {
  let count = 0
  return () => `${word}-${++count}`
}

const address = { street: '1 Main Street', city: 'Oslo', country: 'NO' }
/** The body that creates a shipment. */
export const shipment = (reference: string) => ({
  reference,
  origin: { name: 'Ada', ...address, postal_code: '0150' },
  destination: { name: 'Grace', ...address, postal_code: '0151' },
  parcels: [{ weight_kg: 1 }],
})

/** Asks for a text that repeats the prompt. */
export function generate(cluster: Cluster, token: string, prompt: string, idempotencyKey?: string) {
  return cluster.post('/generate', token, { model: 'upstream/echo', prompt }, idempotencyKey)
}

/** A receiver of webhooks, which keeps the id of each event. */
export async function openReceiver() {
  const ids = new Set<string>()
  const receiver = createServer((request, response) => {
    ids.add(String(request.headers['webhook-id']))
    request.resume()
    response.writeHead(204).end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, ids }
}

const inReply = { id: 'chatcmpl-1', created: 1, model: 'echo' }
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
/** How often a stream that waits has another piece, in milliseconds. */
const pieceEveryMs = 500

/**
 * A provider with the API of OpenAI, which repeats prompts, whole or as a stream, and draws. It never answers the prompt
 * `hang`, and ends its answer to `wait` when it is told to.
 */
export async function startProvider() {
  const prompts: string[] = []
  let waiting = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const send = (body: object) => void response.end(JSON.stringify(body))
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET') return send({ data: [{ id: 'echo', object: 'model' }] })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.url?.endsWith('/images/generations')) {
      return send({ created: 1, data: [{ b64_json: Buffer.from(blankPng(1024, 1024)).toString('base64') }] })
    }
    const { messages, stream } = JSON.parse(Buffer.concat(chunks).toString())
    const prompt = String(messages.at(-1).content)
    prompts.push(prompt)
    if (prompt === 'hang') return
    const end = prompt === 'wait' ? waiting.promise : Promise.resolve()
    if (stream) return sendStream(response, prompt, end)
    await end
    const message = { role: 'assistant', content: prompt }
    send({ ...inReply, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    prompts,
    answerWaiting() {
      waiting.resolve()
      waiting = Promise.withResolvers()
    },
  }
}

/** Sends the text again and again, at least once, until the end. */
async function sendStream(response: ServerResponse, content: string, end: Promise<void>): Promise<void> {
  response.setHeader('content-type', 'text/event-stream')
  const send = (fields: object) => {
    const chunk = { ...inReply, object: 'chat.completion.chunk', choices: [], ...fields }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  const sendPiece = () => send({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
  sendPiece()
  const pieces = setInterval(sendPiece, pieceEveryMs)
  response.on('close', () => clearInterval(pieces))
  await end
  clearInterval(pieces)
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  send({ usage })
  response.end('data: [DONE]\n\n')
}

export async function fetchStatus(url: string, request: RequestInit = {}): Promise<number> {
  const reply = await fetch(url, request)
  await reply.arrayBuffer()
  return reply.status
}
