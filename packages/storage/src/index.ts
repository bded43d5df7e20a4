/** Persistent stores for Fairlead: SQLite, PostgreSQL, and blobs on disk. */
export { sqliteStores } from './sqlite/sqlite-stores.ts'
export { postgresStores } from './postgres/postgres-stores.ts'
export { diskBlobs } from './gateway/disk-blobs.ts'
export { sqlTables } from './sql/tables.ts'
export type { Migration, SqlTables, StoresWith } from './sql/tables.ts'
export type { SqliteStoresOptions } from './sqlite/sqlite-stores.ts'
export type { PostgresStoresOptions } from './postgres/postgres-stores.ts'
