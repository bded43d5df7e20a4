import type { Session, SessionStore } from '@fairlead/core/stores'
import type { Database, Schema } from '../sql/schema.ts'
import { toUser } from './users.ts'

export function sqlSessions(db: Database): SessionStore {
  return {
    async find(id) {
      const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toSession(row)
    },
    async take(id) {
      const row = await db
        .updateTable('sessions')
        .set((set) => ({ generation: set.ref('generation') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toSession(row)
    },
    async ofUser(userId) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toSession)
    },
    async findByAccessHash(hash) {
      const access = await db.selectFrom('access_tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
      const session =
        access && (await db.selectFrom('sessions').selectAll().where('id', '=', access.session_id).executeTakeFirst())
      const user =
        session && (await db.selectFrom('users').selectAll().where('id', '=', session.user_id).executeTakeFirst())
      return user && { session: toSession(session), user: toUser(user), expiresAt: access.expires_at }
    },
    async add(session) {
      await db.insertInto('sessions').values(toRow(session)).execute()
    },
    async replace({ id, ...session }) {
      const { id: _id, ...row } = toRow({ id, ...session })
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

function toSession(row: Schema['sessions']): Session {
  return {
    id: row.id,
    userId: row.user_id,
    generation: row.generation,
    createdAt: row.created_at,
    refreshedAt: row.refreshed_at,
    expiresAt: row.expires_at,
  }
}

function toRow({ id, userId, generation, createdAt, refreshedAt, expiresAt }: Session): Schema['sessions'] {
  return {
    id,
    user_id: userId,
    generation,
    created_at: createdAt,
    refreshed_at: refreshedAt,
    expires_at: expiresAt,
  }
}
