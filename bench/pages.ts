// node --conditions=@fairlead/source bench/pages.ts [shipments] [usage records] [events]: the cost of page 500 of a long
// list compared with page 1, on SQLite. With DATABASE_URL, also in a new database on that PostgreSQL server, and then the
// time of every ordinary page with 10 million usage records and 2 million events, and the plans of the slowest three.
// With 0 shipments, only the latter.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createIds } from '@fairlead/core/adapter'
import type { Position, Slice } from '@fairlead/core/stores'
import type { ShipmentFilters } from '@fairlead/shipments/stores'
import type { Stores } from '@fairlead/testing/workspace'
import { someShipment } from '@fairlead/testing'
import { postgresStores, sqliteStores } from '@fairlead/storage'
import { createTestDatabase } from '@fairlead/storage/testing'
import { median } from './median.ts'
import { timePages } from './time-pages.ts'

const [total = 1_000_000, usageRecords = 10_000_000, eventCount = 2_000_000] = process.argv.slice(2).map(Number)
const perTransaction = 2_000
const pageSize = 20
const deepPage = 500
const rounds = 41
const maxTimes = 2

/** Nine in ten belong to one user. One in a thousand has the status `exception`, so that a filter skips many rows. */
const owner = 'usr_1'
const lists: Readonly<Record<string, ShipmentFilters>> = {
  'of one owner': { userId: owner },
  'of one owner, by status': { userId: owner, status: 'exception' },
  'of one owner, by carrier': { userId: owner, carrier: 'Seven Seas' },
  'of everyone': {},
  'of everyone, by status': { status: 'exception' },
}

let anySlow = total > 0 && (await onSqlite())
const server = process.env['DATABASE_URL']
if (server) {
  if (total > 0) anySlow = (await onPostgres(server)) || anySlow
  anySlow = (await timePages(server, { usageRecords, events: eventCount })) || anySlow
}
if (anySlow) process.exitCode = 1

async function onSqlite(): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'fairlead-pages-'))
  try {
    const stores = await sqliteStores({ path: join(directory, 'pages.db') })
    await fill(stores)
    const tooSlow = await report('SQLite', stores)
    await stores.close()
    return tooSlow
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function onPostgres(url: string): Promise<boolean> {
  const database = await createTestDatabase(url)
  try {
    const stores = await postgresStores({ url: database.url })
    await fill(stores)
    // The server analyzes tables by itself only some time after many rows were added.
    await database.query('analyze')
    const tooSlow = await report('PostgreSQL', stores)
    await stores.close()
    return tooSlow
  } finally {
    await database.drop()
  }
}

async function fill(stores: Stores): Promise<void> {
  const startedAt = performance.now()
  let at = Date.parse('2026-01-01T00:00:00Z')
  const newId = createIds(() => at)
  for (let made = 0; made < total; made += perTransaction) {
    await stores.transact(async (tx) => {
      for (let number = made; number < Math.min(made + perTransaction, total); number++) {
        at += number % 3 // some in one millisecond
        await tx.shipments.add(
          someShipment(newId, {
            userId: number % 10 === 0 ? 'usr_2' : owner,
            reference: `order-${number}`,
            status: number % 1000 === 1 ? 'exception' : 'pending',
            carrier: number % 50 === 1 ? 'Seven Seas' : null,
            createdAt: at,
          }),
        )
      }
    })
  }
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`${total} shipments added in ${seconds.toFixed(1)} s (${Math.round(total / seconds)} a second)`)
}

/** Prints the cost of each list's pages, and returns whether a deep one costs too much. */
async function report(database: string, stores: Stores): Promise<boolean> {
  let slow = false
  for (const [name, filters] of Object.entries(lists)) {
    for (const first of ['newest', 'oldest'] as const) {
      const { after, number } = await walk(stores, filters, first)
      // In turns, so that other work on the machine affects both equally.
      const shallow: number[] = []
      const deep: number[] = []
      for (let round = 0; round < rounds; round++) {
        shallow.push(await time(stores, filters, { first, limit: pageSize + 1 }))
        deep.push(await time(stores, filters, { first, limit: pageSize + 1, after }))
      }
      const times = median(deep) / median(shallow)
      slow ||= times > maxTimes
      console.log(
        `${database.padEnd(10)}  ${name.padEnd(24)}  ${first} first  page 1: ${median(shallow).toFixed(3)} ms  ` +
          `page ${number}: ${median(deep).toFixed(3)} ms  ${times.toFixed(2)} times`,
      )
    }
  }
  return slow
}

/** Pages to the deep page, or to the second-last page of a shorter list, and returns its number and cursor. */
async function walk(stores: Stores, filters: ShipmentFilters, first: Slice['first']) {
  let after: Position | undefined
  let number = 1
  while (number < deepPage) {
    const slice = { first, limit: pageSize + 1, ...(after && { after }) }
    const found = await stores.read((view) => view.shipments.list(filters, slice))
    if (found.length <= pageSize) break
    after = found[pageSize - 1]
    number += 1
  }
  if (!after) throw new Error('the list has one page only: add more shipments')
  return { after: { createdAt: after.createdAt, id: after.id }, number }
}

async function time(stores: Stores, filters: ShipmentFilters, slice: Slice): Promise<number> {
  const startedAt = performance.now()
  await stores.read((view) => view.shipments.list(filters, slice))
  return performance.now() - startedAt
}
