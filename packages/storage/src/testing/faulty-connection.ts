import type { DatabaseSync, SQLInputValue, StatementResultingChanges, StatementSync } from 'node:sqlite'

/** A connection whose statements can be made to fail, and which counts them. */
export interface FaultyConnection {
  readonly connection: DatabaseSync
  /** Rejects the next runs of a statement, like a disk that cannot be written. */
  failNext(sql: string, runs: number): void
  /** How often a statement was run, with success. */
  runs(sql: string): number
}

export function faultyConnection(real: DatabaseSync): FaultyConnection {
  const failures = new Map<string, number>()
  const counts = new Map<string, number>()

  function prepare(sql: string): StatementSync {
    const statement = real.prepare(sql)
    const run: (...values: SQLInputValue[]) => StatementResultingChanges = statement.run.bind(statement)
    const runOrFail = (...values: SQLInputValue[]) => {
      const left = failures.get(sql) ?? 0
      failures.set(sql, left - 1)
      if (left > 0) throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
      counts.set(sql, (counts.get(sql) ?? 0) + 1)
      return run(...values)
    }
    return Object.assign(statement, { run: runOrFail })
  }

  return {
    connection: new Proxy(real, {
      get(target, name) {
        if (name === 'prepare') return prepare
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? member.bind(target) : member
      },
    }),
    failNext: (sql, runs) => void failures.set(sql, runs),
    runs: (sql) => counts.get(sql) ?? 0,
  }
}
