import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod'
import type { OperationRun } from '../runtime/run/operation-run.ts'
import { type Issue, invalidRequest } from '../runtime/errors.ts'
import { cacheFlag, hasAtMost, modelId, textAtMost, namedObject, namedEnum } from '../runtime/schema/field-schemas.ts'
import { tokenUsage } from '../runtime/events/model-call-events.ts'
import { maxTextCharacters, providerOptions } from './messages/conversation-input.ts'
import { textCost } from './cost.ts'
import { estimateTokens } from './routing/targets.ts'
import { embeddingEvents } from './events.ts'
import type { ModelFor } from './model.ts'
import { type ModelRoute, narrowed, supportsDialect, withDialectOf } from './routing/route.ts'
import { findRoute } from './text/prepare-text.ts'
import { maxCharactersPerToken, textSize } from './text/prompt-size.ts'
import { noteUpstream } from './provider-responses.ts'
import { type CheckedEmbeddings, embeddingSender, fromBase64, inputSize, maxTexts } from './request-embeddings.ts'
import { checkProviderOptions } from './options/reserved-options.ts'
import { action } from './services.ts'

const embedInput = z.strictObject({
  texts: z
    .array(textAtMost(maxTextCharacters))
    .min(1)
    .max(maxTexts)
    .describe('Texts. Each has at most as many tokens as the model’s `max_tokens`.'),
  model: modelId.describe('Id of a model that embeds texts.'),
  dimensions: z
    .int()
    .min(1, { error: 'must be at least 1' })
    .optional()
    .describe('Length of the embeddings, for models that let you choose it. Default: the model’s.'),
  encoding: namedEnum('EmbeddingEncoding', 'Encoding of embeddings.', {
    float: 'Arrays of numbers.',
    base64: 'Base64, which takes a quarter of the space.',
  })
    .default('float')
    .describe('`float`: arrays of numbers. `base64`: 32-bit floats (little-endian) in base64, a quarter as long.'),
  providerOptions: providerOptions.optional(),
  cache: cacheFlag,
})

/** The numbers are checked when they come from the provider. Checking millions of them again would hold the event loop. */
const vector = (z.any() as unknown as z.ZodType<number[]>).meta({ type: 'array', items: { type: 'number' } })

const embeddings = namedObject('Embeddings', 'Embeddings of texts.', {
  embeddings: z
    .array(vector)
    .describe('One embedding for each text, in the order of the texts. Empty with the encoding `base64`.'),
  base64: z
    .array(z.string())
    .optional()
    .describe('The embeddings with the encoding `base64`: 32-bit floats, little-endian. Otherwise absent.'),
  model: z.string().describe('Id of the model that embedded the texts.'),
  usage: tokenUsage.describe('Token usage.'),
})

type Embeddings = z.output<typeof embeddings>

/** Embeds texts. Rejected with `QUOTA_EXCEEDED` before any provider is called. */
export const embed = action({
  name: 'embed',
  summary: 'Embeds texts: returns a vector for each.',
  access: { scope: 'generate' },
  metered: true,
  rest: {
    method: 'POST',
    path: '/embeddings',
    maxBodyBytes: 20 * 1_048_576,
  },
  graphql: { mutation: 'embed' },
  input: embedInput,
  output: embeddings,
  events: embeddingEvents,
  isKept: ({ embeddings: [first = []], embeddings: { length }, base64 = [] }) =>
    jsonBytes('float', length * first.length) + base64.length * (base64[0]?.length ?? 0) <= maxBytesPerTurn,
  prepare({ registry }, call, { texts, encoding, cache, ...input }) {
    const { native } = call
    const found = withDialectOf(native, findRoute(registry, call, 'embedding', input.model))
    const route = withRoomFor({ texts, dimensions: input.dimensions }, found, native?.dialect)
    const { dimensions = route.model.embedding.dimensions } = input
    checkProviderOptions(input.providerOptions, registry, call)
    const size = jsonBytes(encoding, texts.length * dimensions)
    if (size > call.maxResultBytes) throw tooLarge(call.maxResultBytes, encoding, dimensions)
    const isCacheable = jsonBytes('base64', texts.length * dimensions) <= maxBytesPerTurn
    const request = {
      texts,
      dimensions,
      ...(input.providerOptions && { providerOptions: input.providerOptions }),
      ...(native && { native: { [native.dialect]: native.fields } }),
    }
    return { operation: 'embed', route, request, encoding, repeatable: cache && isCacheable }
  },
  estimate: (_services, _call, { plan: { route, request } }) =>
    estimateTokens(route, { prompt: inputSize(request), maxTokens: 0 }),
  findStored: ({ responseCache }, call, { plan }) => responseCache.find(plan, call),
  async run({ router, responseCache }, call, { plan }): Promise<Embeddings> {
    const { route, request, encoding } = plan
    const { dimensions, ...sent } = request
    const send = embeddingSender(sent, dimensions)
    const longest = request.texts.reduce((a, b) => (b.length > a.length ? b : a))
    const { target, answer, cached } = await responseCache.attempt(plan, call, (owner) =>
      router.attempt('embed', route, owner, send, { prompt: textSize(longest), maxTokens: 0 }),
    )
    noteUsage(call, target.model, answer, cached ?? false)
    const { promptTokens } = answer
    return {
      ...(encoding === 'base64'
        ? { embeddings: [], base64: [...answer.embeddings] }
        : { embeddings: await toNumbers(answer.embeddings) }),
      model: target.model.id,
      usage: { promptTokens, completionTokens: 0, totalTokens: promptTokens },
    }
  },
})

interface Asked {
  readonly texts: readonly string[]
  readonly dimensions: number | undefined
}

type EmbeddingRoute = ModelRoute<ModelFor<'embedding'>>

/** The route with the targets that can embed as asked. A provider of the client's API decides itself about its limits. */
function withRoomFor(asked: Asked, route: EmbeddingRoute, dialect: string | undefined): EmbeddingRoute {
  const issue = excessIn(asked, route.model)
  if (!issue) return route
  return narrowed(route, ({ provider }) => dialect !== undefined && supportsDialect(provider, dialect), issue)
}

/** The first limit of the model that the request exceeds. An estimate: the provider may still reject what passes. */
function excessIn({ texts, dimensions: requested }: Asked, model: ModelFor<'embedding'>): Issue | undefined {
  const { id, maxTokens } = model
  const { dimensions, minDimensions = dimensions } = model.embedding
  const blank = texts.findIndex((text) => !/\S/.test(text))
  if (blank >= 0) return { field: `texts[${blank}]`, issue: 'must not be empty' }
  if (requested !== undefined && (requested < minDimensions || requested > dimensions)) {
    const allowed = minDimensions === dimensions ? `${dimensions}` : `between ${minDimensions} and ${dimensions}`
    return { field: 'dimensions', issue: `must be ${allowed} for "${id}"` }
  }
  const limit = maxTokens * maxCharactersPerToken
  const long = texts.findIndex((text) => !hasAtMost(limit, text))
  if (long < 0) return undefined
  const issue = `must have at most ${limit.toLocaleString('en')} characters to fit ${maxTokens.toLocaleString('en')} tokens of "${id}"`
  return { field: `texts[${long}]`, issue }
}

function noteUsage(
  call: OperationRun,
  model: ModelFor<'embedding'>,
  { promptTokens, response, warnings: found }: CheckedEmbeddings,
  isCached: boolean,
): void {
  const { costUsd, warnings } = textCost(model, { promptTokens, completionTokens: 0 })
  call.warn([...found, ...(isCached ? [] : warnings)])
  call.note({ model: model.id, ...(isCached ? { costUsd: 0 } : { promptTokens, completionTokens: 0, costUsd }) })
  if (!isCached) noteUpstream(call, response)
}

/** As JSON, a number takes about 20 characters and 0.2 µs, and one in base64 5.3 characters and negligible time. */
const maxBytesPerTurn = 2_500_000

function jsonBytes(encoding: 'float' | 'base64', numbers: number): number {
  return numbers * (encoding === 'float' ? 20 : 16 / 3)
}

function tooLarge(maxBytes: number, encoding: 'float' | 'base64', dimensions: number) {
  const most = Math.floor(maxBytes / jsonBytes(encoding, dimensions))
  const fix =
    encoding === 'float' ? '; the encoding "base64" allows four times as many, and REST all' : '; REST allows all'
  return invalidRequest({
    field: 'texts',
    issue: `must have at most ${most} entries of ${dimensions} dimensions${fix}`,
  })
}

/** Converting one takes about 50 ns. */
const maxNumbersPerTurn = 131_072

async function toNumbers(encoded: readonly string[]): Promise<number[][]> {
  const vectors: number[][] = []
  let converted = 0
  for (const text of encoded) {
    const numbers = Array.from(fromBase64(text))
    vectors.push(numbers)
    converted += numbers.length
    if (converted < maxNumbersPerTurn) continue
    converted = 0
    await nextTurn()
  }
  return vectors
}
