import { createContext, Script } from 'node:vm'
import { z } from 'zod'
import type { JsonSchema } from './message.ts'

/** A check blocks the event loop. A schema of a client can take exponential time, by its references or its patterns. */
const maxMs = 25
const maxIssues = 5

const context = createContext({ check: () => undefined as unknown })
const script = new Script('check()')

/** The first issues of a value, with their paths; undefined if the schema could not be checked. */
export function schemaIssues(schema: JsonSchema, value: unknown): readonly string[] | undefined {
  // The global registry would keep every schema that has an `id`.
  const params = { registry: z.registry() }
  context['check'] = () => z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema, params).safeParse(value)
  try {
    // Beyond the time, V8 ends the function, although it is not of that context.
    const { error } = script.runInContext(context, { timeout: maxMs }) as z.ZodSafeParseResult<unknown>
    const issues = error?.issues.slice(0, maxIssues) ?? []
    return issues.map(({ path, message }) => `${path.join('.') || 'the value'}: ${message}`)
  } catch {
    return undefined
  }
}
