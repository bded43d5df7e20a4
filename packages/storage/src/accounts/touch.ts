import { maxClockSkewMs } from '@fairlead/core/stores'
import { sql } from 'kysely'
import type { Database } from '../sql/schema.ts'

/** Notes the last use of a record, unless it was noted since. A time that is too far ahead was noted while a clock was wrong. */
export async function touch(
  db: Database,
  table: 'api_keys' | 'sessions',
  id: string,
  { at, unlessSince }: { readonly at: number; readonly unlessSince: number },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set last_used_at = ${at}
    where id = ${id}
    and (last_used_at is null or last_used_at <= ${unlessSince} or last_used_at > ${at + maxClockSkewMs})
  `.execute(db)
}
