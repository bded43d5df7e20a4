import { statSync } from 'node:fs'
import { join } from 'node:path'
import { emailAddress, sample } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runServer, type TestServer } from './testing/run-server.ts'

/** `npm run fuzz` attacks for longer, and with more connections. */
const [connections, bursts] = process.env['FUZZ_RUNS'] ? [30, 10] : [10, 3]

const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
const { email, password } = ada

/** Sends a login as a proxy passes it on from that address. */
async function logIn({ baseUrl }: TestServer, address: string, body: object) {
  const response = await fetch(`${baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return { status: response.status, retryAfter: response.headers.get('retry-after') }
}

async function service() {
  const server = await runServer({ FAIRLEAD_TRUST_PROXY: '1' })
  expect((await server.ask('POST', '/auth/signup', ada)).status).toBe(201)
  return server
}

describe('attacks on login', () => {
  test('one guess at each of 400 accounts from one address ends in 429 without further writes', async () => {
    const server = await service()
    const walBytes = () => statSync(join(server.dataDirectory, 'fairlead.db-wal')).size
    const guesses = sample(emailAddress(), 400).map((guessed) => ({ email: guessed, password: 'not the password' }))
    const replies = []
    for (const guess of guesses.slice(0, 120)) replies.push(await logIn(server, '198.51.100.7', guess))
    const before = walBytes()
    for (const guess of guesses.slice(120)) replies.push(await logIn(server, '198.51.100.7', guess))
    const limited = replies.filter(({ status }) => status === 429)
    expect(replies.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(110)
    expect(limited.length).toBeGreaterThanOrEqual(290)
    expect(limited.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true)
    // The few that pass meanwhile, one in nine seconds, write a few pages each.
    expect(walBytes() - before).toBeLessThan(200_000)
  })

  test.each([
    // At another account: failures at Ada's slow hers down.
    ['wrong', { email: 'eve@example.com', password: 'not the password' }],
    ['right', { email, password }],
  ])('connections with %s passwords do not make correct logins from other networks fail', async (_case, body) => {
    const server = await service()
    const attack = new AbortController()
    const hostile = Array.from({ length: connections }, async (_, n) => {
      while (!attack.signal.aborted) await logIn(server, `198.51.100.${n}`, body)
    })
    const statuses = []
    for (let n = 0; n < bursts; n++) {
      const burst = Array.from({ length: 4 }, (_, k) => logIn(server, `203.0.${4 * n + k}.1`, { email, password }))
      for (const { status } of await Promise.all(burst)) statuses.push(status)
    }
    attack.abort()
    await Promise.all(hostile)
    expect(statuses).toEqual(statuses.map(() => 200))
  })
})
