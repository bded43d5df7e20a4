/**
 * In place of the package on Cloudflare Workers, which have no SQLite of Node.js and no disk, and close the connections of a
 * request with it.
 */
export { sqlTables } from './sql/tables.ts'

export const sqliteStores = unavailable('sqliteStores')
export const postgresStores = unavailable('postgresStores')
export const backUpSqlite = unavailable('backUpSqlite')
export const readBackupSetting = unavailable('readBackupSetting')
export const copyToPostgres = unavailable('copyToPostgres')
export const readDatabaseState = unavailable('readDatabaseState')
export const diskBlobs = unavailable('diskBlobs')
export const diskFiles = unavailable('diskFiles')

function unavailable(name: string) {
  return (): never => {
    throw new Error(
      `${name} of @fairlead/storage does not run on Cloudflare Workers: run it with Node.js, or leave it out`,
    )
  }
}
