/** The row of a record: a column for each field, named in snake case. Flags are 0 or 1, lists and records are JSON text. */
export type RowOf<Rec> = { -readonly [Field in keyof Rec & string as SnakeCase<Field>]: ColumnOf<Rec[Field]> }

type ColumnOf<Value> = Value extends boolean ? number : Value extends object ? string : Value

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

const columnNames = new Map<string, string>()

export function columnName(field: string): string {
  const known = columnNames.get(field)
  if (known !== undefined) return known
  const name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(field, name)
  return name
}

export function toColumn(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

export function toRow<Rec extends object>(record: Rec): RowOf<Rec> {
  const row: Record<string, unknown> = {}
  for (const field of Object.keys(record)) row[columnName(field)] = toColumn(record[field as keyof Rec])
  return row as RowOf<Rec>
}

/**
 * The record of a row, whose flags are none. Other columns may be those of a later version.
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
export function ownerOf(userId: string | null): string {
  return userId ?? ''
}
