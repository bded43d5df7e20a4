import type { Role, Tier, User, UserStatus, UserStore } from '@fairlead/core/stores'
import type { Selectable } from 'kysely'
import { inSlice, unlessTaken } from '../sql/statements.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { sqlSettings } from '../runtime/records.ts'

export function sqlUsers(db: Database): UserStore {
  const settings = sqlSettings(db)
  return {
    async find(id) {
      const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toUser(row)
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('users').selectAll().where('id', 'in', ids).execute()
      return rows.map(toUser)
    },
    async findByEmail(email) {
      const row = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
      return row && toUser(row)
    },
    async passwordHash(userId) {
      const row = await db.selectFrom('passwords').select('hash').where('user_id', '=', userId).executeTakeFirst()
      return row?.hash
    },
    async list({ id, email, role, tier }, slice) {
      let query = db.selectFrom('users').selectAll()
      if (id !== undefined) query = query.where('id', '=', id)
      if (email !== undefined) query = query.where('email', '=', email)
      if (role !== undefined) query = query.where('role', '=', role)
      if (tier !== undefined) query = query.where('tier', '=', tier)
      return (await inSlice(query, slice).execute()).map(toUser)
    },
    async count() {
      const { total } = await db
        .selectFrom('users')
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },
    async take(id) {
      // An update that changes nothing locks the row on every database, and returns its current state.
      const row = await db
        .updateTable('users')
        .set((set) => ({ updated_at: set.ref('updated_at') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toUser(row)
    },
    async otherAdmins(id) {
      // Locks one row for all admins, so that two transactions cannot each remove an admin and keep none.
      await settings.set('admins', 'locked while one may leave')
      const { total } = await db
        .selectFrom('users')
        .select((select) => select.fn.countAll<number>().as('total'))
        .where('role', '=', 'admin')
        .where('status', '=', 'active')
        .where('id', '!=', id)
        .executeTakeFirstOrThrow()
      return Number(total)
    },
    async add(user) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('users')
        .values(toRow(user))
        .onConflict((conflict) => conflict.column('email').doNothing())
        .executeTakeFirst()
      return Number(numInsertedOrUpdatedRows) === 1
    },
    replace(user) {
      const { id, ...row } = toRow(user)
      return unlessTaken(db, () => db.updateTable('users').set(row).where('id', '=', id).execute())
    },
    async setPassword(userId, hash) {
      await db
        .insertInto('passwords')
        .values({ user_id: userId, hash })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hash }))
        .execute()
    },
    async remove(id) {
      const sessions = db.selectFrom('sessions').select('id').where('user_id', '=', id)
      await db.deleteFrom('access_tokens').where('session_id', 'in', sessions).execute()
      await db.deleteFrom('sessions').where('user_id', '=', id).execute()
      await db.deleteFrom('passwords').where('user_id', '=', id).execute()
      await db.deleteFrom('api_keys').where('user_id', '=', id).execute()
      await db.deleteFrom('users').where('id', '=', id).execute()
    },
  }
}

export function toUser(row: Selectable<Schema['users']>): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    tier: row.tier as Tier,
    quotaLimit: row.quota_limit,
    status: row.status as UserStatus,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

function toRow({ quotaLimit, createdAt, updatedAt, ...user }: User) {
  return { ...user, quota_limit: quotaLimit, created_at: createdAt, updated_at: updatedAt }
}
