import type { Database } from '../sql/schema.ts'

/** Whether requests were streamed and cached, and why they failed; null for those before. */
export async function requestDetails(db: Database): Promise<void> {
  const add = (column: string, type: 'integer' | 'text') =>
    db.schema.alterTable('usage_records').addColumn(column, type).execute()
  await add('stream', 'integer')
  await add('cached', 'integer')
  await add('details', 'text')
}
