import type { Slice } from '@fairlead/core/stores'
import { sqlTables } from '@fairlead/storage'

export interface Note {
  readonly id: string
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

export interface NoteStore {
  add(note: Note): Promise<void>
  all(): Promise<readonly Note[]>
  /** Lists one slice of the notes with these ids, by default of all. */
  list(ids: readonly string[] | undefined, slice: Slice): Promise<readonly Note[]>
  /** Removes at most `limit` notes that were created before that time. Returns how many. */
  purge(before: number, limit: number): Promise<number>
}

interface NoteSchema {
  readonly notes: { readonly id: string; readonly text: string; readonly created_at: number }
}

/** The table of notes, on SQLite and PostgreSQL. */
export const noteTables = sqlTables<NoteSchema, { readonly notes: NoteStore }>({
  name: 'notes',
  migrations: {
    '0001-notes': (db) =>
      db.schema
        .createTable('notes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute(),
  },
  open: (db) => ({
    notes: {
      async add({ id, text, createdAt }) {
        await db.insertInto('notes').values({ id, text, created_at: createdAt }).execute()
      },
      async all() {
        return (await db.selectFrom('notes').selectAll().execute()).map(toNote)
      },
      async list(ids, { first, after, limit }) {
        if (ids?.length === 0) return []
        const [order, follows] = first === 'oldest' ? (['asc', '>'] as const) : (['desc', '<'] as const)
        let query = db.selectFrom('notes').selectAll().orderBy('created_at', order).orderBy('id', order).limit(limit)
        if (ids) query = query.where('id', 'in', ids)
        if (after) {
          query = query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('created_at', 'id'), follows, tuple(after.createdAt, after.id)),
          )
        }
        return (await query.execute()).map(toNote)
      },
      async purge(before, limit) {
        const old = db.selectFrom('notes').select('id').where('created_at', '<', before).limit(limit)
        const { numDeletedRows } = await db.deleteFrom('notes').where('id', 'in', old).executeTakeFirst()
        return Number(numDeletedRows)
      },
    },
  }),
})

function toNote({ id, text, created_at: createdAt }: NoteSchema['notes']): Note {
  return { id, text, createdAt }
}
