import { closeSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Overwrites the first pages of a table and its indexes in a database file that is not open. */
export function damageTable(path: string, table: string): void {
  const connection = new DatabaseSync(path)
  connection.exec('pragma wal_checkpoint(truncate)')
  const pages = connection.prepare('select rootpage from sqlite_schema where tbl_name = ?').all(table)
  const size = Number(connection.prepare('pragma page_size').get()?.['page_size'])
  connection.close()
  const file = openSync(path, 'r+')
  for (const { rootpage } of pages) writeSync(file, Buffer.alloc(size, 0xa5), 0, size, (Number(rootpage) - 1) * size)
  closeSync(file)
}
