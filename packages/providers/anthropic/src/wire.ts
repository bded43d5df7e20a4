import { z } from 'zod'

/** The formats of the Messages API for text: https://platform.claude.com/docs/en/api/messages */

export interface MessageRequest {
  readonly model: string
  readonly max_tokens: number
  readonly messages: readonly { readonly role: 'user'; readonly content: string }[]
  readonly stream?: true
  readonly stop_sequences?: readonly string[]
  readonly temperature?: number
  readonly thinking?: { readonly type: 'adaptive' | 'disabled' | 'between_tools' }
  readonly output_config?: {
    readonly effort?: string
    readonly format?: { readonly type: 'json_schema'; readonly schema: Readonly<Record<string, unknown>> }
  }
}

const tokens = z.int().min(0)
const maybeTokens = tokens.nullish().transform((count) => count ?? undefined)

const usage = z.object({
  input_tokens: maybeTokens,
  output_tokens: maybeTokens,
  cache_creation_input_tokens: maybeTokens,
  cache_read_input_tokens: maybeTokens,
  output_tokens_details: z.object({ thinking_tokens: maybeTokens }).nullish(),
})
export type WireUsage = z.output<typeof usage>

const ending = {
  stop_reason: z.string().nullish(),
  stop_details: z.object({ explanation: z.string().nullish() }).nullish(),
}

/** Blocks that are not text have other types, and the API may add types. */
function anyTypeBut(...types: string[]) {
  return z
    .object({ type: z.string().refine((type) => !types.includes(type)) })
    .transform(() => ({ type: 'other' as const }))
}

const text = z.object({ type: z.literal('text'), text: z.string() })

export const messageReply = z.object({
  type: z.literal('message'),
  content: z.array(z.union([text, anyTypeBut('text')])),
  ...ending,
  usage,
})
export type MessageReply = z.output<typeof messageReply>

const knownEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage }) }),
  z.object({ type: z.literal('content_block_start'), content_block: z.union([text, anyTypeBut('text')]) }),
  z.object({
    type: z.literal('content_block_delta'),
    delta: z.union([z.object({ type: z.literal('text_delta'), text: z.string() }), anyTypeBut('text_delta')]),
  }),
  z.object({ type: z.literal('message_delta'), delta: z.object(ending), usage: usage.optional() }),
  z.object({ type: z.literal('message_stop') }),
])

/** An `error` event does not match, and is read as an error. */
export const streamEvent = z.union([
  knownEvent,
  anyTypeBut('error', ...knownEvent.options.map(({ shape }) => shape.type.value)),
])
export type StreamEvent = z.output<typeof streamEvent>

export const errorReply = z.object({
  type: z.literal('error'),
  error: z.object({
    type: z.string(),
    message: z.string(),
    details: z.object({ error_code: z.string().nullish() }).nullish().catch(undefined),
  }),
})

const supported = z.object({ supported: z.boolean() })

export const modelList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      display_name: z.string(),
      lifecycle: z.string().nullish(),
      max_input_tokens: tokens.nullish(),
      max_tokens: tokens.nullish(),
      capabilities: z.object({ structured_outputs: supported.nullish() }).nullish(),
    }),
  ),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
})
export type WireModel = z.output<typeof modelList>['data'][number]
