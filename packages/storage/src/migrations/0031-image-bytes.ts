import { sql } from 'kysely'
import type { Database } from '../sql/schema.ts'

/**
 * How large images are, and who pays for a project's images, for a limit of the images of an account. Nobody noted the
 * sizes of earlier images: each counts as 1 MB, and so does one that a version before adds.
 */
export async function imageBytes(db: Database): Promise<void> {
  await db.schema
    .alterTable('images')
    .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(1_000_000))
    .execute()
  await db.schema.alterTable('images').addColumn('payer', 'text').execute()
  // The bytes are in the index, so that a sum reads no row.
  await sql`create index images_of_account on images (coalesce(payer, user_id), bytes)`.execute(db)
}
