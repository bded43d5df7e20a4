import { systemClock } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'
import { someEvent } from '@fairlead/testing'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

const newId = createIds(systemClock.now)

describe.skipIf(!database)('following events while transactions overlap', () => {
  beforeEach(() => database!.empty())

  test('following events while transactions overlap skips no event of a transaction that commits after a later one', async () => {
    const stores = await postgresStores({ url: database!.url, poolSize: 4 })
    onTestFinished(() => stores.close())
    const [early, late] = [someEvent(newId), someEvent(newId)]
    const begun = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const position = await stores.read((view) => view.events.lastPosition())
    const follow = (after: string) => stores.read((view) => view.events.follow(after, 9))

    const slow = stores.transact(async (tx) => {
      await tx.events.add([early])
      begun.resolve()
      await mayCommit.promise
    })
    await begun.promise
    await stores.transact((tx) => tx.events.add([late]))
    expect(await follow(position)).toEqual({ events: [], position })

    mayCommit.resolve()
    await slow
    await expect.poll(async () => (await follow(position)).events).toEqual([early, late])
  })

  test('following events while transactions overlap skips no event that was added first by a transaction that began last', async () => {
    const stores = await postgresStores({ url: database!.url, poolSize: 4 })
    onTestFinished(() => stores.close())
    const [first, second] = [someEvent(newId), someEvent(newId)]
    const begun = Promise.withResolvers<void>()
    const added = Promise.withResolvers<void>()
    const committed = Promise.withResolvers<void>()
    let position = await stores.read((view) => view.events.lastPosition())
    const seen: string[] = []
    const follow = async () => {
      const page = await stores.read((view) => view.events.follow(position, 9))
      position = page.position
      seen.push(...page.events.map(({ id }) => id))
    }

    // The older transaction writes before the younger one, and adds its event after it.
    const older = stores.transact(async (tx) => {
      await tx.settings.set('a', '1')
      begun.resolve()
      await added.promise
      await tx.events.add([second])
    })
    await begun.promise
    const younger = stores.transact(async (tx) => {
      await tx.events.add([first])
      added.resolve()
      await committed.promise
    })
    await older
    await follow()
    committed.resolve()
    await younger
    await expect.poll(async () => (await follow(), seen.length)).toBe(2)
    expect(seen.toSorted()).toEqual([first.id, second.id].toSorted())
  })
})
