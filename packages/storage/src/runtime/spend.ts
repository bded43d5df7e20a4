import type { Hold, Spend, SpendKey, SpendStore } from '@fairlead/core/stores'
import { sql } from 'kysely'
import { isPostgres } from '../sql/dialect.ts'
import { purge } from '../sql/record-table.ts'
import type { Database } from '../sql/schema.ts'
import { insertInto, prepared } from '../sql/statements.ts'

/**
 * A transaction locks holds before spends, and the spends of several budgets in the order in which it gets them, which is the
 * same everywhere. One that spends the expired holds of others waits for none of them.
 */
export function sqlSpend(db: Database): SpendStore {
  return {
    async find(keys) {
      if (keys.length === 0) return []
      const rows = await db
        .selectFrom('spend')
        .selectAll()
        .where(({ eb, or, and }) =>
          or(keys.map(({ budget, period }) => and([eb('budget', '=', budget), eb('period', '=', period)]))),
        )
        .execute()
      return rows
    },
    async reserve(hold, limit) {
      const { rows } = await tryToReserve(db, { ...hold, limit })
      if (rows.length === 0) return false
      if (!isPostgres(db)) await addHold(db, hold)
      return true
    },
    async settle(runId, keys, cost, reserved) {
      const held = new Map((await takeHolds(db, { runId })).rows.map(({ budget, amount }) => [budget, amount]))
      const spends: Spend[] = []
      for (const key of keys) {
        const released = held.get(key.budget)
        const added = released === undefined ? { cost: cost - reserved, released: 0 } : { cost, released }
        const { rows } = await addCost(db, { ...key, ...added })
        spends.push(rows[0]!)
      }
      return spends
    },
    async mark({ budget, period }, percent) {
      const { rows } = await sql`
        insert into spend (budget, period, spent, reserved, marked) values (${budget}, ${period}, 0, 0, ${percent})
        on conflict (budget, period) do update set marked = excluded.marked where spend.marked < excluded.marked
        returning budget
      `.execute(db)
      return rows.length > 0
    },
    async spendExpired(now, limit) {
      const expired = await removeExpired(db, now, limit)
      const sums = Map.groupBy(expired, (hold) => `${hold.budget}/${hold.period}`)
      for (const [, holds] of [...sums].sort(([one], [other]) => (one < other ? -1 : 1))) {
        const [{ budget: id, period }] = holds as [Hold]
        const amount = holds.reduce((sum, hold) => sum + hold.amount, 0)
        await addCost(db, { budget: id, period, cost: amount, released: amount })
      }
      return expired.length
    },
    purge: (before, limit) => purge(db, { from: 'spend', key: ['budget', 'period'], by: 'period' }, before, limit),
  }
}

/** On PostgreSQL, it also adds the hold: the spend stays locked for one round trip less. */
const tryToReserve = prepared<Hold & { readonly limit: number }>((db, slot) => {
  const amount = sql`cast(${slot('amount')} as bigint)`
  const limit = sql`cast(${slot('limit')} as bigint)`
  const reserve = sql`
    insert into spend (budget, period, spent, reserved, marked)
    select cast(${slot('budget')} as text), cast(${slot('period')} as text), 0, ${amount}, 0 where ${amount} <= ${limit}
    on conflict (budget, period) do update set reserved = spend.reserved + excluded.reserved
    where spend.spent + spend.reserved + excluded.reserved <= ${limit}
    returning budget, period
  `
  if (!isPostgres(db)) return reserve
  return sql`
    with reserved as (${reserve})
    insert into holds (run_id, budget, period, amount, expires_at)
    select ${slot('runId')}, budget, period, ${amount}, cast(${slot('expiresAt')} as bigint) from reserved
    returning budget
  `
})

const addHold = prepared<Hold>((_db, slot, { runId, budget, period, amount, expiresAt }) =>
  insertInto('holds', { runId, budget, period, amount, expiresAt }, slot),
)

const takeHolds = prepared<{ readonly runId: string }, Pick<Hold, 'budget' | 'amount'>>(
  (_db, slot) =>
    sql<Pick<Hold, 'budget' | 'amount'>>`delete from holds where run_id = ${slot('runId')} returning budget, amount`,
)

const addCost = prepared<SpendKey & { readonly cost: number; readonly released: number }, Spend>((_db, slot) => {
  const cost = sql`cast(${slot('cost')} as bigint)`
  return sql<Spend>`
    insert into spend (budget, period, spent, reserved, marked) values (${slot('budget')}, ${slot('period')}, ${cost}, 0, 0)
    on conflict (budget, period) do update
    set spent = spend.spent + ${cost}, reserved = spend.reserved - cast(${slot('released')} as bigint)
    returning budget, period, spent, reserved, marked
  `
})

async function removeExpired(
  db: Database,
  now: number,
  limit: number,
): Promise<readonly Pick<Hold, 'budget' | 'period' | 'amount'>[]> {
  const { rows } = await sql<Pick<Hold, 'budget' | 'period' | 'amount'>>`
    delete from holds where (run_id, budget) in (
      select run_id, budget from holds where expires_at <= ${now} limit ${limit}
      ${isPostgres(db) ? sql`for update skip locked` : sql``}
    )
    returning budget, period, amount
  `.execute(db)
  return rows
}
