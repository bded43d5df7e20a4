import type { Slice } from '@fairlead/core/stores'
import { type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Database, Schema } from './schema.ts'

/** Conditions that all have to be met. */
export type Conditions = readonly Expression<SqlBool>[]

type WithId = { [Name in keyof Schema]: Schema[Name] extends { id: string } ? Name : never }[keyof Schema]

/** The queries that stores run on most tables. A class, because stores are created for each transaction. */
export class RecordTable<Name extends WithId, Rec> {
  readonly #db: Database
  readonly #table: RawBuilder<unknown>
  readonly #toRecord: (row: Schema[Name]) => Rec

  constructor(db: Database, name: Name, toRecord: (row: Schema[Name]) => Rec) {
    this.#db = db
    this.#table = sql.table(name)
    this.#toRecord = toRecord
  }

  async select(query: RawBuilder<Schema[Name]>): Promise<Rec[]> {
    return (await query.execute(this.#db)).rows.map(this.#toRecord)
  }

  async find(id: string): Promise<Rec | undefined> {
    const [record] = await this.where(sql<SqlBool>`id = ${id}`)
    return record
  }

  async findMany(ids: readonly string[]): Promise<Rec[]> {
    return ids.length === 0 ? [] : this.where(sql<SqlBool>`id in (${sql.join(ids)})`)
  }

  where(...conditions: Conditions): Promise<Rec[]> {
    return this.select(sql`select * from ${this.#table} where ${all(conditions)}`)
  }

  list(conditions: Conditions, slice: Slice, rank?: Rank): Promise<Rec[]> {
    return this.select(selectSlice(this.#table, conditions, slice, rank))
  }

  async count(conditions: Conditions): Promise<number> {
    const query = sql<{ readonly total: number }>`select count(*) as total from ${this.#table} where ${all(conditions)}`
    return (await query.execute(this.#db)).rows[0]!.total
  }

  /** Finds a record and locks it: on every database, an update that changes nothing does so. */
  async take(id: string, column: string & keyof Schema[Name], ...others: Conditions): Promise<Rec | undefined> {
    const same = sql.ref(column)
    const [record] = await this.select(
      sql`update ${this.#table} set ${same} = ${same} where ${all([sql<SqlBool>`id = ${id}`, ...others])} returning *`,
    )
    return record
  }

  /** Returns the ids of the removed records. */
  async remove(...conditions: Conditions): Promise<string[]> {
    const query = sql<{ readonly id: string }>`delete from ${this.#table} where ${all(conditions)} returning id`
    return (await query.execute(this.#db)).rows.map(({ id }) => id)
  }
}

/** The order of records that were created in the same millisecond. */
export interface Rank {
  readonly column: string
  /** The value of the column in the record with that id. */
  valueOf(id: string): RawBuilder<unknown>
}

const byId: Rank = { column: 'id', valueOf: (id) => sql`${id}` }

/** Selects a page that starts after the last record shown, not at an offset, so that every page costs the same. */
export function selectSlice<Row>(
  source: RawBuilder<unknown>,
  conditions: Conditions,
  { first, after, limit }: Slice,
  { column, valueOf }: Rank = byId,
): RawBuilder<Row> {
  const [beyond, direction] = first === 'oldest' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const inRest = after
    ? [sql<SqlBool>`(created_at, ${sql.ref(column)}) ${beyond} (${after.createdAt}, ${valueOf(after.id)})`]
    : []
  return sql`
    select * from ${source} where ${all([...conditions, ...inRest])}
    order by created_at ${direction}, ${sql.ref(column)} ${direction} limit ${limit}
  `
}

function all(conditions: Conditions): RawBuilder<SqlBool> {
  return sql`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

/** The conditions for the columns that have a value here. */
export function equal<Name extends keyof Schema>(values: {
  readonly [Each in keyof Schema[Name]]?: Schema[Name][Each] | undefined
}): Conditions {
  return Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} = ${value}`],
  )
}

/** Whether a text expression contains a text. */
export function containing(expression: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[%_!]/g, '!$&')}%`
  return sql<SqlBool>`${expression} like ${pattern} escape '!'`
}

/** Deletes at most `limit` rows with a lower value in the column `by`, the lowest first. Returns how many. */
export async function purge<Name extends keyof Schema>(
  db: Database,
  { from, key, by }: { readonly from: Name; readonly key: readonly Column<Name>[]; readonly by: Column<Name> },
  before: number | string,
  limit: number,
): Promise<number> {
  const [table, keys, column] = [sql.table(from), sql.join(key.map((name) => sql.ref(name))), sql.ref(by)]
  const { numAffectedRows } = await sql`
    delete from ${table} where (${keys}) in (
      select ${keys} from ${table} where ${column} < ${before} order by ${column} limit ${limit}
    )
  `.execute(db)
  return Number(numAffectedRows)
}

type Column<Name extends keyof Schema> = string & keyof Schema[Name]

/** Inserts a row, or replaces the values of the row that has its key. */
export async function upsert<Name extends keyof Schema>(
  db: Database,
  table: Name,
  key: Column<Name>,
  row: Partial<Schema[Name]>,
): Promise<void> {
  const columns = Object.keys(row).map((name) => sql.ref(name))
  const changes = Object.keys(row)
    .filter((name) => name !== key)
    .map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})
    on conflict (${sql.ref(key)}) do update set ${sql.join(changes)}
  `.execute(db)
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
