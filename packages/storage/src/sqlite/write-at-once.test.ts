import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'
import { someUsage } from '@fairlead/testing'
import { expect, onTestFinished, test } from 'vitest'
import { storesOn } from './sqlite-stores.ts'

const newId = createIds(Date.now)

test('the calls of a key that reserve at the same time share a statement', async () => {
  const { stores, changed } = await world()
  await Promise.all(['a', 'b', 'a', 'a'].map((counter) => stores.reserve(counter, 2)))
  expect(changed('counters')).toEqual(['insert a 2', 'insert b 1'])
})

test('a call whose limit differs from that of another call of its key is granted by its own', async () => {
  const { stores } = await world()
  const reservations = await Promise.all([1, 3, 1, 3].map((limit) => stores.reserve('a', limit)))
  expect(reservations.map(({ granted }) => granted)).toEqual([true, true, false, true])
})

test('the runs of a key that are recorded at the same time share the statements of its sums', async () => {
  const { stores, changed } = await world()
  const usages = ['a', 'b', 'a', 'a'].map((counter) => someUsage(newId, { counter, at: Date.UTC(2026, 0, 1) }))
  await Promise.all(usages.map((usage) => stores.addUsage(usage)))
  expect(changed('usage_hours')).toEqual(['insert a 3', 'insert b 1'])
  expect(changed('usage_days')).toEqual(['insert a 3', 'insert b 1'])
})

/** Stores whose database keeps each change of a row, with its counter and its units or requests. */
async function world() {
  const connection = new DatabaseSync(':memory:')
  const stores = await storesOn(connection, systemClock)
  onTestFinished(() => stores.close())
  connection.exec('create temp table changes (changed, change)')
  const units = { counters: 'used', usage_hours: 'requests', usage_days: 'requests' } as const
  for (const [table, column] of Object.entries(units))
    for (const kind of ['insert', 'update'])
      connection.exec(`create temp trigger ${kind}_${table} after ${kind} on main.${table} begin
        insert into changes values ('${table}', '${kind} ' || new.counter || ' ' || new.${column}); end`)
  return {
    stores,
    changed: (table: keyof typeof units) =>
      connection
        .prepare('select change from changes where changed = ?')
        .all(table)
        .map(({ change }) => change),
  }
}
