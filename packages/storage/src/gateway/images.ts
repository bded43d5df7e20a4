import { earliestId, type ImageStore } from '@fairlead/core/stores'
import type { Database } from '../sql/schema.ts'

export function sqlImages(db: Database): ImageStore {
  return {
    async find(id) {
      const row = await db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst()
      return row && { id: row.id, userId: row.user_id, model: row.model, createdAt: row.created_at }
    },
    async missing(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('images').select('id').where('id', 'in', ids).execute()
      const found = new Set(rows.map(({ id }) => id))
      return ids.filter((id) => !found.has(id))
    },
    async add({ id, userId, model, createdAt }) {
      await db
        .insertInto('images')
        .values({ id, user_id: userId, model, created_at: createdAt })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },
    async purge(before, limit) {
      const rows = await db
        .deleteFrom('images')
        .where('id', 'in', (oldest) =>
          oldest
            .selectFrom('images')
            .select('id')
            .where('id', '<', earliestId('img', before))
            .orderBy('id')
            .limit(limit),
        )
        .returning('id')
        .execute()
      return rows.map(({ id }) => id)
    },
    async removeOfUser(userId) {
      const rows = await db.deleteFrom('images').where('user_id', '=', userId).returning('id').execute()
      return rows.map(({ id }) => id)
    },
  }
}
