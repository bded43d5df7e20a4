import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blankPng, fakeImageModel } from '@fairlead/testing'
import type { Provider } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { runServer } from './testing/run-server.ts'
import { temporaryFolder } from './testing/run-main.ts'

/** `npm run fuzz` attacks for longer. */
const attempts = process.env['FUZZ_RUNS'] ? 2_000 : 200
const megabyte = 1_000_000

const eve = { email: 'eve@example.com', password: 'correct horse battery', name: 'Eve' }

/** A service whose limit of changes per minute does not get in the way of the attack, with a member. */
async function service(environment: Readonly<Record<string, string>>, providers?: readonly Provider[]) {
  const folder = temporaryFolder()
  const file = join(folder, 'fairlead.config.json')
  writeFileSync(file, JSON.stringify({ rateLimits: { writesPerMinute: 100_000 } }))
  const server = await runServer({ FAIRLEAD_CONFIG: file, ...environment }, providers)
  const { access_token: session } = (await server.ask('POST', '/auth/signup', eve)).data
  return { ...server, session: session as string }
}

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** How many replies have each status. */
function counted(statuses: readonly number[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(statuses, String)].map(([status, all]) => [status, all.length]))
}

describe('attacks on room', () => {
  test('a member who changes long lists and renames keys all day stores no more than the limit', async () => {
    const server = await service({ FAIRLEAD_WRITTEN_BYTES_PER_DAY: String(megabyte) })
    const { ask, session, dataDirectory } = server
    const { id } = (await ask('POST', '/api-keys', { name: 'k', scopes: ['generate'] }, session)).data
    for (let n = 0; n < 5; n++) {
      await ask('POST', '/webhooks', { url: `https://example.com/${n}`, events: ['*'] }, session)
    }
    const before = bytesBelow(dataDirectory)
    const statuses = []
    for (let n = 0; n < attempts; n++) {
      const models = Array.from({ length: 100 }, (_, k) => `${n}-${k}-${'x'.repeat(120)}`)
      const change = n % 2 === 0 ? { models } : { name: `name ${n}` }
      statuses.push((await ask('PATCH', `/api-keys/${id}`, change, session)).status)
    }
    const { 200: passed = 0, 429: rejected = 0 } = counted(statuses)
    expect(passed + rejected).toBe(attempts)
    expect(passed).toBeGreaterThan(10)
    expect(passed).toBeLessThan(100)
    await server.stop()
    expect(bytesBelow(dataDirectory) - before).toBeLessThan(3 * megabyte)
  })

  test('a member who is at the limit still reads, calls models, signs in, and removes what they have', async () => {
    const { ask, session } = await service({ FAIRLEAD_WRITTEN_BYTES_PER_DAY: '30000' })
    const { id } = (await ask('POST', '/api-keys', { name: 'k', scopes: ['generate'] }, session)).data
    let last
    do last = await ask('PATCH', `/api-keys/${id}`, { name: `${Math.random()}` }, session)
    while (last.status === 200)
    expect(JSON.parse(last.text)).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    const replies = [
      await ask('GET', '/api-keys', undefined, session),
      await ask('POST', '/generate', { model: 'any', prompt: 'x' }, session),
      await ask('POST', '/auth/login', { email: eve.email, password: eve.password }),
      await ask('DELETE', `/api-keys/${id}`, undefined, session),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test('a member who asks for many large images at the same time keeps no more than the limit', async () => {
    let calls = 0
    const painter: Provider = {
      contract: 2,
      id: 'brush',
      models: [fakeImageModel()],
      async generateImage({ width, height }) {
        calls++
        const png = blankPng(width, height)
        return { png: Buffer.concat([png.subarray(0, -12), Buffer.alloc(2 * megabyte), png.subarray(-12)]) }
      },
    }
    const limit = 10 * megabyte
    const { ask, session, dataDirectory } = await service({ FAIRLEAD_RETENTION_IMAGE_BYTES: String(limit) }, [painter])
    const paint = async () => (await ask('POST', '/generate/image', { model: 'picture', prompt: 'x' }, session)).status
    const statuses = await Promise.all(Array.from({ length: attempts / 10 }, paint))
    for (let n = 0; n < 10; n++) statuses.push(await paint())
    const { 200: passed = 0, 429: rejected = 0 } = counted(statuses)
    expect([passed + rejected, calls]).toEqual([statuses.length, passed])
    expect(passed).toBeGreaterThanOrEqual(2)
    expect(bytesBelow(join(dataDirectory, 'images'))).toBeLessThanOrEqual(limit)
    const { images } = (await ask('GET', '/usage', undefined, session)).data
    expect(images).toMatchObject({ limit_bytes: limit })
    expect(images.bytes).toBeLessThanOrEqual(limit)
  })
})
