import type { Slice } from '@fairlead/core/stores'
import { type CompiledQuery, type QueryResult, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Schema } from './schema.ts'

/** Stands in a statement for a value that comes with each run. */
export type Slot<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>

interface Prepared<Values, Row> {
  readonly query: CompiledQuery<Row>
  /** The value for each parameter; a value may stand in several places. */
  readonly order: readonly (keyof Values)[]
}

/**
 * A statement that is built and compiled once for each kind of database, and run with other values each time: for the
 * few that every request runs, where compiling costs more than the work.
 */
export function prepared<Values, Row = unknown>(
  build: (db: Database, slot: Slot<Values>) => { compile(db: Database): CompiledQuery<Row> },
): (db: Database, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<object, Prepared<Values, Row>>()

  function compile(db: Database): Prepared<Values, Row> {
    const query = build(db, (name) => sql.val(new Place(name)) as RawBuilder<never>).compile(db)
    const order = query.parameters.map((parameter) => {
      if (parameter instanceof Place) return parameter.name as keyof Values
      throw new Error('a prepared statement takes all of its values through slots')
    })
    return { query, order }
  }

  return (db, values) => {
    const kind = db.getExecutor().adapter
    let known = compiled.get(kind)
    if (!known) compiled.set(kind, (known = compile(db)))
    return db.executeQuery({ ...known.query, parameters: known.order.map((name) => values[name]) })
  }
}

class Place {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** The tables whose records are listed. */
type Listed = {
  [Table in keyof Schema]: Schema[Table] extends { created_at: number; id: string } ? Table : never
}[keyof Schema]

/** Narrows a query to a slice. It goes by the last record shown, not by counting, so that every page costs the same. */
export function inSlice<Table extends Listed, Row>(
  query: SelectQueryBuilder<Schema, Table, Row>,
  { first, after, limit }: Slice,
): SelectQueryBuilder<Schema, Table, Row> {
  const beyond = first === 'oldest' ? sql`>` : sql`<`
  const direction = first === 'oldest' ? 'asc' : 'desc'
  const rest = after ? query.where(sql<boolean>`(created_at, id) ${beyond} (${after.createdAt}, ${after.id})`) : query
  return rest
    .orderBy(sql`created_at`, direction)
    .orderBy(sql`id`, direction)
    .limit(limit)
}

/** SQLite's extended codes for a taken primary key or unique value, PostgreSQL's for both. */
const codes: readonly unknown[] = [1555, 2067, '23505']

/**
 * Makes a change; false, and nothing changed, where a value is taken. After a failed statement PostgreSQL lets a
 * transaction go on only from a savepoint.
 */
export async function unlessTaken(db: Database, change: () => Promise<unknown>): Promise<boolean> {
  await sql`savepoint before_change`.execute(db)
  try {
    await change()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await sql`rollback to savepoint before_change`.execute(db)
    return false
  }
  await sql`release savepoint before_change`.execute(db)
  return true
}

function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return codes.includes('errcode' in error ? error.errcode : 'code' in error ? error.code : undefined)
}
