import { type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Database, RowOf, Schema } from './schema.ts'

const columnNames = new Map<string, string>()

export function columnName(field: string): string {
  const known = columnNames.get(field)
  if (known !== undefined) return known
  const name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(field, name)
  return name
}

function toColumn(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

export function toRow<Rec extends object>(record: Rec): RowOf<Rec> {
  const row: Record<string, unknown> = {}
  for (const field of Object.keys(record)) row[columnName(field)] = toColumn(record[field as keyof Rec])
  return row as RowOf<Rec>
}

/**
 * The record of a row, whose flags are none. Other columns may belong to a later version.
 *
 * @param json the fields that are lists or records
 */
export function fromRow<Rec extends object>(
  row: Partial<RowOf<Rec>>,
  fields: readonly (keyof Rec & string)[],
  json: readonly (keyof Rec & string)[],
): Rec {
  const columns = row as Readonly<Record<string, unknown>>
  const record: Record<string, unknown> = {}
  for (const field of fields) record[field] = columns[columnName(field)]
  for (const field of json) record[field] = JSON.parse(String(record[field]))
  return record as Rec
}

/** The owner of a webhook, event or shipment of an embedding program is '': a unique index treats nulls as different. */
export function ownerColumn(userId: string | null): string {
  return userId ?? ''
}

/** A placeholder for a value that differs each time a statement runs. */
export type Slot<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>

interface Compiled<Values, Row> {
  readonly query: CompiledQuery<Row>
  /** The value of each parameter; a value may be used several times. */
  readonly order: readonly (keyof Values)[]
}

/** A statement that is compiled once for each kind of database. */
export interface Prepared<Values, Row = unknown> {
  (db: Database, values: Values): Promise<QueryResult<Row>>
  /** @param first values for which a statement whose columns depend on them is compiled */
  compiledFor(db: Database, first: Values): Compiled<Values, Row>
}

/** Names of prepared statements, by their text. */
const names = new Map<string, string>()

/** The name of a prepared statement, under which a server can keep its plan; undefined for other statements. */
export function statementName(text: string): string | undefined {
  return names.get(text)
}

/**
 * Builds and compiles a statement once for each kind of database, and runs it with different values. For the few
 * statements of every request, where compiling costs more than running.
 */
export function prepared<Values, Row = unknown>(
  build: (db: Database, slot: Slot<Values>, first: Values) => { compile(db: Database): CompiledQuery<Row> },
): Prepared<Values, Row> {
  const compiled = new WeakMap<object, Compiled<Values, Row>>()

  function compile(db: Database, first: Values): Compiled<Values, Row> {
    const query = build(db, (name) => sql.val(new Placeholder(name)) as RawBuilder<never>, first).compile(db)
    const order = query.parameters.map((parameter) => {
      if (parameter instanceof Placeholder) return parameter.name as keyof Values
      throw new Error('a prepared statement takes all its values from slots')
    })
    if (!names.has(query.sql)) names.set(query.sql, `fairlead_${names.size + 1}`)
    return { query, order }
  }

  function compiledFor(db: Database, first: Values): Compiled<Values, Row> {
    const { adapter } = db.getExecutor()
    let known = compiled.get(adapter)
    if (!known) compiled.set(adapter, (known = compile(db, first)))
    return known
  }

  function run(db: Database, values: Values): Promise<QueryResult<Row>> {
    const { query, order } = compiledFor(db, values)
    // Not by `db.executeQuery`, whose only addition is a promise.
    return db.getExecutor().executeQuery({ ...query, parameters: toParameters(order, values) })
  }

  return Object.assign(run, { compiledFor })
}

export function toParameters<Values>(order: readonly (keyof Values)[], values: Values): unknown[] {
  return order.map((name) => toColumn(values[name]))
}

/** Inserts a record: each field into the column of its name. */
export function insertInto<Rec extends object>(table: keyof Schema, record: Rec, slot: Slot<Rec>): RawBuilder<unknown> {
  const fields = Object.keys(record) as (keyof Rec & string)[]
  const columns = fields.map((field) => sql.ref(columnName(field)))
  return sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(fields.map(slot))})`
}

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}
