import { sqlTables } from '@fairlead/storage'

export interface Note {
  readonly id: string
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

export interface NoteStore {
  add(note: Note): Promise<void>
  /** All notes, newest first. */
  list(): Promise<readonly Note[]>
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
      async list() {
        const rows = await db.selectFrom('notes').selectAll().orderBy('created_at', 'desc').execute()
        return rows.map(({ id, text, created_at: createdAt }) => ({ id, text, createdAt }))
      },
      async purge(before, limit) {
        const old = db.selectFrom('notes').select('id').where('created_at', '<', before).limit(limit)
        const { numDeletedRows } = await db.deleteFrom('notes').where('id', 'in', old).executeTakeFirst()
        return Number(numDeletedRows)
      },
    },
  }),
})
