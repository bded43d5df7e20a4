import type { ImageAnswer, Issue } from '@fairlead/core/provider'
import type { ImageTokenPrices } from '@fairlead/provider-toolkit'
import { z } from 'zod'

const tokens = z.int().min(0)

const drawn = z.object({ b64_json: z.string().min(1), revised_prompt: z.string().nullish() })

export const imageReply = z.object({
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

type ImageReply = z.output<typeof imageReply>

/** @param prices of a model that is billed by token */
export function fromImageReply(
  { data: [{ b64_json, revised_prompt }, ...others], usage }: ImageReply,
  warnings: readonly Issue[],
  prices: ImageTokenPrices | undefined,
): ImageAnswer {
  return {
    png: Buffer.from(b64_json, 'base64'),
    ...(others.length > 0 && { others: others.map((each) => Buffer.from(each.b64_json, 'base64')) }),
    ...(revised_prompt ? { revisedPrompt: revised_prompt } : {}),
    ...(usage ? { promptTokens: usage.input_tokens } : {}),
    ...(usage && prices ? { costUsd: tokenCost(usage, prices) } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}

const tokensPerPrice = 1_000_000

function tokenCost(usage: NonNullable<ImageReply['usage']>, prices: ImageTokenPrices): number {
  const textTokens = usage.output_tokens_details?.text_tokens ?? 0
  const imageTokens = Math.max(0, usage.output_tokens - textTokens)
  const sum = usage.input_tokens * prices.input + textTokens * prices.textOutput + imageTokens * prices.imageOutput
  return sum / tokensPerPrice
}
