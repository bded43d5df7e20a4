import { z } from 'zod'
import { type ReasoningFamily, reasoningFamilies } from './model-rules.ts'

/** How a server's chat completions differ from those of most servers. */
export interface Dialect {
  /** The field for the maximum response length. Default: `max_tokens`, which all but OpenAI's own servers accept. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens' | undefined
  /** Default: `seed`; null if there is none. */
  readonly seedField?: 'seed' | 'random_seed' | null | undefined
  /** Whether the server supports penalties. Default: true. */
  readonly penalties?: boolean | undefined
  /** Whether the server supports stop sequences. Default: true. */
  readonly stop?: boolean | undefined
  /** Whether to ask a stream for token counts. Default: true; servers that always send them may reject the field. */
  readonly askStreamUsage?: boolean | undefined
  /** How to ask for JSON; null if the server can't be asked for it. Default: by its schema. */
  readonly jsonAnswers?: 'json_schema' | 'json_object' | null | undefined
  /** Whose reasoning models the server has, and whose fields set their effort. Default: none; `effort` is ignored. */
  readonly reasoning?: ReasoningFamily | undefined
}

const dialect = z.strictObject({
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  seedField: z.enum(['seed', 'random_seed']).nullable().optional(),
  penalties: z.boolean().optional(),
  stop: z.boolean().optional(),
  askStreamUsage: z.boolean().optional(),
  jsonAnswers: z.enum(['json_schema', 'json_object']).nullable().optional(),
  reasoning: z.enum(reasoningFamilies).optional(),
}) satisfies z.ZodType<Dialect>

/** @throws TypeError that names the invalid field: configuration may come from JSON, which no compiler has checked */
export function readDialect(id: string, given: Dialect): Dialect {
  const read = dialect.safeParse(given)
  if (read.success) return read.data
  const problems = read.error.issues.map(({ path, message }) =>
    [id, ['dialect', ...path].join('.'), message].join(': '),
  )
  throw new TypeError(problems.join('; '))
}
