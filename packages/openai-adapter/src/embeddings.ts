import type { Embeddings } from '@fairlead/core/types'
import { type Endpoint, type Fields, invalid, isPresent } from '@fairlead/http'
import { nativeFields, unknownFields } from './fields.ts'

const interpreted = ['model', 'input', 'dimensions', 'encoding_format', 'provider_options', 'cache']
/** More than OpenAI takes in one request, 300,000. */
const maxTokens = 500_000

/** `POST /embeddings`. OpenAI's own client asks for base64 unless told otherwise. */
export const embeddings: Endpoint = {
  method: 'POST',
  path: '/embeddings',
  operation: 'embed',
  maxBodyBytes: 20 * 1_048_576,
  maxNumbers: maxTokens,
  translate({ body, core }) {
    const { texts, tokens } = readInput(body['input'])
    const ignored = unknownFields(body, interpreted)
    const dialect = 'openai-chat'
    return {
      input: {
        model: body['model'],
        texts,
        dimensions: body['dimensions'] ?? undefined,
        encoding: body['encoding_format'] ?? undefined,
        providerOptions: body['provider_options'] ?? undefined,
        cache: body['cache'] ?? undefined,
      },
      native: {
        dialect,
        fields: { ...withoutNulls(nativeFields(body, interpreted)), ...(tokens && { input: tokens }) },
        messages: [],
        required: tokens ? ['input'] : [],
      },
      ignored: (provider) => (provider !== undefined && core.supportsDialect(provider, dialect) ? [] : ignored),
      spell: (field) => spell(field, typeof body['input'] === 'string'),
      toBody: ({ data }) => toList(data),
    }
  },
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isPresent(value)))
}

interface ReadInput {
  readonly texts: unknown
  /** The placeholder for each text, in a list of tokens. Core knows tokens only by their number. */
  readonly tokens?: readonly unknown[]
}

/** A text, tokens of a text, or a list of either. */
function readInput(input: unknown): ReadInput {
  if (typeof input === 'string') return { texts: [input] }
  if (!Array.isArray(input) || input.every((each) => typeof each === 'string')) return { texts: input }
  const list: readonly unknown[] = input.every((each) => typeof each === 'number') ? [input] : input
  const texts = list.map((each, index) => {
    if (typeof each === 'string') return each
    if (Array.isArray(each) && each.every((token) => typeof token === 'number')) return `[${each.length} tokens]`
    throw invalid(`input[${index}]`, 'must be text or tokens')
  })
  return { texts, tokens: list }
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
