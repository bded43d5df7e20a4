import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Clock } from '@fairlead/core'
import { type Reading, type Reservation, runningMonths, type UsageRecord } from '@fairlead/core/stores'
import { look, share, tryToTake } from '../runtime/counters.ts'
import { addRow } from '../runtime/usage.ts'
import { addingToSums, type RunSums, sumRuns, toSums } from '../runtime/usage-sums.ts'
import type { Database } from '../sql/schema.ts'
import { toParameters, type Prepared } from '../sql/statements.ts'

/** Work that waits for its turn on the connection. */
export interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  outcome?: Outcome
}

export type Outcome = { readonly result: unknown } | { readonly error: unknown }

/** Tells the caller what the work came to. Where the transaction failed, an error of the work itself says more. */
export function settle({ outcome, resolve, reject }: Waiting, failure?: { readonly error: unknown }): void {
  if (outcome && 'error' in outcome) reject(outcome.error)
  else if (failure) reject(failure.error)
  else resolve(outcome?.result)
}

/** Writes values at once, without promises. */
export interface Writer<Value, Result> {
  write(value: Value): Result
  /** Has the same effect with fewer statements, and returns a result for each, in their order. */
  writeAll(values: readonly Value[]): readonly Result[]
}

/** A value that waits to be written. */
export interface WriteAtOnce extends Waiting {
  readonly writer: Writer<unknown, unknown>
  readonly value: unknown
}

export interface AtOnceSteps {
  /** A promise only if another process holds the lock. */
  begin(): Promise<void> | undefined
  savepoint(): void
  /** Undoes what was done since the savepoint. */
  undo(): void
  release(): void
  commit(): void
  rollBack(): void
}

/** Commits the writes in one transaction, and settles them. A promise only if another process holds the lock. */
export function commitAtOnce(batch: readonly WriteAtOnce[], steps: AtOnceSteps): Promise<void> | undefined {
  try {
    const begun = steps.begin()
    if (begun) {
      return begun.then(
        () => runAndCommit(batch, steps),
        (error: unknown) => failAll(batch, steps, error),
      )
    }
  } catch (error) {
    failAll(batch, steps, error)
    return undefined
  }
  runAndCommit(batch, steps)
  return undefined
}

function runAndCommit(batch: readonly WriteAtOnce[], steps: AtOnceSteps): void {
  try {
    runAll(batch, steps)
    steps.commit()
  } catch (error) {
    return failAll(batch, steps, error)
  }
  for (const each of batch) settle(each)
}

function failAll(batch: readonly WriteAtOnce[], steps: AtOnceSteps, error: unknown): void {
  steps.rollBack()
  for (const each of batch) settle(each, { error })
}

/** If one of them fails, all are undone, and each is repeated in a separate savepoint. */
function runAll(batch: readonly WriteAtOnce[], steps: AtOnceSteps): void {
  steps.savepoint()
  try {
    const [first, ...others] = batch
    if (first && others.length === 0) first.outcome = { result: first.writer.write(first.value) }
    else for (const [writer, writes] of Map.groupBy(batch, (each) => each.writer)) runTogether(writer, writes)
  } catch (error) {
    steps.undo()
    for (const each of batch) {
      each.outcome = { error }
      if (batch.length > 1) runAll([each], steps)
    }
  }
  steps.release()
}

function runTogether({ writeAll }: WriteAtOnce['writer'], writes: readonly WriteAtOnce[]): void {
  const results = writeAll(writes.map(({ value }) => value))
  writes.forEach((each, index) => (each.outcome = { result: results[index] }))
}

/**
 * Runs the writes of a model call at once and without promises: half of the time that a call spent in the store was
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

  /** The calls of a key share a statement. */
  readonly reservations: Writer<ReservingCall, Reservation> = {
    write: (call) => {
      const { units, ...reading } = this.#take(call, 1)
      return { granted: units === 1, ...reading }
    },
    writeAll: (calls) => {
      const ofKey = new Map<string, Generator<Reservation, never>>()
      for (const [key, { length, 0: call }] of Map.groupBy(calls, counterKey))
        ofKey.set(key, share(this.#take(call!, length)))
      return calls.map((call) => ofKey.get(counterKey(call))!.next().value)
    },
  }

  /** Tells which runs had no record yet. The runs of a key share the statements of its sums. */
  readonly usage: Writer<UsageRecord, boolean> = {
    write: (record) => {
      const isNew = this.#run(addRow, record) > 0
      if (isNew) this.#addToSums(toSums(record))
      return isNew
    },
    writeAll: (records) => {
      const isNew = records.map((record) => this.#run(addRow, record) > 0)
      for (const sums of sumRuns(records.filter((_record, index) => isNew[index]))) this.#addToSums(sums)
      return isNew
    },
  }

  /** Takes the units, or as many as the limit allows. */
  #take({ counter, limit }: ReservingCall, wanted: number): Reading & { readonly units: number } {
    const { month, soon } = runningMonths(this.#clock.now())
    let units = wanted
    while (true) {
      const asked = { counter, month, soon, limit, units, deadline: null, durable: 0 } as const
      const taken = this.#get(tryToTake, asked)
      if (taken) return { units, period: taken.period, used: taken.used }
      const { period, used } = this.#get(look, asked)!
      const left = (limit ?? Infinity) - used
      if (left <= 0) return { units: 0, period, used }
      // Either the limit allows fewer, or another process returned a unit.
      units = Math.min(units, left)
    }
  }

  #addToSums(sums: RunSums): void {
    for (const add of addingToSums(sums)) this.#run(add, sums)
  }

  #get<Values extends object, Row>(prepared: Prepared<Values, Row>, values: Values): Row | undefined {
    const { statement, order } = this.#open(prepared, values)
    return statement.get(...(toParameters(order, values) as SQLInputValue[])) as Row | undefined
  }

  /** Returns how many rows changed. */
  #run<Values extends object>(prepared: Prepared<Values>, values: Values): number {
    const { statement, order } = this.#open(prepared, values)
    return Number(statement.run(...(toParameters(order, values) as SQLInputValue[])).changes)
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

export interface ReservingCall {
  readonly counter: string
  readonly limit: number | null
}

function counterKey({ counter, limit }: ReservingCall): string {
  return `${limit} ${counter}`
}
