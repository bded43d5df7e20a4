import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { accounts } from '@fairlead/accounts'
import { type Clock, createFairlead, systemClock } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { createIds } from '@fairlead/core/adapter'
import type { Provider } from '@fairlead/core/provider'
import type { Stores } from '../stores.ts'
import { addTestCaller, held, fakeImageModel, fakePainter, scripted, testClock, fakeTextModel } from '@fairlead/testing'
import { assert, asyncProperty, pre, string } from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { anyCharacter } from '../../../core/src/testing/any-character.ts'
import { faultyConnection } from '../testing/faulty-connection.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { openConnection } from './open-connection.ts'
import { sqliteStores, storesOn } from './sqlite-stores.ts'

const newId = createIds(Date.now)

describe('a unit of the quota', () => {
  test('a unit of the quota goes to one request only, with two stores on one file', async () => {
    const path = newFile()
    const nodes = [await openStores(path), await openStores(path)]
    const grants = await Promise.all(Array.from({ length: 400 }, (_, n) => nodes[n % 2]!.reserve('k', 100)))
    expect(grants.filter(({ granted }) => granted)).toHaveLength(100)
    expect(await used(nodes[0]!, 'k')).toBe(100)
  })
})

describe('the running month', () => {
  test('the running month is the same for two nodes whose clocks are five minutes apart', async () => {
    const path = newFile()
    const [slow, fast] = [testClock('2026-03-31T23:58:00.000Z'), testClock('2026-04-01T00:03:00.000Z')]
    const behind = await openStores(path, slow)
    const ahead = await openStores(path, fast)
    const reserve = (stores: Stores) => stores.reserve('k', 2)
    const taken = await reserve(behind)
    expect(taken).toMatchObject({ granted: true, period: '2026-03', used: 1 })
    // The month turns when the first node says so, and for both.
    expect(await reserve(ahead)).toMatchObject({ granted: true, period: '2026-04', used: 1 })
    expect(await reserve(behind)).toMatchObject({ granted: true, period: '2026-04', used: 2 })
    expect(await reserve(behind)).toMatchObject({ granted: false, period: '2026-04' })
    // A unit that was taken from the old month goes back there.
    await behind.transact((tx) => tx.counters.refund('k', taken.period))
    expect(await reserve(ahead)).toMatchObject({ granted: false, period: '2026-04', used: 2 })
  })
})

describe('counters', () => {
  test('counters keep their units after a restart', async () => {
    const path = newFile()
    const before = await sqliteStores({ path })
    await Promise.all(Array.from({ length: 7 }, () => before.reserve('k', 10)))
    await before.close()
    expect(await used(await openStores(path), 'k')).toBe(7)
  })
})

describe('two processes on one file', () => {
  test('two processes on one file wait for each other without an error', async () => {
    const path = newFile()
    const nodes = [await openStores(path), await openStores(path)]
    const mixed = (stores: Stores, n: number): Promise<unknown> => {
      if (n % 3 === 0) return stores.read((view) => view.counters.peek('k'))
      if (n % 3 === 1) return stores.transact((tx) => tx.counters.reserve('k', null))
      return stores.transact(async (tx) => {
        const { period } = await tx.counters.reserve('k', null)
        await tx.counters.refund('k', period)
      })
    }
    await Promise.all(nodes.flatMap((stores) => Array.from({ length: 300 }, (_, n) => mixed(stores, n))))
    expect(await used(nodes[0]!, 'k')).toBe(200)
  })
})

describe('a transaction that reads before it writes', () => {
  test('a transaction that reads before it writes holds the write lock from its beginning, so that no other process can change what it read', async () => {
    const path = newFile()
    const stores = await openStores(path)
    const other = new DatabaseSync(path, { timeout: 0 })
    onTestFinished(() => other.close())
    const write = () => other.exec("insert into settings (name, value) values ('theirs', '1')")
    await stores.transact(async (tx) => {
      expect((await tx.counters.peek('k')).used).toBe(0)
      expect(write).toThrow('database is locked')
      expect(await tx.counters.reserve('k', 1)).toMatchObject({ granted: true })
    })
    write()
  })
})

describe('a full disk', () => {
  test('a full disk rejects what must be stored, still serves reads, and recovers when there is space', async () => {
    const { core, stores, ask, connection, keyId } = await openFaultyCore()
    const painted = await core.run(operations.generateImage, ask.credentials, { model: 'picture', prompt: 'a blank' })
    const imageId = painted.success ? painted.data.id : ''
    // Migrations leave free pages, which would take all of the requests.
    connection.exec('vacuum')
    connection.exec(`pragma max_page_count = ${pageCount(connection)}`)
    const keyed = (n: number) =>
      core.run(
        operations.generate,
        ask.credentials,
        { model: 'any', prompt: 'x' },
        { requestId: `full_${n}`, idempotencyKey: `key_${n}` },
      )
    // The outcome of an Idempotency-Key must be stored before the response.
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? ask.forText(`full_${n}`) : keyed(n))),
    )
    const refused = replies.filter(({ success }) => !success)
    expect(refused.length).toBeGreaterThan(0)
    for (const reply of refused) {
      expect(reply).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' }, retryAfterMs: 1000 })
    }
    expect(await core.openImage(imageId)).toBeInstanceOf(Uint8Array)
    await core.check()

    connection.exec('pragma max_page_count = 1000000')
    expect(await ask.forText('space_again')).toMatchObject({ success: true })
    const acknowledged = 1 + (replies.length - refused.length) + 1
    const settled = () => connection.prepare('select count(*) as n from usage_records where charged = 1').get()
    // The records of answers that were handed out meanwhile follow.
    await expect.poll(settled).toEqual({ n: acknowledged })
    // Units of refused calls are refunded once the database takes writes again.
    await expect.poll(() => used(stores, keyId)).toBe(acknowledged)
    expect(connection.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  })
})

describe('a commit that fails', () => {
  test('a commit that fails is retried, and after three failures loses no usage', async () => {
    const provider = held('slow')
    const { stores, ask, failNext, connection, keyId } = await openFaultyCore(provider)
    const asked = Array.from({ length: 20 }, (_, n) => ask.forText(`req_${n}`))
    await expect.poll(() => provider.calls.length).toBe(20)
    failNext('commit', 3)
    provider.release('hello')
    const replies = await Promise.all(asked)
    expect(replies.filter(({ success }) => success)).toHaveLength(20)
    expect(await used(stores, keyId)).toBe(20)
    const kept = connection.prepare('select count(*) as n, sum(charged) as charged from usage_records').get()
    expect(kept).toEqual({ n: 20, charged: 20 })
  })
})

describe('text that core lets through', () => {
  test('text that core lets through is read as it was written, whatever it is', async () => {
    const stores = await openStores(newFile())
    await assert(
      asyncProperty(string({ unit: anyCharacter, maxLength: 40 }), async (model) => {
        pre(model.isWellFormed() && !model.includes('\0'))
        const image = { id: newId('img'), userId: null, payer: null, bytes: 1, model, createdAt: 1 }
        await stores.transact((tx) => tx.images.add(image))
        expect(await stores.read((view) => view.images.find(image.id))).toEqual(image)
      }),
      { numRuns: 100 },
    )
  })

  test('text that core lets through contains no NUL and no lone surrogates: requests with them are rejected', async () => {
    const { ask, connection } = await openFaultyCore()
    for (const prompt of ['nul \0 inside', 'high \ud800 alone', 'low \udc00 alone', '\udc00\ud800']) {
      const reply = await ask.forText('req_x', { prompt })
      expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'prompt' } } })
    }
    expect(connection.prepare('select count(*) as n from usage_records').get()).toEqual({ n: 0 })
  })
})

/** A core over a database that can be made to fail, with short waits between retries. */
async function openFaultyCore(provider: Provider = both) {
  const { connection, failNext } = faultyConnection(await openConnection(newFile()))
  const stores = await storesOn(connection, fastClock)
  const { core } = createFairlead({
    providers: [provider],
    stores,
    testing: { clock: fastClock },
    features: [accounts()],
  })
  onTestFinished(() => core.close())
  const { credentials, keyId } = await addTestCaller(stores, fastClock)
  const forText = (requestId: string, input: object = {}) =>
    core.run(operations.generate, credentials, { model: 'any', prompt: 'hi', ...input }, { requestId })
  return { core, stores, connection, failNext, keyId, ask: { credentials, forText } }
}

const both: Provider = {
  ...scripted('calm', 'hello'),
  ...fakePainter('calm'),
  models: [fakeTextModel(), fakeImageModel()],
}

const fastClock: Clock = { now: Date.now, schedule: (ms, ring) => systemClock.schedule(ms / 100, ring) }

function pageCount(connection: DatabaseSync): number {
  return Number(connection.prepare('pragma page_count').get()?.['page_count'])
}

function newFile(): string {
  return join(temporaryDirectory(), 'f.db')
}

async function openStores(path: string, clock: Clock = systemClock): Promise<Stores> {
  const stores = await sqliteStores({ path, clock })
  onTestFinished(() => stores.close())
  return stores
}

async function used(stores: Stores, counter: string): Promise<number> {
  return (await stores.read((view) => view.counters.peek(counter))).used
}
