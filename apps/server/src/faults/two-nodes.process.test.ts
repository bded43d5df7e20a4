import { describe, expect, test } from 'vitest'
import { type DataDirectory, dataDirectory } from '../testing/data-directory.ts'
import type { NodeResponse, NodeProcess } from '../testing/node-process.ts'

const echo = { model: 'mirror', prompt: 'hi' }

describe('a unit of the quota', () => {
  test('a unit of the quota is used by one request alone, on either of two processes', async () => {
    const data = await dataDirectory()
    const last10 = await data.addKey(1_000, 990)
    const nodes = await startTwo(data)
    const at10 = await Promise.all(many(100, (n) => nodes[n % 2]!.post('/generate', last10.token, echo)))
    expect(statuses(at10)).toEqual({ 200: 10, 429: 90 })
    expect(data.inspect().used(last10.keyId)).toBe(1_000)

    const of500 = await data.addKey(500)
    const at500 = await Promise.all(many(800, (n) => nodes[n % 2]!.post('/generate', of500.token, echo)))
    expect(statuses(at500)).toEqual({ 200: 500, 429: 300 })
    expect(data.inspect().used(of500.keyId)).toBe(500)
    // No request failed after the provider was called: every run within the quota left a record.
    expect(data.inspect().chargedRequests).toHaveLength(10 + 500)
  })
})

describe('two processes on one file', () => {
  test('two processes on one file never show callers that the other holds the lock', async () => {
    const data = await dataDirectory()
    const { token, keyId } = await data.addKey(10_000)
    const nodes = await startTwo(data)
    const mixed = (node: NodeProcess, n: number) => {
      if (n % 5 === 0) return node.get('/models', token)
      if (n % 5 === 1) return node.get('/models/none', token)
      return node.post('/generate', token, n % 5 === 2 ? { ...echo, model: 'none' } : echo)
    }
    const answers = await inLanes(1_000, 64, (n) => mixed(nodes[n % 2]!, n >> 1))
    expect(statuses(answers)).toEqual({ 200: 600, 400: 200, 404: 200 })
    expect(data.inspect().used(keyId)).toBe(600)
    expect(data.inspect().integrity).toBe('ok')
  })
})

describe('a key that is revoked on one process', () => {
  test('a key that is revoked on one process is rejected there at once, and on the other soon after', async () => {
    const data = await dataDirectory()
    const { token, keyId } = await data.addKey(1_000)
    const nodes = await startTwo(data)
    const [here, there] = nodes
    for (const node of nodes) expect((await node.get('/models', token)).status).toBe(200)
    expect((await here.delete(`/api-keys/${keyId}`, token)).status).toBe(200)
    expect((await here.get('/models', token)).status).toBe(401)
    await expect.poll(async () => (await there.get('/models', token)).status).toBe(401)
  })
})

describe('a refresh token', () => {
  test('a refresh token leaves one session when many requests refresh it on two processes at once', async () => {
    const nodes = await startTwo(await dataDirectory())
    const first = readTokens(await nodes[0].post('/auth/signup', undefined, newUser))
    const answers = await Promise.all(many(20, (n) => refresh(nodes[n % 2]!, first)))
    expect(statuses(answers)).toEqual({ 200: 20 })
    const successors = new Set(answers.map((answer) => readTokens(answer).refresh_token))
    expect(successors.size).toBe(1)
    const { access_token: token } = readTokens(answers[19]!)
    expect(read(await nodes[0].get('/sessions', token)).data).toHaveLength(1)
  })

  test('a refresh token of two refreshes ago ends the session on both', async () => {
    const [here, there] = await startTwo(await dataDirectory())
    const first = readTokens(await here.post('/auth/signup', undefined, newUser))
    const second = readTokens(await refresh(here, first))
    const third = readTokens(await refresh(there, second))
    expect((await refresh(there, first)).status).toBe(401)
    for (const node of [here, there]) expect((await refresh(node, third)).status).toBe(401)
  })
})

const newUser = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

function refresh(node: NodeProcess, { refresh_token }: Tokens): Promise<NodeResponse> {
  return node.post('/auth/refresh', undefined, { refresh_token })
}

function readTokens(answer: NodeResponse): Tokens {
  return read(answer).data
}

function read({ bytes }: NodeResponse) {
  return JSON.parse(Buffer.from(bytes).toString())
}

async function startTwo(data: DataDirectory): Promise<readonly [NodeProcess, NodeProcess]> {
  return Promise.all([data.startNode(), data.startNode()])
}

function many<Result>(count: number, make: (n: number) => Result): Result[] {
  return Array.from({ length: count }, (_, n) => make(n))
}

function statuses(answers: readonly NodeResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Does as many pieces of work, so many at a time. */
async function inLanes<Result>(count: number, lanes: number, work: (n: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  async function lane(): Promise<void> {
    while (next < count) results.push(await work(next++))
  }
  await Promise.all(many(lanes, lane))
  return results
}
