import type { UserStore } from '@fairlead/accounts/stores'
import { sql, type SqlBool } from 'kysely'
import { equal, RecordTable, unlessTaken, upsert } from '../sql/record-table.ts'
import type { Database } from '../sql/schema.ts'
import { toRow } from '../sql/statements.ts'
import { isUser, removeOwner, toUser } from './owners.ts'
import { sqlSettings } from '../runtime/records.ts'

export function sqlUsers(db: Database): UserStore {
  const settings = sqlSettings(db)
  const users = new RecordTable(db, 'users', toUser)
  return {
    find: async (id) => (await users.where(isUser, ...equal<'users'>({ id })))[0],
    findMany: async (ids) => (ids.length === 0 ? [] : users.where(isUser, sql<SqlBool>`id in (${sql.join(ids)})`)),
    findByEmail: async (email) => (await users.where(isUser, ...equal<'users'>({ email })))[0],
    async passwordHash(userId) {
      const row = await db.selectFrom('passwords').select('hash').where('user_id', '=', userId).executeTakeFirst()
      return row?.hash
    },
    list: (filters, slice) => users.list([isUser, ...equal<'users'>(filters)], slice),
    count: () => users.count([isUser]),
    take: (id) => users.take(id, 'version', isUser),
    async otherAdmins(id) {
      // Locks one row for all admins, so that two transactions cannot each remove an admin and keep none.
      await settings.set('admins', 'locked while one may leave')
      return users.count([...equal<'users'>({ role: 'admin', status: 'active' }), sql<SqlBool>`id <> ${id}`])
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
    setPassword: (userId, hash) => upsert(db, 'passwords', 'user_id', { user_id: userId, hash }),
    async remove(id) {
      const sessions = db.selectFrom('sessions').select('id').where('user_id', '=', id)
      await db.deleteFrom('access_tokens').where('session_id', 'in', sessions).execute()
      await db.deleteFrom('sessions').where('user_id', '=', id).execute()
      await db.deleteFrom('identities').where('user_id', '=', id).execute()
      await db.deleteFrom('passkeys').where('user_id', '=', id).execute()
      await db.deleteFrom('passwords').where('user_id', '=', id).execute()
      await removeOwner(db, id)
    },
  }
}
