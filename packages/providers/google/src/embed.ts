import { type EmbeddingAnswer, type EmbeddingRequest, type Issue, ProviderError } from '@fairlead/core/provider'
import * as z from 'zod'

/** The format of `batchEmbedContents`: https://ai.google.dev/api/embeddings */
export const embedReply = z.object({
  embeddings: z.array(z.object({ values: z.custom<readonly number[]>(isVector) })),
  usageMetadata: z.object({ promptTokenCount: z.int().min(0).optional() }).optional(),
})

/** Ten times as fast as a schema of each number: a reply has up to 300,000. */
function isVector(values: unknown): boolean {
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'number')
}

/** A hundred vectors of 3,072 numbers, printed with one number on each line. */
export const maxEmbedBytes = 16 * 1024 * 1024

/** @param id the provider's id, for the fields of its API that the request carries, such as `taskType` */
export function embedToWire({ model, texts, dimensions, providerOptions }: EmbeddingRequest, id: string) {
  const { outputDimensionality, ...own } = providerOptions?.[id] ?? {}
  const requests = texts.map((text) => ({
    ...own,
    model: `models/${model}`,
    content: { role: 'user', parts: [{ text }] },
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
  }))
  const field = `providerOptions.${id}.outputDimensionality`
  const warnings = outputDimensionality === undefined ? [] : [{ field, issue: 'was ignored: set `dimensions`' }]
  return { body: { requests }, warnings }
}

export function embedFromWire(
  { embeddings, usageMetadata }: z.output<typeof embedReply>,
  { texts }: EmbeddingRequest,
  warnings: readonly Issue[],
): EmbeddingAnswer {
  if (embeddings.length !== texts.length) {
    throw new ProviderError('retry', `the reply has ${embeddings.length} embeddings for ${texts.length} texts`)
  }
  const promptTokens = usageMetadata?.promptTokenCount
  return {
    embeddings: embeddings.map(({ values }) => values),
    ...(promptTokens !== undefined && { promptTokens }),
    warnings,
  }
}
