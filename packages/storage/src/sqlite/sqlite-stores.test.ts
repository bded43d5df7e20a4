import { operationsFor, type ServicesWith } from '@fairlead/core'
import { storeSuite } from '@fairlead/testing/suites'
import { sqlTables } from '../sql/tables.ts'
import { sqliteStores } from './sqlite-stores.ts'

storeSuite('SQLite', (clock) => sqliteStores({ path: ':memory:', clock }))

interface NoteStore {
  add(text: string): Promise<void>
}
const noteTables = sqlTables<{ readonly notes: { readonly text: string } }, { readonly notes: NoteStore }>({
  name: 'notes',
  migrations: { '0001-notes': (db) => db.schema.createTable('notes').addColumn('text', 'text').execute() },
  open: (db) => ({ notes: { add: async (text) => void (await db.insertInto('notes').values({ text }).execute()) } }),
})
const notes = operationsFor<ServicesWith<{ readonly notes: NoteStore }>>().defineFeature({
  name: 'notes',
  operations: {},
})

storeSuite(
  'SQLite, with tables of a feature of one’s own,',
  (clock) => sqliteStores({ path: ':memory:', clock, tables: [noteTables] }),
  { features: [notes] },
)
