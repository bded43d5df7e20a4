import { createContext, Script } from 'node:vm'
import * as z from 'zod'
import { computingMs } from '../../runtime/clock.ts'
import type { JsonSchema } from '../messages/message.ts'

/**
 * In milliseconds of processor time. A check blocks the event loop, and a schema of a client can take exponential time, by its
 * references or its patterns.
 */
const defaultMaxMs = 25
/** V8 limits elapsed time, of which a busy machine gives a part to other programs: a check that had less than this is repeated. */
const minShare = 0.5
/** Each attempt may take twice as long as the one before. */
const maxAttempts = 10
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

export interface SchemaCheckOptions {
  /** How long a check may compute, in milliseconds. Default: 25. */
  readonly maxMs?: number
  /** The processor time of this thread so far, in milliseconds. */
  readonly computed?: () => number
}

/** The first issues of a value; undefined if the schema could not be checked, or not in time. */
export function schemaIssues(
  schema: JsonSchema,
  value: unknown,
  { maxMs = defaultMaxMs, computed = computingMs }: SchemaCheckOptions = {},
): readonly SchemaIssue[] | undefined {
  // The global registry would keep every schema that has an `id`.
  const params = { registry: z.registry() }
  context['check'] = () => z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema, params).safeParse(value)
  try {
    const { error } = runInTime(maxMs, computed) as z.ZodSafeParseResult<unknown>
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

function runInTime(maxMs: number, computed: () => number): unknown {
  for (let attempt = 0; ; attempt++) {
    const before = computed()
    try {
      // Beyond the time, V8 ends the function, although it is not of that context.
      return script.runInContext(context, { timeout: maxMs * 2 ** attempt })
    } catch (error) {
      const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      if (!isLate || attempt === maxAttempts || computed() - before >= maxMs * minShare) throw error
    }
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
