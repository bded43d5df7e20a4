import type { components } from '../../api/schema.d.ts'
import { madeAt } from '../../made-at.ts'

export type AuditEntry = components['schemas']['AuditEntry']

/** A field before and after a change, as text. Undefined for a record that did not exist, or was removed. */
export interface FieldChange {
  readonly field: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The fields that changed, in the order of the record. */
export function changesIn({ before, after }: Pick<AuditEntry, 'before' | 'after'>): readonly FieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...fields].map((field) => ({ field, before: readText(before, field), after: readText(after, field) }))
}

function readText(record: AuditEntry['before'], field: string): string | undefined {
  if (!record || !(field in record)) return undefined
  const value = record[field]
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(', ')
  return value === null ? 'none' : JSON.stringify(value, null, 2)
}

const nameFields = ['name', 'email', 'url', 'description']

/** Finds the name of a user by the id. */
export type NameOf = (user: string | null) => string

/** The name of what was changed, as the entry or the users have it, or else the end of its id. */
export function targetName({ target, before, after }: Pick<AuditEntry, 'target' | 'before' | 'after'>, nameOf: NameOf) {
  for (const record of [after, before])
    for (const field of nameFields) {
      const name = record?.[field]
      if (typeof name === 'string' && name !== '') return name
    }
  if (target.id === null) return ''
  return target.type === 'user' ? nameOf(target.id) : `…${target.id.slice(-6)}`
}

/** `api key`, for a type of the API. */
export function targetLabel({ target }: Pick<AuditEntry, 'target'>): string {
  return target.type.replaceAll('_', ' ').replace(/^api/, 'API')
}

/** A time range that has the entry with an id. Undefined if the text is no id. */
export function timesAround(
  id: string,
): { readonly created_after: string; readonly created_before: string } | undefined {
  const at = madeAt(id)
  if (at === undefined) return undefined
  const iso = (time: number) => new Date(time).toISOString()
  return { created_after: iso(at - 1000), created_before: iso(at + 1000) }
}
