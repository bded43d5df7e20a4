/** Where a Fairlead keeps what must outlive it. */
export { sqliteStores } from './sqlite/sqlite-stores.ts'
export { postgresStores } from './postgres/postgres-stores.ts'
export { diskBlobs } from './gateway/disk-blobs.ts'
export type { SqliteStoresOptions } from './sqlite/sqlite-stores.ts'
export type { PostgresStoresOptions } from './postgres/postgres-stores.ts'
