import type { UserLocation } from '@fairlead/core/provider'
import * as z from 'zod'

/** The formats of the Messages API for text: https://platform.claude.com/docs/en/api/messages */

/** A part of a message. Each type has different fields. */
export interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

export interface WireTool {
  readonly name: string
  readonly description?: string
  readonly input_schema: Readonly<Record<string, unknown>>
  readonly strict?: boolean
  readonly [field: string]: unknown
}

/** A search that the API runs itself. */
export interface WireSearch {
  readonly type: 'web_search_20250305'
  readonly name: 'web_search'
  readonly max_uses?: number | undefined
  readonly allowed_domains?: readonly string[] | undefined
  readonly blocked_domains?: readonly string[] | undefined
  readonly user_location?: { readonly type: 'approximate' } & UserLocation
}

export interface WireToolChoice {
  readonly type: 'auto' | 'any' | 'none' | 'tool'
  readonly name?: string
  readonly disable_parallel_tool_use?: boolean
}

export interface WireMessage {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: string | readonly Block[]
}

export interface MessageRequest {
  readonly model: string
  readonly max_tokens: number
  readonly system?: string | readonly Block[]
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly (WireTool | WireSearch)[]
  readonly tool_choice?: WireToolChoice
  readonly stream?: true
  readonly stop_sequences?: readonly string[]
  readonly temperature?: number
  readonly top_p?: number | undefined
  readonly thinking?: {
    readonly type: 'adaptive' | 'enabled' | 'disabled' | 'between_tools'
    readonly display?: 'summarized'
    readonly budget_tokens?: number
  }
  readonly speed?: string
  readonly inference_geo?: string
  readonly output_config?: {
    readonly effort?: string
    readonly format?: { readonly type: 'json_schema'; readonly schema: Readonly<Record<string, unknown>> }
  }
}

const tokens = z.int().min(0)
/** Servers that only speak the API leave counts out, or send them in another form: those count as missing. */
const maybeTokens = tokens.nullish().catch(undefined)

/** Further counts are kept, such as the number of searches. */
const usage = z.looseObject({
  input_tokens: maybeTokens,
  output_tokens: maybeTokens,
  cache_creation_input_tokens: maybeTokens,
  cache_read_input_tokens: maybeTokens,
  output_tokens_details: z.looseObject({ thinking_tokens: maybeTokens }).nullish().catch(undefined),
  cache_creation: z.looseObject({ ephemeral_1h_input_tokens: maybeTokens }).nullish().catch(undefined),
  server_tool_use: z.looseObject({ web_search_requests: maybeTokens }).nullish().catch(undefined),
  service_tier: z.string().nullish().catch(undefined),
  speed: z.string().nullish().catch(undefined),
  inference_geo: z.string().nullish().catch(undefined),
})
export type WireUsage = z.output<typeof usage>
const maybeUsage = usage
  .nullish()
  .catch(undefined)
  .transform((counts) => counts ?? undefined)
/** A text that is null, or left out, is empty. */
const maybeText = z
  .string()
  .nullish()
  .transform((text) => text ?? '')

const ending = {
  stop_reason: z.string().nullish(),
  stop_sequence: z.string().nullish(),
  stop_details: z.looseObject({ explanation: z.string().nullish() }).nullish(),
}

function listTypes(options: readonly { readonly shape: { readonly type: z.ZodLiteral<string> } }[]): string[] {
  return options.map(({ shape }) => shape.type.value)
}

/** The API may add types of blocks, deltas, and events. */
function otherThan(...types: string[]) {
  const other = z.looseObject({ type: z.string().refine((type) => !types.includes(type)) })
  return other.transform((value) => ({ type: 'other' as const, value }))
}

const contentBlock = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: maybeText, citations: z.array(z.looseObject({})).nullish() }),
  z.looseObject({ type: z.literal('thinking'), thinking: maybeText, signature: z.string().nullish() }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
])
const block = z.union([contentBlock, otherThan(...listTypes(contentBlock.options))])
export type WireBlock = z.output<typeof block>

const message = {
  id: z.string().nullish().catch(undefined),
  model: z.string().nullish().catch(undefined),
  usage: maybeUsage,
}

export const messageReply = z.looseObject({
  type: z.literal('message').nullish(),
  ...message,
  content: z.union([z.array(block), z.string().transform((text): WireBlock[] => [{ type: 'text', text }])]),
  error: z.null().optional(),
  ...ending,
})
export type MessageReply = z.output<typeof messageReply>

const knownDelta = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text_delta'), text: maybeText }),
  z.object({ type: z.literal('thinking_delta'), thinking: maybeText }),
  z.object({ type: z.literal('signature_delta'), signature: z.string() }),
  z.object({ type: z.literal('input_json_delta'), partial_json: maybeText }),
  z.object({ type: z.literal('citations_delta'), citation: z.looseObject({}) }),
])
const delta = z.union([knownDelta, otherThan(...listTypes(knownDelta.options))])
export type WireDelta = z.output<typeof delta>

/** Without it, an event belongs to the block that began last. */
const index = z.int().min(0).nullish()

const knownEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.looseObject(message) }),
  z.object({ type: z.literal('content_block_start'), index, content_block: block }),
  z.object({ type: z.literal('content_block_delta'), index, delta }),
  z.object({ type: z.literal('content_block_stop'), index }),
  z.looseObject({ type: z.literal('message_delta'), delta: z.looseObject(ending).nullish(), usage: maybeUsage }),
  z.object({ type: z.literal('message_stop') }),
])

/** An `error` event does not match, and is read as an error. */
export const streamEvent = z.union([knownEvent, otherThan('error', ...listTypes(knownEvent.options))])
export type StreamEvent = z.output<typeof streamEvent>

/** The events that a whole reply stands for. */
export function splitReply(reply: unknown): readonly unknown[] | undefined {
  const { type, content } = (reply ?? {}) as { readonly type?: unknown; readonly content?: unknown }
  if (type !== 'message' || !Array.isArray(content)) return undefined
  const blocks = content.flatMap((content_block: unknown, at) => [
    { type: 'content_block_start', index: at, content_block },
    { type: 'content_block_stop', index: at },
  ])
  return [{ type: 'message_start', message: reply }, ...blocks, { type: 'message_stop' }]
}

export const tokenCount = z.object({ input_tokens: tokens })

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
      capabilities: z.object({ structured_outputs: supported.nullish(), image_input: supported.nullish() }).nullish(),
    }),
  ),
  has_more: z.boolean().nullish(),
})
export type WireModel = z.output<typeof modelList>['data'][number]
