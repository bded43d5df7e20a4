import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runServer, type TestServer } from './testing/run-server.ts'

/** `npm run fuzz` attacks for longer. */
const rounds = process.env['FUZZ_RUNS'] ? 60 : 15

const mallory = { email: 'mallory@example.com', password: 'correct horse battery', name: 'Mallory' }

/** A service with a member who has three keys with all scopes of members. */
async function world() {
  const server = await runServer()
  const { access_token: session, user } = (await server.ask('POST', '/auth/signup', mallory)).data
  const scopes = ['generate', 'models', 'shipments', 'events', 'webhooks', 'keys', 'users']
  const keys: { readonly id: string; readonly secret: string }[] = []
  for (const name of ['a', 'b', 'c']) {
    keys.push((await server.ask('POST', '/api-keys', { name, scopes }, session)).data)
  }
  return { server, session: session as string, path: `/api/v1/users/${user.id}`, keys }
}

/** How many bytes the database has written. A test is too short for SQLite to start its log again. */
function writtenBytes({ dataDirectory }: TestServer): number {
  return statSync(join(dataDirectory, 'fairlead.db')).size + statSync(join(dataDirectory, 'fairlead.db-wal')).size
}

describe('attacks on room', () => {
  test('attacks on room by event streams end at 20 of a key and 50 of an account, which changes hardly feel', async () => {
    const { server, path, keys } = await world()
    const attack = new AbortController()
    onTestFinished(() => attack.abort())
    const open = async (secret: string) => {
      const headers = { authorization: `Bearer ${secret}` }
      const { status, body } = await fetch(`${server.baseUrl}/events/stream`, { headers, signal: attack.signal })
      void body?.pipeTo(new WritableStream()).catch(() => {})
      return status
    }
    const statuses = []
    for (const { secret } of keys) {
      const all = await Promise.all(Array.from({ length: 25 }, () => open(secret)))
      statuses.push([all.filter((status) => status === 200).length, all.filter((status) => status === 429).length])
    }
    expect(statuses).toEqual([
      [20, 5],
      [20, 5],
      [10, 15],
    ])
    const before = process.cpuUsage()
    for (let n = 0; n < rounds; n++) await server.ask('PATCH', path, { name: `Mallory ${n}` }, keys[0]!.secret)
    const { user, system } = process.cpuUsage(before)
    // 390 ms each with 1,400 streams, when every stream wrote its own text and looked up its own key.
    expect((user + system) / 1_000 / rounds).toBeLessThan(150)
  })

  test('attacks on room by renames write 150 kB each at most, whatever a key holds', async () => {
    const { server, keys } = await world()
    const [{ id, secret }] = keys as [(typeof keys)[number]]
    const models = Array.from({ length: 100 }, (_, n) => `${'m'.repeat(180)}-${n}`)
    const refused = await server.ask('PATCH', `/api-keys/${id}`, { models }, secret)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('at most 16000 bytes')])
    const allowed = await server.ask('PATCH', `/api-keys/${id}`, { models: models.slice(0, 80) }, secret)
    expect(allowed.status).toBe(200)
    const before = writtenBytes(server)
    for (let n = 0; n < rounds; n++) {
      expect((await server.ask('PATCH', `/api-keys/${id}`, { name: `key ${n}` }, secret)).status).toBe(200)
    }
    // In whole pages: the key with its lists, an event with the same, the entry of the audit log, and their indexes.
    expect((writtenBytes(server) - before) / rounds).toBeLessThan(150_000)
  })

  test('attacks on room by tags in the metadata of OpenAI’s API add no rows to the statistics', async () => {
    const { server, session, keys } = await world()
    const { secret } = keys[0]!
    for (let n = 0; n < rounds; n++) {
      const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, k) => [`key${k}`, `value ${n} ${k}`]))
      const body = { model: 'any', messages: [{ role: 'user', content: 'x' }], metadata }
      expect((await server.ask('POST', '/openai/v1/chat/completions', body, secret)).status).toBe(200)
    }
    const { status, data } = await server.ask('GET', '/usage/timeseries?group_by=tag&tag=key0', undefined, session)
    expect([status, JSON.stringify(data)]).toEqual([200, expect.not.stringContaining('value')])
  })
})
