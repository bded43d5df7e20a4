import type { z } from 'zod'
import { type Issue, invalidRequest } from './errors.ts'
import { explainIssue } from './explain-issue.ts'
import { clip, maxNameLength, nearest } from './names.ts'

/** More than this a caller does not read; and looking for names that were meant takes time. */
const maxIssues = 20

/** The input as the schema reads it, or `INVALID_REQUEST` with the fields at fault. */
export function validate(schema: z.ZodObject, raw: unknown): Record<string, unknown> {
  const input = cutOversized(schema, raw)
  const unsafe = findUnsafeText(input)
  if (unsafe) throw invalidRequest({ field: toField(unsafe.path), issue: unsafe.issue })
  const parsed = schema.safeParse(input, { error: explainIssue })
  if (parsed.success) return parsed.data
  const [first, ...others] = toIssues(parsed.error.issues, schema)
  throw invalidRequest(first ?? { field: null, issue: 'is not valid' }, ...others)
}

/** What a schema finds wrong with a value; nothing where it fits. */
export function issuesOf(schema: z.ZodObject, value: unknown): readonly Issue[] {
  const { error } = schema.safeParse(value, { error: explainIssue })
  return error ? toIssues(error.issues, schema) : []
}

function toIssues(found: readonly z.core.$ZodIssue[], schema: z.ZodObject): readonly Issue[] {
  const issues: Issue[] = []
  for (const issue of found) {
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, issue.path)
      for (const key of issue.keys.slice(0, maxIssues)) issues.push(unknownField([...issue.path, key], key, known))
    } else {
      issues.push({ field: toField(issue.path), issue: issue.message })
    }
    if (issues.length >= maxIssues) break
  }
  return issues.slice(0, maxIssues)
}

function unknownField(path: readonly PropertyKey[], key: string, known: readonly string[]): Issue {
  const suggestion = nearest(key, known)
  return {
    field: toField(path),
    issue: 'is not a known field',
    ...(suggestion !== undefined && { suggestion: toField([...path.slice(0, -1), suggestion]) ?? suggestion }),
  }
}

/** The keys of the object schema at a path; none where the path leads through something that is not an object. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let found: z.ZodType | undefined = schema
  for (const step of path) found = typeof step === 'number' ? elementOf(found) : memberOf(found, String(step))
  return Object.keys(shapeOf(found) ?? {})
}

/** `['origin', 'city']` is `origin.city`, `['tasks', 0]` is `tasks[0]`, the whole is null. */
function toField(path: readonly PropertyKey[]): string | null {
  if (path.length === 0) return null
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${clip(String(step), maxNameLength)}`))
    .join('')
    .replace(/^\./, '')
}

/** As many unknown fields of an object are kept, so that the error can name them. */
const maxUnknownFields = 20

/**
 * Shortens what has more entries or fields than its schema accepts, so that validation fails after a bounded amount of
 * work: tens of thousands of entries would be searched for unsafe text, and each unknown field would be described. An
 * input that the schema could accept is returned as it is.
 */
function cutOversized(schema: z.ZodType | undefined, value: unknown): unknown {
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

/** The schema inside those that make it optional, nullable or give it a default. */
export function unwrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  let inner = schema
  while (inner && 'innerType' in inner.def) inner = inner.def.innerType as z.ZodType
  return inner
}

/** The schema of a field of an object, or of an entry of a record. */
export function memberOf(schema: z.ZodType | undefined, key: string): z.ZodType | undefined {
  const inner = unwrapped(schema)
  if (inner && 'valueType' in inner.def) return inner.def.valueType as z.ZodType
  const shape = shapeOf(inner)
  return shape && Object.hasOwn(shape, key) ? shape[key] : undefined
}

/** The schema of the entries of an array. */
export function elementOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  const inner = unwrapped(schema)
  return inner && 'element' in inner ? (inner as z.ZodArray<z.ZodType>).element : undefined
}

/** The fields of an object; undefined for any other schema. */
export function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> | undefined {
  const inner = unwrapped(schema)
  return inner && 'shape' in inner ? (inner as z.ZodObject<Record<string, z.ZodType>>).shape : undefined
}

/** The most entries that an array or a record may have; infinite where its schema sets no maximum. */
export function maxEntries(schema: z.ZodType): number {
  const { maxProperties = Infinity } = (schema.meta() ?? {}) as { readonly maxProperties?: number }
  let most = maxProperties
  for (const { _zod: core } of schema.def.checks ?? []) {
    const { check, maximum } = core.def as { readonly check: string; readonly maximum?: number }
    if (check === 'max_length' && maximum !== undefined) most = Math.min(most, maximum)
  }
  return most
}

const maxDepth = 64

/** What is wrong, and where. */
export interface UnsafeText {
  readonly path: readonly PropertyKey[]
  readonly issue: string
}

/**
 * Finds what no store could keep alike: NUL and lone surrogates (PostgreSQL refuses them, SQLite would keep them), and
 * nesting so deep that a serializer could run out of stack.
 */
function findUnsafeText(value: unknown): UnsafeText | undefined {
  const path: PropertyKey[] = []
  const issue = issueIn(value, path)
  return issue === undefined ? undefined : { path, issue }
}

/** @param path where the value stands; left there where an issue was found */
function issueIn(value: unknown, path: PropertyKey[]): string | undefined {
  if (typeof value === 'string') return issueOfText(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length === maxDepth) return `must not be nested deeper than ${maxDepth} levels`
  const isArray = Array.isArray(value)
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    const issueOfKey = typeof key === 'string' ? issueOfName(key) : undefined
    if (issueOfKey !== undefined) return issueOfKey
    path.push(key)
    const issue = issueIn((value as Readonly<Record<PropertyKey, unknown>>)[key], path)
    if (issue !== undefined) return issue
    path.pop()
  }
  return undefined
}

function issueOfName(name: string): string | undefined {
  return name === '__proto__' ? 'must not have a field called __proto__' : issueOfText(name)
}

function issueOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL characters'
  if (!text.isWellFormed()) return 'must be well-formed Unicode, without lone surrogates'
  return undefined
}
