import {
  type Claim,
  type ClaimStore,
  maxClockSkewMs,
  type SettingStore,
  type WriteCheckStore,
} from '@fairlead/core/stores'
import { type RawBuilder, sql } from 'kysely'
import { orDatabaseNow, type SqlDialect } from '../sql/dialect.ts'
import { purge, upsert } from '../sql/record-table.ts'
import type { Database, RowOf } from '../sql/schema.ts'

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
  const whileRunning = (id: string, owner: string) => sql`where id = ${id} and owner = ${owner} and outcome is null`

  return {
    async find(id, keptForMs) {
      const row = await standing(id).where(until(now(), keptForMs), '>', now()).executeTakeFirst()
      return row && toClaim(row)
    },
    async take({ id, fingerprint, owner }, { leaseMs, keptForMs }) {
      while (true) {
        // One statement, so that only one of several concurrent claims succeeds, in any process.
        const { rows: taken } = await sql`
          insert into claims (id, fingerprint, owner, lease_until, at, outcome)
          values (${id}, ${fingerprint}, ${owner}, ${now()} + ${leaseMs}, ${now()}, null)
          on conflict (id) do update set fingerprint = excluded.fingerprint, owner = excluded.owner,
            lease_until = excluded.lease_until, at = excluded.at, outcome = null
          where ${until(sql.ref('excluded.at'), keptForMs)} <= excluded.at
          returning id
        `.execute(db)
        if (taken.length > 0) return undefined
        const row = await standing(id).executeTakeFirst()
        // Its owner may have released it in between.
        if (row) return toClaim(row)
      }
    },
    async renew(id, owner, leaseMs) {
      const changes = sql`lease_until = ${now()} + ${leaseMs}, at = ${now()}`
      const { numAffectedRows } = await sql`update claims set ${changes} ${whileRunning(id, owner)}`.execute(db)
      return numAffectedRows === 1n
    },
    async keep(id, owner, outcome) {
      const changes = sql`outcome = ${outcome}, at = ${now()}`
      const { numAffectedRows } = await sql`update claims set ${changes} ${whileRunning(id, owner)}`.execute(db)
      return numAffectedRows === 1n
    },
    async release(id, owner) {
      await sql`delete from claims ${whileRunning(id, owner)}`.execute(db)
    },
    purge: (before, limit) => purge(db, { from: 'claims', key: ['id'], by: 'at' }, before, limit),
  }
}

function toClaim({ lease_until: leaseUntil, ...row }: RowOf<Claim>): Claim {
  return { ...row, leaseUntil }
}

export function sqlWriteChecks(db: Database): WriteCheckStore {
  return {
    set: (node, at) => upsert(db, 'write_checks', 'node', { node, at }),
    purge: (before, limit) => purge(db, { from: 'write_checks', key: ['node'], by: 'at' }, before, limit),
  }
}

export function sqlSettings(db: Database): SettingStore {
  return {
    async get(name) {
      const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
      return row?.value
    },
    set: (name, value) => upsert(db, 'settings', 'name', { name, value }),
  }
}
