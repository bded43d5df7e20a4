import { earliestId, type ImageRow, type ImageStore } from '@fairlead/core/stores'
import { sql } from 'kysely'
import { equal, RecordTable } from '../sql/record-table.ts'
import type { Database, RowOf } from '../sql/schema.ts'
import { toRow } from '../sql/statements.ts'

export function sqlImages(db: Database): ImageStore {
  const images = new RecordTable(db, 'images', toImage)
  return {
    async isEmpty() {
      return (await db.selectFrom('images').select('id').limit(1).executeTakeFirst()) === undefined
    },
    find: (id) => images.find(id),
    async missing(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('images').select('id').where('id', 'in', ids).execute()
      const found = new Set(rows.map(({ id }) => id))
      return ids.filter((id) => !found.has(id))
    },
    async bytesOf(account) {
      const { rows } = await sql<{ readonly bytes: number }>`
        select cast(coalesce(sum(bytes), 0) as bigint) as bytes from images where coalesce(payer, user_id) = ${account}
      `.execute(db)
      return rows[0]!.bytes
    },
    async add(image) {
      await db
        .insertInto('images')
        .values(toRow(image))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },
    purge(before, limit) {
      const oldest = sql`select id from images where id < ${earliestId('img', before)} order by id limit ${limit}`
      return images.remove(sql`id in (${oldest})`)
    },
    removeOfUser: (userId) => images.remove(...equal<'images'>({ user_id: userId })),
  }
}

function toImage({ id, user_id: userId, payer, bytes, model, created_at: createdAt }: RowOf<ImageRow>): ImageRow {
  return { id, userId, payer, bytes, model, createdAt }
}
