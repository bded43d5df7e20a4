import * as z from 'zod'
import { fieldPath, type Notes } from './notes.ts'

/** The rules for the fields of an object in another gateway's configuration. */
export interface FieldTable<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** Fields that the import reads, with their schemas. */
  readonly imported: Shape
  /** Why other fields have no equal. The reason is empty if Fairlead needs no such setting. */
  readonly leftOut?: Readonly<Record<string, string>>
  /** The reason for fields that are not listed. */
  readonly otherwise: string
  /** Tables of fields that are objects. */
  readonly sections?: Readonly<Record<string, FieldTable>>
}

/** The same reason for each of several fields, which are written with spaces between them. */
export function each(fields: string, reason: string): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.split(' ').map((field) => [field, reason]))
}

/** Checks the fields that are imported. All others pass, and become notes. */
export function tableSchema<Shape extends z.ZodRawShape>({ imported }: FieldTable<Shape>) {
  return z.looseObject(imported)
}

/** Notes the fields that are set and not imported. */
export function noteLeftOut(value: object | null | undefined, table: FieldTable, path: string, notes: Notes): void {
  for (const [name, member] of Object.entries(value ?? {})) {
    if (member === null || member === false) continue
    const section = own(table.sections ?? {}, name)
    if (section && typeof member === 'object') noteLeftOut(member, section, fieldPath(path, name), notes)
    if (Object.hasOwn(table.imported, name)) continue
    const reason = own(table.leftOut ?? {}, name) ?? table.otherwise
    if (reason) notes.add(fieldPath(path, name), reason)
  }
}

/** The row of a table, which may have any name. */
export function own<Row>(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** The members that are defined. Undefined if none is. */
export function defined<Value extends object>(
  value: Value,
): { [Name in keyof Value]?: Exclude<Value[Name], undefined> } | undefined {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return members.length > 0 ? (Object.fromEntries(members) as Value) : undefined
}

/** A number of the document. Undefined for a variable. */
export function readAmount(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Whole milliseconds, at least one. */
export function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.max(1, Math.round(seconds * 1_000))
}

/** Timeouts in seconds. A call may take ten minutes in all, unless one attempt may take longer. */
export function toTimeouts(attempt: number | undefined, firstItem?: number) {
  const attemptMs = milliseconds(attempt)
  const totalMs = attemptMs !== undefined && attemptMs > 600_000 ? attemptMs : undefined
  return defined({ attemptMs, totalMs, firstItemMs: milliseconds(firstItem) })
}

/** Retries are limited to ten. */
export function toRetries(attempts: number | undefined) {
  return attempts === undefined ? undefined : { perTarget: Math.min(10, Math.max(0, Math.round(attempts))) }
}
