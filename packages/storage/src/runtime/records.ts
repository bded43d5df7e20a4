import {
  type Claim,
  type ClaimStore,
  maxClockSkewMs,
  type SettingStore,
  type WriteCheckStore,
} from '@fairlead/core/stores'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { orDatabaseNow, type SqlDialect } from '../sql/dialect.ts'
import type { Database, Schema } from '../sql/schema.ts'

export function sqlClaims(db: Database, dialect: SqlDialect): ClaimStore {
  const now = () => orDatabaseNow(db, dialect.now())
  /** When a claim ends, as seen at that instant. A lease that began in the future has ended: the clock was wrong. */
  const until = (instant: RawBuilder<number>, keptForMs: number) => sql<number>`
    case
      when claims.outcome is not null then claims.at + ${keptForMs}
      when claims.at > ${instant} + ${sql.lit(maxClockSkewMs)} then 0
      else claims.lease_until
    end`
  const standing = (id: string) => db.selectFrom('claims').selectAll().where('id', '=', id)
  const running = (id: string, owner: string) =>
    db.updateTable('claims').where('id', '=', id).where('owner', '=', owner).where('outcome', 'is', null)

  return {
    async find(id, keptForMs) {
      const row = await standing(id).where(until(now(), keptForMs), '>', now()).executeTakeFirst()
      return row && toClaim(row)
    },
    async take({ id, fingerprint, owner }, { leaseMs, keptForMs }) {
      while (true) {
        // One statement, so that only one of several concurrent claims succeeds, in any process.
        const taken = await db
          .insertInto('claims')
          .values({ id, fingerprint, owner, lease_until: sql`${now()} + ${leaseMs}`, at: now(), outcome: null })
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet(({ ref }) => ({
                fingerprint: ref('excluded.fingerprint'),
                owner: ref('excluded.owner'),
                lease_until: ref('excluded.lease_until'),
                at: ref('excluded.at'),
                outcome: null,
              }))
              .where(sql<boolean>`${until(sql.ref('excluded.at'), keptForMs)} <= excluded.at`),
          )
          .returning('id')
          .executeTakeFirst()
        if (taken) return undefined
        const row = await standing(id).executeTakeFirst()
        // Its owner may have released it in between.
        if (row) return toClaim(row)
      }
    },
    async renew(id, owner, leaseMs) {
      const { numUpdatedRows } = await running(id, owner)
        .set({ lease_until: sql`${now()} + ${leaseMs}`, at: now() })
        .executeTakeFirst()
      return Number(numUpdatedRows) === 1
    },
    async keep(id, owner, outcome) {
      const { numUpdatedRows } = await running(id, owner).set({ outcome, at: now() }).executeTakeFirst()
      return Number(numUpdatedRows) === 1
    },
    async release(id, owner) {
      await db
        .deleteFrom('claims')
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('outcome', 'is', null)
        .execute()
    },
    async purge(before, limit) {
      const old = db.selectFrom('claims').select('id').where('at', '<', before).orderBy('at').limit(limit)
      const { numDeletedRows } = await db.deleteFrom('claims').where('id', 'in', old).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

function toClaim({ lease_until: leaseUntil, ...row }: Selectable<Schema['claims']>): Claim {
  return { ...row, leaseUntil }
}

export function sqlWriteChecks(db: Database): WriteCheckStore {
  return {
    async set(node, at) {
      await db
        .insertInto('write_checks')
        .values({ node, at })
        .onConflict((conflict) => conflict.column('node').doUpdateSet({ at }))
        .execute()
    },
    async purge(before, limit) {
      const old = db.selectFrom('write_checks').select('node').where('at', '<', before).limit(limit)
      const { numDeletedRows } = await db.deleteFrom('write_checks').where('node', 'in', old).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

export function sqlSettings(db: Database): SettingStore {
  return {
    async get(name) {
      const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
      return row?.value
    },
    async set(name, value) {
      await db
        .insertInto('settings')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
    },
  }
}
