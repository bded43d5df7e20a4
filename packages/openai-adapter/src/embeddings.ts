import type { Embeddings } from '@fairlead/core/types'
import { type Endpoint, invalid } from '@fairlead/http'
import { unknownFields } from './fields.ts'

const known = ['model', 'input', 'dimensions', 'encoding_format', 'provider_options', 'cache']

/** `POST /embeddings`. OpenAI's own client asks for base64 unless told otherwise. */
export const embeddings: Endpoint = {
  method: 'POST',
  path: '/embeddings',
  operation: 'embed',
  maxBodyBytes: 20 * 1_048_576,
  translate: ({ body }) => ({
    input: {
      model: body['model'],
      texts: toTexts(body['input']),
      dimensions: body['dimensions'] ?? undefined,
      encoding: body['encoding_format'] ?? undefined,
      providerOptions: body['provider_options'] ?? undefined,
      cache: body['cache'] ?? undefined,
    },
    ignored: unknownFields(body, known),
    spell: (field) => spell(field, typeof body['input'] === 'string'),
    toBody: ({ data }) => toList(data),
  }),
}

function toTexts(input: unknown): unknown {
  if (typeof input === 'string') return [input]
  if (Array.isArray(input) && input.some((each) => typeof each !== 'string')) {
    throw invalid('input', 'must be text or a list of texts: tokens depend on the model, and are not supported')
  }
  return input
}

function toList({ embeddings: numbers, base64, model, usage }: Embeddings) {
  const { promptTokens } = usage
  const all: readonly (string | number[])[] = base64 ?? numbers
  return {
    object: 'list',
    data: all.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  }
}

function spell(field: string, isText: boolean): string {
  if (field === 'encoding') return 'encoding_format'
  if (field === 'providerOptions') return 'provider_options'
  return isText ? field.replace(/^texts(\[0\])?/, 'input') : field.replace(/^texts/, 'input')
}
