import { type EmbeddingAnswer, type EmbeddingRequest, type Issue, ProviderError } from '@fairlead/core/provider'
import { withOptions } from '@fairlead/provider-toolkit'
import * as z from 'zod'
import type { ServerDialect, Options, OptionsOf } from './dialect.ts'
import { countIn, objectIn } from './sent-values.ts'

/** The request of embeddings. Base64 is a quarter of the size of numbers, and takes less time to read. */
export function toEmbeddingsRequest(request: EmbeddingRequest, dialect: ServerDialect, optionsOf: OptionsOf): Options {
  const { model, texts, dimensions } = request
  const body = {
    model,
    input: texts,
    ...(dimensions !== undefined && { [dialect.dimensionsField ?? 'dimensions']: dimensions }),
    ...(dialect.base64Embeddings && { encoding_format: 'base64' }),
    // With the tokens of a client that sends these in place of texts.
    ...request.native?.['openai-chat'],
  }
  return withOptions(body, optionsOf(request))
}

/** The numbers are checked below: a schema would take longer than all else. */
const vector = z.union([z.string(), z.custom<readonly unknown[]>((value) => Array.isArray(value))])

export const embeddingsReply = z.object({
  data: z.array(z.object({ index: z.int().nullish().catch(undefined), embedding: vector })),
  usage: z.unknown(),
})

/** @param count how many texts were sent */
export function fromEmbeddingsReply(
  { data, usage }: z.output<typeof embeddingsReply>,
  count: number,
  warnings: readonly Issue[],
): EmbeddingAnswer {
  if (data.length !== count) {
    throw new ProviderError('retry', `the reply has ${data.length} embeddings for ${count} texts`)
  }
  const counts = objectIn(usage)
  // Of Voyage and Jina, the total alone: an embedding has no other tokens.
  const promptTokens = countIn(counts?.['prompt_tokens'] ?? counts?.['input_tokens'] ?? counts?.['total_tokens'])
  const ordered = data.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
  const embeddings = ordered.map(({ embedding }) =>
    typeof embedding === 'string' ? fromBase64(embedding) : fromNumbers(embedding),
  )
  const length = embeddings[0]?.length ?? 0
  const areValid = embeddings.every((each) => each.length === length && areFinite(each))
  if (length === 0 || !areValid) throw new ProviderError('retry', 'the embeddings are not vectors of one length')
  return {
    embeddings,
    ...(promptTokens !== undefined && { promptTokens }),
    ...(warnings.length > 0 && { warnings }),
  }
}

const bytesPerFloat = 4
/** How many numbers can be read without blocking the event loop for long: in base64, and as JSON. */
const maxFloats = 400_000
const maxNumbers = 100_000

/** The `maxTexts` of a model whose server does not state one. */
export function maxTextsPerRequest(dimensions: number, { base64Embeddings = false }: ServerDialect): number {
  return Math.max(1, Math.floor((base64Embeddings ? maxFloats : maxNumbers) / dimensions))
}

/** The little-endian 32-bit floats of a vector, as all systems of Node.js have them. */
function fromBase64(text: string): Float32Array {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64')
  return new Float32Array(buffer.slice(byteOffset, byteOffset + length - (length % bytesPerFloat)))
}

/** A callback for each number would take longer than all else. */
function areFinite(numbers: Float32Array): boolean {
  for (let at = 0; at < numbers.length; at++) if (!Number.isFinite(numbers[at])) return false
  return true
}

/** Anything but a number becomes NaN, which no vector contains. */
function fromNumbers(values: readonly unknown[]): Float32Array {
  return Float32Array.from(values, (value) => (typeof value === 'number' ? value : NaN))
}
