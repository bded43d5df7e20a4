import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Clock } from '@fairlead/core'
import { type Reservation, runningMonths, type UsageRecord } from '@fairlead/core/stores'
import { look, tryToTake } from '../runtime/counters.ts'
import { addRow } from '../runtime/usage.ts'
import { addingToSums } from '../runtime/usage-sums.ts'
import type { Database } from '../sql/schema.ts'
import { parametersOf, type Prepared } from '../sql/statements.ts'

/**
 * What every call of a model writes, at once and without promises: half of the time that a call spent in the store was
 * spent between its statements. A transaction must be open.
 */
export class CallStatements {
  readonly #connection: DatabaseSync
  readonly #db: Database
  readonly #clock: Clock
  readonly #opened = new Map<object, OpenedStatement>()

  /** @param db compiles the statements, and runs none */
  constructor(connection: DatabaseSync, db: Database, clock: Clock) {
    this.#connection = connection
    this.#db = db
    this.#clock = clock
  }

  reserve(counter: string, limit: number | null): Reservation {
    const { month, soon } = runningMonths(this.#clock.now())
    const asked = { counter, month, soon, limit, units: 1, deadline: null, durable: 0 } as const
    while (true) {
      const taken = this.#get(tryToTake, asked)
      if (taken) return { granted: true, period: taken.period, used: taken.used }
      const { period, used } = this.#get(look, asked)!
      // If a unit is left, another process returned it.
      if (limit !== null && used >= limit) return { granted: false, period, used }
    }
  }

  /** Adds a record and its sums; returns false if the run has a record. */
  addUsage(record: UsageRecord): boolean {
    if (this.#run(addRow, record) === 0) return false
    for (const add of addingToSums(record)) this.#run(add, record)
    return true
  }

  #get<Values extends object, Row>(prepared: Prepared<Values, Row>, values: Values): Row | undefined {
    const { statement, order } = this.#open(prepared, values)
    return statement.get(...(parametersOf(order, values) as SQLInputValue[])) as Row | undefined
  }

  /** Returns how many rows changed. */
  #run<Values extends object>(prepared: Prepared<Values>, values: Values): number {
    const { statement, order } = this.#open(prepared, values)
    return Number(statement.run(...(parametersOf(order, values) as SQLInputValue[])).changes)
  }

  #open<Values extends object, Row>(prepared: Prepared<Values, Row>, values: Values): OpenedStatement {
    const known = this.#opened.get(prepared)
    if (known) return known
    const { query, order } = prepared.compiledFor(this.#db, values)
    const opened = { statement: this.#connection.prepare(query.sql), order: order as readonly never[] }
    this.#opened.set(prepared, opened)
    return opened
  }
}

interface OpenedStatement {
  readonly statement: StatementSync
  /** Fields of the values of its statement. */
  readonly order: readonly never[]
}
