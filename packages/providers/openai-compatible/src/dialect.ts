import type { Issue, JsonObject, ProviderOptions } from '@fairlead/core/provider'
import * as z from 'zod'
import { type ChosenEffort, type ModelRule, type ReasoningFamily, reasoningFamilies } from './model-rules.ts'

/** How a server's chat completions differ from most servers'. */
export interface ServerDialect {
  /** The field for the maximum response length. Default: `max_tokens`, which all but OpenAI's own servers accept. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens' | undefined
  /** Default: `seed`; null if there is none. */
  readonly seedField?: 'seed' | 'random_seed' | null | undefined
  /** Whether the server supports penalties. Default: true. */
  readonly penalties?: boolean | undefined
  /** Whether the server takes system messages after other messages. Default: false; all are joined at the start. */
  readonly laterSystem?: boolean | undefined
  /** Whether the server supports stop sequences. Default: true. */
  readonly stop?: boolean | undefined
  /** Whether to ask a stream for token counts. Default: true; servers that always send them may reject the field. */
  readonly askStreamUsage?: boolean | undefined
  /** How to ask for JSON of a schema; null if the server can't be asked for JSON. Default: by its schema. */
  readonly jsonAnswers?: 'json_schema' | 'json_object' | null | undefined
  /** Whether the server can be asked for JSON without a schema. Default: true, unless `jsonAnswers` is null. */
  readonly jsonObjects?: boolean | undefined
  /** Whether the server supports `tool_choice`. Default: true. */
  readonly toolChoice?: boolean | undefined
  /** Whether the server supports `parallel_tool_calls`. Default: true. */
  readonly parallelToolCalls?: boolean | undefined
  /** Whether the server supports `strict` tools. Default: true. */
  readonly strictTools?: boolean | undefined
  /** The maximum length of the name of a tool. Longer ones are shortened, and have their own name in the answer. Default: 64. */
  readonly toolNameLength?: number | undefined
  /** The maximum length of the id of a tool call. Default: any; a server may keep data in its ids. */
  readonly toolCallIdLength?: number | undefined
  /** Whether ids of tool calls must have nine letters and digits. Default: false. */
  readonly shortToolCallIds?: boolean | undefined
  /**
   * Whether the server checks the schemas of tools as OpenAI does: the root is an object without `anyOf` and the like, each
   * object names its properties, and each array its items. Default: false.
   */
  readonly checksToolSchemas?: boolean | undefined
  /** The content part that carries a file; null if the server takes no files. Default: `file`. */
  readonly files?: 'file' | 'document_url' | null | undefined
  /** Whether the server loads images from https addresses. Applies to fetched models. Default: false; core downloads them. */
  readonly urls?: boolean | undefined
  /** The field of an assistant's message that returns its reasoning to the server. Default: none. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning' | null | undefined
  /** Whether the server has the Responses API. It is then used for models that reason. Default: false. */
  readonly responses?: boolean | undefined
  /**
   * Whether the server has the API that predates chat completions, for clients that use it. `instruct` stands for the models
   * of OpenAI that have it; its others have chat completions alone. Default: false; these clients get chat completions.
   */
  readonly completions?: boolean | 'instruct' | undefined
  /** Whether the server sends embeddings in base64 if asked for it. Default: false. */
  readonly base64Embeddings?: boolean | undefined
  /** The field for the length of embeddings. Default: `dimensions`. */
  readonly dimensionsField?: 'dimensions' | 'output_dimension' | undefined
  /** Whose reasoning models the server has, and whose fields set their effort. Default: none; `effort` is ignored. */
  readonly reasoning?: ReasoningFamily | undefined
}

export type Options = JsonObject
/** The options of a part, tool or request that are meant for this provider. */
export type OptionsOf = (one: { readonly providerOptions?: ProviderOptions | undefined }) => Options | undefined

/** Facts that the form of a request depends on, besides the request. */
export interface RequestSettings {
  readonly dialect: ServerDialect
  readonly rule: ModelRule
  readonly chosen: ChosenEffort
  /** Warnings about options that the operator does not allow. */
  readonly leftOut: readonly Issue[]
  readonly optionsOf: OptionsOf
}

const dialect = z.strictObject({
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  seedField: z.enum(['seed', 'random_seed']).nullable().optional(),
  penalties: z.boolean().optional(),
  laterSystem: z.boolean().optional(),
  stop: z.boolean().optional(),
  askStreamUsage: z.boolean().optional(),
  jsonAnswers: z.enum(['json_schema', 'json_object']).nullable().optional(),
  jsonObjects: z.boolean().optional(),
  toolChoice: z.boolean().optional(),
  parallelToolCalls: z.boolean().optional(),
  strictTools: z.boolean().optional(),
  toolNameLength: z.int().min(16).optional(),
  toolCallIdLength: z.int().min(16).optional(),
  shortToolCallIds: z.boolean().optional(),
  checksToolSchemas: z.boolean().optional(),
  files: z.enum(['file', 'document_url']).nullable().optional(),
  urls: z.boolean().optional(),
  reasoningField: z.enum(['reasoning_content', 'reasoning']).nullable().optional(),
  responses: z.boolean().optional(),
  completions: z.union([z.boolean(), z.literal('instruct')]).optional(),
  base64Embeddings: z.boolean().optional(),
  dimensionsField: z.enum(['dimensions', 'output_dimension']).optional(),
  reasoning: z.enum(reasoningFamilies).optional(),
}) satisfies z.ZodType<ServerDialect>

/** @throws TypeError that names the invalid field: configuration may come from JSON, which no compiler has checked */
export function readDialect(id: string, given: ServerDialect): ServerDialect {
  const read = dialect.safeParse(given)
  if (read.success) return read.data
  const problems = read.error.issues.map(({ path, message }) =>
    [id, ['dialect', ...path].join('.'), message].join(': '),
  )
  throw new TypeError(problems.join('; '))
}
