// node --conditions=@fairlead/source bench/event-types.ts [events]: how long the list of the rare events of a type takes
// among many others, on SQLite. With DATABASE_URL, also in a new database on that PostgreSQL server.
import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventFilters } from '@fairlead/webhooks/stores'
import type { Stores } from '@fairlead/testing/workspace'
import { postgresStores, sqliteStores } from '@fairlead/storage'
import { createTestDatabase } from '@fairlead/storage/testing'
import { median } from './median.ts'

const total = Number(process.argv[2] ?? 1_000_000)
const rounds = 21
const maxMs = 50

/** Nine in ten belong to one user. No event is about a quota except the five oldest. */
const owner = 'usr_1'
const quota = ['quota.warning', 'quota.exceeded']
const shipment = ['shipment.created', 'shipment.updated', 'shipment.status_changed', 'shipment.deleted']
const lists: Readonly<Record<string, EventFilters>> = {
  'quota.* of everyone': { types: quota },
  'quota.* of one user': { types: quota, userId: owner },
  'shipment.* of everyone': { types: shipment },
  'all of everyone': {},
}

/** Adds the events in one statement, in the dialect of both databases. */
const fill = (numbers: string, digits: string) => `
  insert into events (id, type, user_id, resource_id, created_at, data)
  select 'evt_' || ${digits}, case when n <= 5 then 'quota.warning' when n % 3 = 0 then 'shipment.created'
    else 'shipment.updated' end, case when n % 10 = 0 then 'usr_2' else '${owner}' end, 'shp_' || n, n, '{}'
  from ${numbers}`

let isSlow = await onSqlite()
const server = process.env['DATABASE_URL']
if (server) isSlow = (await onPostgres(server)) || isSlow
if (isSlow) process.exitCode = 1

async function onSqlite(): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'fairlead-events-'))
  try {
    const path = join(directory, 'events.db')
    const stores = await sqliteStores({ path })
    const file = new DatabaseSync(path)
    const numbers = `(with recursive r(n) as (select 1 union all select n + 1 from r where n < ${total}) select n from r)`
    file.exec(fill(numbers, "printf('%020d', n)"))
    file.close()
    return await report('SQLite', stores)
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function onPostgres(url: string): Promise<boolean> {
  const database = await createTestDatabase(url)
  try {
    const stores = await postgresStores({ url: database.url })
    await database.query(fill(`generate_series(1, ${total}) as n`, "lpad(n::text, 20, '0')"))
    // The server analyzes tables by itself only some time after many rows were added.
    await database.query('analyze')
    return await report('PostgreSQL', stores)
  } finally {
    await database.drop()
  }
}

/** Prints the times, closes the stores, and returns whether a list was too slow. */
async function report(name: string, stores: Stores): Promise<boolean> {
  let slowest = 0
  for (const [list, filters] of Object.entries(lists)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now()
      await stores.read((view) => view.events.list(filters, { first: 'newest', limit: 21 }))
      times.push(performance.now() - startedAt)
    }
    const ms = median(times)
    slowest = Math.max(slowest, ms)
    console.log(`${name.padEnd(10)} ${list.padEnd(22)} ${ms.toFixed(2)} ms`)
  }
  await stores.close()
  return slowest > maxMs
}
