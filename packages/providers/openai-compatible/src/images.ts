import type { ImageAnswer, ImageRequest, Issue, JsonObject } from '@fairlead/core/provider'
import { type ImageTokenPrices, unsupportedFields } from '@fairlead/provider-toolkit'
import * as z from 'zod'
import type { WireRequest } from './chat-request.ts'
import { asSent, without } from './sent-values.ts'

/** The fields that a family of models takes besides model, prompt, and size. */
interface ImageFamily {
  readonly ids: RegExp
  readonly fields: (request: ImageRequest) => JsonObject
  /** Whether they always answer with the bytes, and reject the field that asks for them. Default: false. */
  readonly isInline?: boolean
  readonly ignores: readonly ('quality' | 'style' | 'seed')[]
}

const inBase64 = { response_format: 'b64_json' }

const families: readonly ImageFamily[] = [
  // Their default is PNG in base64, and they reject the field that asks for it.
  {
    ids: /^gpt-image|^chatgpt-image/,
    isInline: true,
    fields: ({ quality, qualityLevel }) => ({ quality: qualityLevel ?? (quality === 'hd' ? 'high' : 'medium') }),
    ignores: ['style', 'seed'],
  },
  {
    ids: /^dall-e-3/,
    fields: ({ quality, style }) => ({ quality, style, ...inBase64 }),
    ignores: ['seed'],
  },
  { ids: /^/, fields: () => inBase64, ignores: ['quality', 'style', 'seed'] },
]

export function toImageRequest(request: ImageRequest): WireRequest {
  const { model, prompt, width, height } = request
  const family = families.find(({ ids }) => ids.test(model))!
  const own = request.native?.['openai-chat']
  // Core stores the bytes, also for a client that asks for an address.
  if (own) return { body: { model, prompt, ...own, ...(!family.isInline && inBase64) }, warnings: [] }
  return {
    body: { model, prompt, n: request.n ?? 1, size: `${width}x${height}`, ...family.fields(request) },
    warnings: unsupportedFields(request, family.ignores),
  }
}

const tokens = z.int().min(0)

const drawn = z.object({ b64_json: z.string().min(1), revised_prompt: z.string().nullish() })

const replyShape = z.object({
  data: z.tuple([drawn], drawn),
  usage: z
    .object({
      input_tokens: tokens,
      output_tokens: tokens,
      output_tokens_details: z.object({ text_tokens: tokens }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
})

export const imageReply = asSent(replyShape)

type ImageReply = z.output<typeof replyShape>

interface ImageReading {
  readonly warnings: readonly Issue[]
  /** Of a model that is billed by token. */
  readonly prices: ImageTokenPrices | undefined
  /** Whether the client speaks the API, and gets the fields of the reply. */
  readonly isOwn: boolean
}

export function fromImageReply(
  sent: z.input<typeof replyShape>,
  { warnings, prices, isOwn }: ImageReading,
): ImageAnswer {
  const {
    data: [{ b64_json, revised_prompt }, ...others],
    usage,
  } = replyShape.parse(sent)
  return {
    png: Buffer.from(b64_json, 'base64'),
    ...(others.length > 0 && { others: others.map((each) => Buffer.from(each.b64_json, 'base64')) }),
    ...(revised_prompt ? { revisedPrompt: revised_prompt } : {}),
    ...(usage ? { promptTokens: usage.input_tokens } : {}),
    ...(usage && prices ? { costUsd: tokenCost(usage, prices) } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(isOwn ? { response: { native: { 'openai-chat': without(sent, ['data']) } } } : {}),
  }
}

const tokensPerPrice = 1_000_000

function tokenCost(usage: NonNullable<ImageReply['usage']>, prices: ImageTokenPrices): number {
  const textTokens = usage.output_tokens_details?.text_tokens ?? 0
  const imageTokens = Math.max(0, usage.output_tokens - textTokens)
  const sum = usage.input_tokens * prices.input + textTokens * prices.textOutput + imageTokens * prices.imageOutput
  return sum / tokensPerPrice
}
