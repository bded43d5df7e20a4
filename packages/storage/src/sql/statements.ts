import type { Slice } from '@fairlead/core/stores'
import {
  type CompiledQuery,
  type QueryResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from 'kysely'
import type { Database, Schema } from './schema.ts'

/** A placeholder for a value that differs each time a statement runs. */
export type Slot<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>

interface Prepared<Values, Row> {
  readonly query: CompiledQuery<Row>
  /** The value of each parameter; a value may be used several times. */
  readonly order: readonly (keyof Values)[]
}

/** Names of prepared statements, by their text. */
const names = new Map<string, string>()

/** The name of a prepared statement, under which a server can keep its plan; undefined for other statements. */
export function nameOf(text: string): string | undefined {
  return names.get(text)
}

/**
 * Builds and compiles a statement once for each kind of database, and runs it with different values. For the few
 * statements of every request, where compiling costs more than running.
 */
export function prepared<Values, Row = unknown>(
  build: (db: Database, slot: Slot<Values>) => { compile(db: Database): CompiledQuery<Row> },
): (db: Database, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<object, Prepared<Values, Row>>()

  function compile(db: Database): Prepared<Values, Row> {
    const query = build(db, (name) => sql.val(new Place(name)) as RawBuilder<never>).compile(db)
    const order = query.parameters.map((parameter) => {
      if (parameter instanceof Place) return parameter.name as keyof Values
      throw new Error('a prepared statement takes all its values from slots')
    })
    if (!names.has(query.sql)) names.set(query.sql, `fairlead_${names.size + 1}`)
    return { query, order }
  }

  return (db, values) => {
    const executor = db.getExecutor()
    let known = compiled.get(executor.adapter)
    if (!known) compiled.set(executor.adapter, (known = compile(db)))
    // Not by `db.executeQuery`, whose only addition is a promise.
    return executor.executeQuery({ ...known.query, parameters: known.order.map((name) => values[name]) })
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

/** Limits a query to a page that starts after the last record shown, not at an offset, so that every page costs the same. */
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

/** Whether a text expression contains a text. */
export function containing(expression: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[%_!]/g, '!$&')}%`
  return sql<SqlBool>`${expression} like ${pattern} escape '!'`
}

/** Error codes of unique violations: SQLite for primary keys and unique indexes, PostgreSQL for both. */
const codes: readonly unknown[] = [1555, 2067, '23505']

/**
 * Runs a change; returns false, and changes nothing, on a unique violation. In PostgreSQL, a transaction can continue
 * after a failed statement only from a savepoint.
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
