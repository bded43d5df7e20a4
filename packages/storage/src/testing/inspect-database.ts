import { DatabaseSync } from 'node:sqlite'

/** The contents of a database file, read by a separate connection. */
export interface Inspection {
  /** The result of `pragma integrity_check`; `ok` if the file is sound. */
  readonly integrity: unknown
  /** The units that a counter took, less the refunds. */
  used(counter: string): number
  /** The request of each charged run. */
  readonly chargedRequests: readonly string[]
  readonly images: readonly string[]
}

/** Reads all of a database file, also while others write it. */
export function inspectDatabase(path: string): Inspection {
  const connection = new DatabaseSync(path, { timeout: 5_000 })
  const column = (sql: string) =>
    connection
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0])
  try {
    const counters = connection.prepare('select counter, sum(used) as used from counters group by counter').all()
    const used = new Map(counters.map((row) => [row['counter'], Number(row['used'])]))
    return {
      integrity: column('pragma integrity_check')[0],
      used: (counter) => used.get(counter) ?? 0,
      chargedRequests: column('select request_id from usage_records where charged = 1').map(String),
      images: column('select id from images').map(String),
    }
  } finally {
    connection.close()
  }
}

/** Runs a statement on a database file, also while others write it. */
export function queryFile<Row>(path: string, statement: string): readonly Row[] {
  const connection = new DatabaseSync(path, { timeout: 5_000 })
  try {
    return connection.prepare(statement).all() as Row[]
  } finally {
    connection.close()
  }
}
