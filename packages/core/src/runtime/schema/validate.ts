import type * as z from 'zod'
import { type Issue, invalidRequest } from '../errors.ts'
import { explainIssue } from './explain-issue.ts'
import { clip, maxNameLength } from './names.ts'
import { suggestField } from './unknown-field.ts'

/** Bounds the size of the error, and the time for suggestions. */
const maxIssues = 20

/** Parses an input. Throws `INVALID_REQUEST` with the invalid fields. */
export function validate(schema: z.ZodObject, raw: unknown): Record<string, unknown> {
  const input = countValues(raw, maxUncutValues) > 0 ? raw : cutOversized(schema, raw)
  const path: PropertyKey[] = []
  const unsafe = unsafeText(input, 0, path)
  if (unsafe !== undefined) throw invalidRequest({ field: toField(path), issue: unsafe })
  const parsed = schema.safeParse(input, { error: explainIssue })
  if (parsed.success) return parsed.data
  const [first, ...others] = toIssues(parsed.error.issues, schema, input)
  throw invalidRequest(first ?? { field: null, issue: 'is not valid' }, ...others)
}

export function findIssues(schema: z.ZodObject, value: unknown): readonly Issue[] {
  const { error } = schema.safeParse(value, { error: explainIssue })
  return error ? toIssues(error.issues, schema, value) : []
}

function toIssues(found: readonly z.core.$ZodIssue[], schema: z.ZodObject, input: unknown): readonly Issue[] {
  const issues: Issue[] = []
  for (const issue of inFieldOrder(found, schema).flatMap(withinUnion)) {
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, issue.path, input)
      for (const key of issue.keys.slice(0, maxIssues)) issues.push(unknownField([...issue.path, key], key, known))
    } else {
      issues.push({ field: toField(issue.path), issue: issue.message })
    }
    if (issues.length >= maxIssues) break
  }
  return issues.slice(0, maxIssues)
}

/** In the order of the schema's fields: checks of several fields come last. */
function inFieldOrder(found: readonly z.core.$ZodIssue[], schema: z.ZodObject): readonly z.core.$ZodIssue[] {
  const fields = Object.keys(schema.shape)
  const fieldIndex = ({ path: [field] }: z.core.$ZodIssue) =>
    field === undefined ? fields.length : fields.indexOf(String(field))
  return found.toSorted((one, other) => fieldIndex(one) - fieldIndex(other))
}

/** Issues of a value that does not have the form at all. */
const otherForm: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value'])

/** The issues of the form that the input has, or the union's if it has none. */
function withinUnion(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const form = issue.errors.find(([first]) => first && (first.path.length > 0 || !otherForm.has(first.code)))
  if (!form) return [issue]
  return form.flatMap((inner) => withinUnion({ ...inner, path: [...issue.path, ...inner.path] }))
}

function unknownField(path: readonly PropertyKey[], key: string, known: readonly string[]): Issue {
  const { suggestion, hint } = suggestField(key, known)
  return {
    field: toField(path),
    issue: hint === undefined ? 'is not a known field' : `is not a known field; ${hint}`,
    ...(suggestion !== undefined && { suggestion: toField([...path.slice(0, -1), suggestion]) ?? suggestion }),
  }
}

/** The keys of the object schema at a path; none if there is no object schema. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[], input: unknown): readonly string[] {
  let found: z.ZodType | undefined = schema
  let value = input
  for (const step of path) {
    const form = findForm(found, value)
    found = typeof step === 'number' ? findElement(form) : findMember(form, String(step))
    value = (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[step]
  }
  return Object.keys(findShape(findForm(found, value)) ?? {})
}

/** `['origin', 'city']` is `origin.city`, `['tasks', 0]` is `tasks[0]`, and an empty path is null. */
function toField(path: readonly PropertyKey[]): string | null {
  if (path.length === 0) return null
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${clip(String(step), maxNameLength)}`))
    .join('')
    .replace(/^\./, '')
}

/** As many values are validated in a few milliseconds, even if each of them is invalid. */
const maxUncutValues = 5_000

/** How many of so many values are left after all of an input; 0 or less if it has more. Counts no further. */
function countValues(value: unknown, left: number): number {
  if (typeof value !== 'object' || value === null) return left - 1
  let rest = left - 1
  if (Array.isArray(value)) for (let at = 0; at < value.length && rest > 0; at++) rest = countValues(value[at], rest)
  else for (const key in value) if (rest > 0) rest = countValues((value as Fields)[key], rest)
  return rest
}

type Fields = Readonly<Record<string, unknown>>

/** Number of unknown fields of an object that are kept, so that the error can name them. */
const maxUnknownFields = 20

/**
 * Truncates arrays and objects with more entries than the schema accepts, so that validation fails after a bounded amount
 * of work. Returns an input that the schema could accept unchanged.
 */
function cutOversized(schema: z.ZodType | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const inner = findForm(schema, value)
  if (!inner) return value
  return Array.isArray(value) ? cutArray(inner, value) : cutObject(inner, value as Readonly<Record<string, unknown>>)
}

function cutArray(schema: z.ZodType, entries: readonly unknown[]): readonly unknown[] {
  const element = findElement(schema)
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
  let changed: Map<string, unknown> | undefined
  for (const key of kept) {
    if (typeof value[key] !== 'object') continue
    const cut = cutOversized(findMember(schema, key), value[key])
    if (cut !== value[key]) changed = (changed ?? new Map()).set(key, cut)
  }
  if (!changed && kept.length === keys.length) return value
  // Unlike an assignment, `fromEntries` creates a field `__proto__` too.
  return Object.fromEntries(kept.map((key) => [key, changed?.has(key) ? changed.get(key) : value[key]]))
}

/** The keys to validate; undefined if the schema has neither fields nor entries. */
function keptKeys(schema: z.ZodType, keys: readonly string[]): readonly string[] | undefined {
  const shape = findShape(schema)
  if (shape) {
    if (keys.length <= maxUnknownFields) return keys
    let unknown = 0
    return keys.filter((key) => Object.hasOwn(shape, key) || ++unknown <= maxUnknownFields)
  }
  if (!('valueType' in schema.def)) return undefined
  const maximum = maxEntries(schema)
  return keys.length > maximum ? keys.slice(0, maximum + 1) : keys
}

/** Removes the optional, nullable, and default wrappers of a schema. */
export function unwrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  let inner = schema
  while (inner && 'innerType' in inner.def) inner = inner.def.innerType as z.ZodType
  return inner
}

/** The schema for a value: of a union, the option with its discriminator or type. Undefined if none can match. */
export function findForm(schema: z.ZodType | undefined, value: unknown): z.ZodType | undefined {
  const inner = unwrapped(schema)
  if (inner?.type !== 'union') return inner
  const { options, discriminator } = inner.def as z.core.$ZodUnionDef & { readonly discriminator?: string }
  const found = (options as readonly z.ZodType[]).find((option) => {
    if (discriminator === undefined)
      return Array.isArray(value) ? option.type === 'array' : option.type === typeof value
    const literal = findShape(option)?.[discriminator] as z.ZodLiteral | undefined
    return literal?.values.has((value as Readonly<Record<string, unknown>> | undefined)?.[discriminator] as string)
  })
  return findForm(found, value)
}

/** The schema of a field of an object, or of an entry of a record. */
export function findMember(schema: z.ZodType | undefined, key: string): z.ZodType | undefined {
  const inner = unwrapped(schema)
  if (inner && 'valueType' in inner.def) return inner.def.valueType as z.ZodType
  const shape = findShape(inner)
  return shape && Object.hasOwn(shape, key) ? shape[key] : undefined
}

export function findElement(schema: z.ZodType | undefined): z.ZodType | undefined {
  const inner = unwrapped(schema)
  return inner && 'element' in inner ? (inner as z.ZodArray<z.ZodType>).element : undefined
}

/** The fields of an object; undefined for any other schema. */
export function findShape(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> | undefined {
  const inner = unwrapped(schema)
  return inner && 'shape' in inner ? (inner as z.ZodObject<Record<string, z.ZodType>>).shape : undefined
}

/** The maximum number of entries of an array or a record; Infinity if its schema sets none. */
export function maxEntries(schema: z.ZodType): number {
  const { maxProperties = Infinity } = (schema.meta() ?? {}) as { readonly maxProperties?: number }
  let max = maxProperties
  for (const { _zod: core } of schema.def.checks ?? []) {
    const { check, maximum } = core.def as { readonly check: string; readonly maximum?: number }
    if (check === 'max_length' && maximum !== undefined) max = Math.min(max, maximum)
  }
  return max
}

const maxDepth = 64

/**
 * Finds text that stores treat differently: NUL and lone surrogates, which PostgreSQL rejects and SQLite accepts. Also finds
 * nesting that could overflow the stack of a serializer.
 *
 * @param path receives the path to the issue, if there is one
 */
function unsafeText(value: unknown, depth: number, path: PropertyKey[]): string | undefined {
  if (typeof value === 'string') return issueOfText(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === maxDepth) return `must not be nested deeper than ${maxDepth} levels`
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const issue = unsafeText(value[at], depth + 1, path)
      if (issue === undefined) continue
      path.unshift(at)
      return issue
    }
    return undefined
  }
  for (const key in value) {
    if (key === '__proto__') return 'must not have a field called __proto__'
    const issueOfKey = issueOfText(key)
    if (issueOfKey !== undefined) return issueOfKey
    const issue = unsafeText((value as Fields)[key], depth + 1, path)
    if (issue === undefined) continue
    path.unshift(key)
    return issue
  }
  return undefined
}

function issueOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL characters'
  if (!text.isWellFormed()) return 'must be well-formed Unicode, without lone surrogates'
  return undefined
}
