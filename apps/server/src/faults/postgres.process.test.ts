import { scripted } from '@fairlead/testing'
import { breakableLink, createTestDatabase, findPostgres } from '@fairlead/storage/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { start } from '../start.ts'
import { temporaryFolder } from '../testing/run-main.ts'

const server = await findPostgres()

async function emptyDatabase() {
  const database = await createTestDatabase(server!)
  onTestFinished(() => database.drop())
  return database
}

/** A node of the service on that database, until the test ends. */
async function startNode(databaseUrl: string) {
  const lines: string[] = []
  const config = readConfig({
    PORT: '0',
    FAIRLEAD_DATA_DIR: temporaryFolder(),
    FAIRLEAD_SECRET_KEY: 'k'.repeat(32),
    DATABASE_URL: databaseUrl,
  })
  const logTo = { write: (line: string) => void lines.push(line) }
  const node = await start(config, {
    service: { name: 'Fairlead', version: '1.2.3' },
    logTo,
    loadProviders: async () => [scripted('calm', 'hello')],
    graceMs: 0,
  })
  onTestFinished(() => node.stop())
  const statusOf = async (path: string) => (await fetch(node.baseUrl + path)).status
  const generate = (key: string) =>
    fetch(`${node.baseUrl}/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'any', prompt: 'greet me' }),
    })
  return { ...node, lines, statusOf, generate }
}

describe.skipIf(!server)('a node whose PostgreSQL goes away', () => {
  test('a node whose PostgreSQL goes away is not ready and answers 503 until the database is back', async () => {
    const database = await emptyDatabase()
    const link = await breakableLink(database.url)
    onTestFinished(() => link.close())
    const node = await startNode(link.url)
    const { apiKey } = node.firstAdmin!
    expect(await node.statusOf('/readyz')).toBe(200)
    expect((await node.generate(apiKey)).status).toBe(200)

    link.cut()
    expect(await node.statusOf('/readyz')).toBe(503)
    expect(await node.statusOf('/healthz')).toBe(200)
    const refused = await node.generate(apiKey)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })

    link.restore()
    await expect.poll(() => node.statusOf('/readyz')).toBe(200)
    expect((await node.generate(apiKey)).status).toBe(200)
  })

  test('a node whose PostgreSQL goes away is not ready while the database has frozen', async () => {
    const database = await emptyDatabase()
    const link = await breakableLink(database.url)
    onTestFinished(() => link.close())
    const node = await startNode(link.url)
    link.freeze()
    expect(await node.statusOf('/readyz')).toBe(503)
  })
})

describe.skipIf(!server || !process.env['FUZZ_RUNS'])('64 connections to a node whose PostgreSQL is frozen', () => {
  test('64 connections to a node whose PostgreSQL is frozen get 503 at once after the first failures, with few log lines', async () => {
    const database = await emptyDatabase()
    const link = await breakableLink(database.url)
    onTestFinished(() => link.close())
    const node = await startNode(link.url)
    const { apiKey } = node.firstAdmin!
    expect((await node.generate(apiKey)).status).toBe(200)
    link.freeze()
    const before = node.lines.length
    const waitOf = async () => {
      const asked = performance.now()
      expect((await node.generate(apiKey)).status).toBe(503)
      return performance.now() - asked
    }
    const waits: number[] = []
    const endAt = performance.now() + 8_000
    async function client(): Promise<void> {
      while (performance.now() < endAt) waits.push(await waitOf())
    }
    await Promise.all(Array.from({ length: 64 }, client))
    // No client waits for a time-out twice.
    expect(waits.filter((ms) => ms > 5_000).length).toBeLessThanOrEqual(64)
    expect(waits.length).toBeGreaterThan(128)
    const later: number[] = []
    while (later.length < 51) later.push(await waitOf())
    expect(later.toSorted((a, b) => a - b)[25]).toBeLessThan(250)
    const aboutTheStore = node.lines.slice(before).filter((line) => JSON.parse(line).msg !== 'request completed')
    expect(aboutTheStore.length).toBeLessThan(20)
    link.restore()
    await expect.poll(() => node.statusOf('/readyz')).toBe(200)
  })
})

describe.skipIf(!server)('nodes that start at once on an empty PostgreSQL', () => {
  test('nodes that start at once on an empty PostgreSQL create one admin, whose key works on all', async () => {
    const { url } = await emptyDatabase()
    const nodes = await Promise.all([startNode(url), startNode(url), startNode(url)])
    const admins = nodes.flatMap(({ firstAdmin }) => firstAdmin ?? [])
    expect(admins).toHaveLength(1)
    const answers = await Promise.all(nodes.map((node) => node.generate(admins[0]!.apiKey)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})
