import type { RuntimeStores } from '@fairlead/core/stores'
import type { Transaction, View } from '../stores.ts'
import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** The tables of a feature of your own, besides Fairlead's. Declare them with `sqlTables`. */
export interface SqlTables<Tables extends object = object> {
  /** The name of the feature. */
  readonly name: string
  readonly migrations: Readonly<Record<string, Migration<Database>>>
  open(db: Database): Tables
}

export type Migration<Db> = (db: Db) => Promise<void>

/**
 * Declares the tables of a feature, for SQLite and PostgreSQL. Its stores take part in the transactions of Fairlead's own.
 *
 * @param tables.migrations by name, in the order of their names, forward only. A released migration never changes. They
 *   run when the stores open, each in one transaction on PostgreSQL
 * @param tables.open returns the stores over a database handle, whose transaction is open
 * @example
 *   const notes = sqlTables<{ notes: NoteRow }, { notes: NoteStore }>({
 *     name: 'notes',
 *     migrations: { '0001-notes': (db) => db.schema.createTable('notes').addColumn('id', 'text').execute() },
 *     open: (db) => ({ notes: { add: async (note) => void (await db.insertInto('notes').values(note).execute()) } }),
 *   })
 *   const stores = await sqliteStores({ path: 'fairlead.db', tables: [notes] })
 */
export function sqlTables<Schema, Tables extends object>(tables: {
  readonly name: string
  readonly migrations: Readonly<Record<string, Migration<Kysely<Schema>>>>
  readonly open: (db: Kysely<Schema>) => Tables
}): SqlTables<Tables> {
  return tables as never
}

/** Stores with the tables of Fairlead and these. */
export type StoresWith<All extends readonly SqlTables[]> = RuntimeStores<
  View & TablesOf<All>,
  Transaction & TablesOf<All>
>

type TablesOf<All extends readonly unknown[]> = All extends readonly [SqlTables<infer First>, ...infer Others]
  ? First & TablesOf<Others>
  : unknown
