import { operationsFor, type ServicesWith, systemClock } from '@fairlead/core'
import { storeSuite } from '@fairlead/testing/suites'
import { sqlTables } from '../sql/tables.ts'
import { openConnection } from './open-connection.ts'
import { sqliteStores, storesOn } from './sqlite-stores.ts'

const migrated = await openConnection(':memory:')
const stores = await storesOn(migrated, systemClock)
const template = migrated.serialize()
await stores.close()

// Each test gets a copy, because the migrations take longer than most tests.
storeSuite('SQLite', async (clock) => {
  const connection = await openConnection(':memory:')
  connection.deserialize(template)
  return storesOn(connection, clock)
})

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
  tables: ['notes'],
})

storeSuite(
  'SQLite, with tables of a feature of one’s own,',
  (clock) => sqliteStores({ path: ':memory:', clock, tables: [noteTables] }),
  { features: [notes] },
)
