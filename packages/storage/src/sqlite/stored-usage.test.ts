import { createIds } from '@fairlead/core/adapter'
import { someUsage } from '@fairlead/testing'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteStores } from './sqlite-stores.ts'

const newId = createIds(Date.now)

test('stored usage records on SQLite are read anew once retention had removed all of them', async () => {
  const stores = await sqliteStores({ path: ':memory:' })
  onTestFinished(() => stores.close())
  for (let index = 0; index < 3; index++) await stores.addUsage(someUsage(newId))
  const { position } = await stores.storedUsage!.after(undefined, 10)
  await stores.transact((tx) => tx.usage.purge(Date.now() + 1_000, 10))
  expect((await stores.storedUsage!.after(position, 10)).records).toEqual([])
  const fresh = someUsage(newId)
  await stores.addUsage(fresh)
  expect((await stores.storedUsage!.after(position, 10)).records).toEqual([fresh])
})
