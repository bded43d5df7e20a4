import type { z } from 'zod'
import { elementOf, maxEntries, memberOf, shapeOf, unwrapped } from './schema-at.ts'

/** As many unknown fields of an object are kept, so that the error can name them. */
const maxUnknownFields = 20

/**
 * Shortens what has more entries or fields than its schema accepts, so that validation fails after a bounded amount of
 * work: tens of thousands of entries would be searched for unsafe text, and each unknown field would be described. An
 * input that the schema could accept is returned as it is.
 */
export function cutOversized(schema: z.ZodType | undefined, value: unknown): unknown {
  const inner = unwrapped(schema)
  if (!inner || typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? cutArray(inner, value) : cutObject(inner, value as Readonly<Record<string, unknown>>)
}

function cutArray(schema: z.ZodType, entries: readonly unknown[]): readonly unknown[] {
  const element = elementOf(schema)
  if (!element) return entries
  const maximum = maxEntries(schema)
  // One entry beyond the maximum keeps the array too long.
  const kept = entries.length > maximum ? entries.slice(0, maximum + 1) : entries
  let changed: unknown[] | undefined
  for (let index = 0; index < kept.length; index++) {
    const cut = cutOversized(element, kept[index])
    if (cut === kept[index]) continue
    changed ??= [...kept]
    changed[index] = cut
  }
  return changed ?? kept
}

function cutObject(schema: z.ZodType, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const keys = Object.keys(value)
  const kept = keptKeys(schema, keys)
  if (!kept) return value
  let changed = kept.length < keys.length
  const entries: (readonly [string, unknown])[] = []
  for (const key of kept) {
    const cut = cutOversized(memberOf(schema, key), value[key])
    changed ||= cut !== value[key]
    entries.push([key, cut])
  }
  // Unlike an assignment, this makes a field of `__proto__` too.
  return changed ? Object.fromEntries(entries) : value
}

/** The keys that validation needs to see; undefined where the schema has neither fields nor entries. */
function keptKeys(schema: z.ZodType, keys: readonly string[]): readonly string[] | undefined {
  const shape = shapeOf(schema)
  if (shape) {
    let unknown = 0
    return keys.filter((key) => Object.hasOwn(shape, key) || ++unknown <= maxUnknownFields)
  }
  if (!('valueType' in schema.def)) return undefined
  const maximum = maxEntries(schema)
  return keys.length > maximum ? keys.slice(0, maximum + 1) : keys
}
