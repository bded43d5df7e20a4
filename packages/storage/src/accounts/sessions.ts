import type { SessionRow, SessionStore } from '@fairlead/accounts/stores'
import { sql } from 'kysely'
import { RecordTable } from '../sql/record-table.ts'
import type { Database, RowOf } from '../sql/schema.ts'
import { toRow } from '../sql/statements.ts'
import { toUser } from './owners.ts'
import { touch } from './touch.ts'

export function sqlSessions(db: Database): SessionStore {
  const sessions = new RecordTable(db, 'sessions', toSession)
  return {
    find: (id) => sessions.find(id),
    take: (id) => sessions.take(id, 'generation'),
    ofUser: (userId) =>
      sessions.select(sql`select * from sessions where user_id = ${userId} order by created_at desc, id desc`),
    async findByAccessHash(hash) {
      const access = await db.selectFrom('access_tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
      const session = access && (await sessions.find(access.session_id))
      const user = session && (await new RecordTable(db, 'users', toUser).find(session.userId))
      return user && { session, user, expiresAt: access.expires_at }
    },
    ofIssuerSession: (issuerSession) => sessions.where(sql`issuer_session = ${issuerSession}`),
    async add(session) {
      await db.insertInto('sessions').values(toRow(session)).execute()
    },
    async replace(session) {
      const { id, ...row } = toRow(session)
      await db.updateTable('sessions').set(row).where('id', '=', id).execute()
    },
    async addAccess(hash, sessionId, { from, until }) {
      await db.deleteFrom('access_tokens').where('session_id', '=', sessionId).where('expires_at', '<=', from).execute()
      await db
        .insertInto('access_tokens')
        .values({ hash, session_id: sessionId, expires_at: until })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .execute()
    },
    touch: (id, at, unlessSince) => touch(db, 'sessions', id, { at, unlessSince }),
    async purge(before, limit) {
      const ended = await db.selectFrom('sessions').select('id').where('expires_at', '<', before).limit(limit).execute()
      await this.remove(ended.map(({ id }) => id))
      return ended.length
    },
    async remove(ids) {
      if (ids.length === 0) return
      await db.deleteFrom('access_tokens').where('session_id', 'in', ids).execute()
      await db.deleteFrom('sessions').where('id', 'in', ids).execute()
    },
  }
}

function toSession(row: RowOf<SessionRow>): SessionRow {
  return {
    id: row.id,
    userId: row.user_id,
    generation: row.generation,
    createdAt: row.created_at,
    refreshedAt: row.refreshed_at,
    expiresAt: row.expires_at,
    issuerSession: row.issuer_session,
    confirmedAt: row.confirmed_at ?? null,
    issuerToken: row.issuer_token ?? null,
    userAgent: row.user_agent,
    address: row.address,
    lastUsedAt: row.last_used_at,
  }
}
