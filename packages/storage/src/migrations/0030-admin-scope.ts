import { sql } from 'kysely'
import type { Database } from '../sql/schema.ts'

/** Keys of admins with the scope `models` could reload the configuration, which needs the scope `admin` from now on. */
export async function adminScope(db: Database): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ scopes: sql`replace(scopes, '"models"', '"models","admin"')` })
    .where('scopes', 'like', '%"models"%')
    .where('scopes', 'not like', '%"admin"%')
    .where('revoked_at', 'is', null)
    .where('user_id', 'in', db.selectFrom('users').select('id').where('role', '=', 'admin'))
    .execute()
}
