import { createContext, Script } from 'node:vm'
import * as z from 'zod'
import type { JsonSchema } from '../messages/message.ts'

/** A check blocks the event loop. A schema of a client can take exponential time, by its references or its patterns. */
const defaultMaxMs = 25
const maxIssues = 5

const context = createContext({ check: () => undefined as unknown })
const script = new Script('check()')

/** A violation of a schema. */
export interface SchemaIssue {
  /** For the model: the path and what is wrong there, which may quote the value. */
  readonly issue: string
  /** For the caller: the path and the keyword of the schema. It has no text of the value. */
  readonly location: string
}

/** The first issues of a value; undefined if the schema could not be checked within `maxMs` milliseconds. */
export function schemaIssues(
  schema: JsonSchema,
  value: unknown,
  maxMs = defaultMaxMs,
): readonly SchemaIssue[] | undefined {
  // The global registry would keep every schema that has an `id`.
  const params = { registry: z.registry() }
  context['check'] = () => z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema, params).safeParse(value)
  try {
    // Beyond the time, V8 ends the function, although it is not of that context.
    const { error } = script.runInContext(context, { timeout: maxMs }) as z.ZodSafeParseResult<unknown>
    const issues = error?.issues.slice(0, maxIssues) ?? []
    if (issues.length === 0) return []
    const names = propertyNames(schema)
    return issues.map((issue) => ({
      issue: `${issue.path.join('.') || 'the value'}: ${issue.message}`,
      location: `${issue.path.map((part) => nameIn(names, part)).join('.') || 'the value'} (${keywordOf(issue)})`,
    }))
  } catch {
    return undefined
  }
}

/** The keywords of JSON Schema, by zod's codes. */
const keywords: Readonly<Record<string, string>> = {
  invalid_type: 'type',
  invalid_value: 'enum',
  invalid_format: 'format',
  invalid_union: 'anyOf',
  unrecognized_keys: 'additionalProperties',
  not_multiple_of: 'multipleOf',
  too_big: 'maximum',
  too_small: 'minimum',
}

function keywordOf({ code, message }: z.core.$ZodIssue): string {
  if (code === 'invalid_type' && message.endsWith('received undefined')) return 'required'
  return keywords[code] ?? 'schema'
}

/** The names that the schema itself gives to properties, at any depth. */
function propertyNames(schema: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return names
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) names.add(name)
    }
    propertyNames(value, names)
  }
  return names
}

/** Other names are the model's. */
function nameIn(names: ReadonlySet<string>, part: PropertyKey): string {
  return typeof part === 'number' || (typeof part === 'string' && names.has(part)) ? String(part) : '*'
}
