import type { z } from 'zod'
import { invalidRequest } from '../values/invalid-request.ts'
import type { Issue } from '../values/issue.ts'
import { clip, maxNameLength } from '../values/clip.ts'
import { nearest } from '../values/nearest.ts'
import { cutOversized } from './cut-oversized.ts'
import { explainIssue } from './explain-issue.ts'
import { elementOf, memberOf, shapeOf } from './schema-at.ts'
import { findUnsafeText } from './unsafe-text.ts'

/** More than this a caller does not read; and looking for names that were meant takes time. */
const mostIssues = 20

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
      for (const key of issue.keys.slice(0, mostIssues)) issues.push(unknownField([...issue.path, key], key, known))
    } else {
      issues.push({ field: toField(issue.path), issue: issue.message })
    }
    if (issues.length >= mostIssues) break
  }
  return issues.slice(0, mostIssues)
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
