import type { DatabaseSync } from 'node:sqlite'
import type { EventFilters } from '@fairlead/webhooks/stores'
import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../migrations/migrations.ts'
import { kyselyOn } from '../sqlite/sqlite-stores.ts'
import { openConnection } from '../sqlite/open-connection.ts'
import { purgeByTime } from '../sql/timed-tables.ts'
import { sqlEvents } from './events.ts'

/** How SQLite reads the table of events for a list. */
async function explainPlan(filters: EventFilters): Promise<readonly string[]> {
  const connection = await openConnection(':memory:')
  onTestFinished(() => connection.close())
  const prepared: string[] = []
  const watched = new Proxy(connection, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...values: Parameters<DatabaseSync['prepare']>) => {
        if (name === 'prepare') prepared.push(values[0])
        return member.apply(target, values)
      }
    },
  })
  const db = kyselyOn(watched, () => {})
  await migrate(db)
  await sqlEvents(db, { purge: purgeByTime }).list(filters, {
    first: 'newest',
    limit: 21,
    after: { createdAt: 1, id: 'evt_1' },
  })
  const rows = connection.prepare(`explain query plan ${prepared.at(-1)}`).all()
  return rows
    .map(({ detail }) => String(detail))
    .filter((detail) => /\bevents (USING|VIRTUAL)|SCAN events$/.test(detail))
}

describe('a list of events', () => {
  const quota = ['quota.warning', 'quota.exceeded']

  test('a list of events of some types reads only events of these types, in their order', async () => {
    const plan = await explainPlan({ types: quota })
    expect(plan).toEqual(Array(2).fill(expect.stringMatching(/^SEARCH events USING INDEX events_of_type \(type=\?/)))
  })

  test('a list of events of some types of one user reads only those', async () => {
    const plan = await explainPlan({ types: quota, userId: 'usr_1' })
    const search = /^SEARCH events USING INDEX events_of_user_and_type \(user_id=\? AND type=\?/
    expect(plan).toEqual(Array(2).fill(expect.stringMatching(search)))
  })

  test('a list of events of some types of one record reads only those of the record', async () => {
    const plan = await explainPlan({ types: quota, resourceId: 'key_1' })
    expect(plan).toEqual([expect.stringMatching(/^SEARCH events USING INDEX events_of_resource \(resource_id=\?/)])
  })

  test('a list of events of all types reads them in the order of creation', async () => {
    expect(await explainPlan({})).toEqual([expect.stringContaining('USING INDEX events_by_creation')])
  })
})
