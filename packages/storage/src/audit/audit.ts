import {
  type AuditFilters,
  type AuditMonth,
  type AuditStore,
  type ChainedEntry,
  emptyMonth,
  type SignedHead,
} from '@fairlead/accounts/stores'
import { sql, type SqlBool } from 'kysely'
import { type Conditions, equal, type Rank, RecordTable, upsert } from '../sql/record-table.ts'
import type { Database, RowOf, Schema } from '../sql/schema.ts'
import { toRow } from '../sql/statements.ts'

export function sqlAudit(db: Database): AuditStore {
  const entries = new RecordTable(db, 'audit_entries', toEntry)
  const setEnd = (end: AuditMonth) => upsert(db, 'audit_months', 'month', end)
  const ofMonth = async (month: string, after: number, limit: number) => {
    const rows = db.selectFrom('audit_entries').selectAll().where('month', '=', month).where('number', '>', after)
    return (await rows.orderBy('number').limit(limit).execute()).map(toEntry)
  }
  const ends = () => db.selectFrom('audit_months').selectAll().orderBy('month').execute()
  return {
    async head() {
      const row = await db.selectFrom('audit_heads').selectAll().executeTakeFirst()
      return row && toHead(row)
    },
    async takeHead() {
      // On every database, an update that changes nothing locks the row.
      const row = await db.updateTable('audit_heads').set({ id: headId }).returningAll().executeTakeFirst()
      return row && toHead(row)
    },
    setHead: ({ value, keyId, mac }) => upsert(db, 'audit_heads', 'id', { id: headId, value, key_id: keyId, mac }),
    find: (id) => entries.find(id),
    findMany: (ids) => entries.findMany(ids),
    list: (filters, slice) => entries.list(whereClauses(filters), slice, inChain),
    async end(month) {
      const end = await db.selectFrom('audit_months').selectAll().where('month', '=', month).executeTakeFirst()
      return end ?? emptyMonth(month)
    },
    ends,
    async months() {
      const all = await ends()
      const found = await db.selectFrom('audit_entries').select('month').distinct().execute()
      const noted = new Set(all.map(({ month }) => month))
      const others = found.filter(({ month }) => !noted.has(month)).map(({ month }) => emptyMonth(month))
      return [...all, ...others].toSorted((one, other) => (one.month < other.month ? -1 : 1))
    },
    ofMonth,
    async add(entry) {
      await db.insertInto('audit_entries').values(toRow(entry)).execute()
    },
    setEnd,
    async purge(before, limit) {
      const old = await db.selectFrom('audit_months').selectAll().where('month', '<', before).orderBy('month').execute()
      let left = limit
      for (const end of old) {
        const { month, entries: count } = end
        if (left === 0) break
        const kept = Math.max(0, count - left)
        await db.deleteFrom('audit_entries').where('month', '=', month).where('number', '>', kept).execute()
        const [last] = kept > 0 ? await ofMonth(month, kept - 1, 1) : []
        if (last) await setEnd({ ...end, entries: kept, hash: last.hash })
        else await db.deleteFrom('audit_months').where('month', '=', month).execute()
        left -= count - kept
      }
      return limit - left
    },
  }
}

/** The table has one row. */
const headId = 'head'

function toHead({ value, key_id: keyId, mac }: Schema['audit_heads']): SignedHead {
  return { value, keyId, mac }
}

/** Ids of the same millisecond are in no order. */
const inChain: Rank = {
  column: 'number',
  valueOf: (id) => sql`(select number from audit_entries where id = ${id})`,
}

function whereClauses({ createdAfter, createdBefore, ...filters }: AuditFilters): Conditions {
  const { actor, credential, action, outcome, projectId, targetId } = filters
  return [
    ...equal<'audit_entries'>({ actor, credential, action, outcome, project_id: projectId, target_id: targetId }),
    ...(createdAfter === undefined ? [] : [sql<SqlBool>`created_at > ${createdAfter}`]),
    ...(createdBefore === undefined ? [] : [sql<SqlBool>`created_at < ${createdBefore}`]),
  ]
}

function toEntry(row: RowOf<ChainedEntry>): ChainedEntry {
  return {
    id: row.id,
    month: row.month,
    number: row.number,
    createdAt: row.created_at,
    action: row.action,
    outcome: row.outcome,
    actor: row.actor,
    credential: row.credential,
    projectId: row.project_id,
    targetType: row.target_type,
    targetId: row.target_id,
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
    address: row.address,
    requestId: row.request_id,
    hash: row.hash,
    keyId: row.key_id,
    mac: row.mac,
  }
}
