import { clip, maxNameLength } from '../../runtime/schema/names.ts'
import { isObject, type JsonObject } from '../../runtime/json.ts'

/** Guarded fields by their paths, with the values that pass. */
type Fields = ReadonlyMap<string, readonly unknown[]>

export function guardedFields(
  fields: Readonly<Record<string, readonly unknown[]>>,
  allowed: ReadonlySet<string>,
): Fields {
  const entries = Object.entries(fields).map(([name, passing]) => [normal(name), passing] as const)
  return new Map(entries.filter(([name]) => !allowed.has(name)))
}

/** The options without guarded fields, also of objects below; the same options if there are none. */
export function without(options: JsonObject, fields: Fields, leftOut: string[], parent = '', shown = ''): JsonObject {
  let kept = options
  for (const name in options) {
    const value = options[name]
    const path = parent + normal(name)
    const passing = fields.get(path)
    if (passing && value !== null && !passing.some((each) => isEqual(each, value))) {
      leftOut.push(shown + clip(name, maxNameLength))
      kept = omit(kept, [name])
    } else if (isObject(value) && hasFieldsBelow(fields, path)) {
      const inner = without(value, fields, leftOut, `${path}.`, `${shown}${name}.`)
      if (inner !== value) kept = { ...kept, [name]: inner }
    }
  }
  return kept
}

function hasFieldsBelow(fields: Fields, path: string): boolean {
  for (const name of fields.keys()) if (name.startsWith(path) && name[path.length] === '.') return true
  return false
}

export function omit(options: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0) return options
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)))
}

const plainName = /^[a-z\d.]*$/
const notInNames = /[^\p{L}\p{N}.]/gu

/**
 * A name without what an upstream may overlook: case, underscores, spaces, invisible characters, and other forms of a letter.
 * JSON decoders of Go, for example, match names in any case, and read U+017F as `s`.
 */
export function normal(name: string): string {
  if (plainName.test(name)) return name
  const lower = name.replaceAll('_', '').toLowerCase()
  return plainName.test(lower) ? lower : name.normalize('NFKC').replace(notInNames, '').toLowerCase()
}

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  return typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other)
}

/** Allows all hosted tools. */
export const anyTool = 'tools'

/** Whether an operator's `allow` has a hosted tool, by its name or with all others. */
export function allowsTool(allow: readonly string[] | undefined, name: string): boolean {
  return allow?.some((each) => each === anyTool || normal(each) === normal(name)) ?? false
}
