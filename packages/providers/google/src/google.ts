import { canDraw } from '#redraw'
import {
  allowsTool,
  collectAnswer,
  optionGuard,
  type Provider,
  ProviderError,
  requireOptions,
  type TextRequest,
} from '@fairlead/core/provider'
import {
  createHttpClient,
  findEntry,
  fitTools,
  httpOptionNames,
  type HttpProviderOptions,
  type ModelChoice,
  offeredModels,
  requireApiKey,
} from '@fairlead/provider-toolkit'
import { embedFromWire, embedReply, embedToWire, maxEmbedBytes } from './embed.ts'
import { explainError } from './explain-error.ts'
import { imageFromWire } from './image-from-wire.ts'
import { imageToWire } from './image-to-wire.ts'
import { assumedModel, fetchModels } from './fetch-models.ts'
import type { GoogleEffort } from './model-rules.ts'
import { optionRules } from './option-rules.ts'
import { textFromEvents, textFromWire } from './text-from-wire.ts'
import { textToWire } from './text-to-wire.ts'
import { type GenerateReply, generateReply, modelList } from './wire.ts'

const schema = generateReply
/** A whole reply is an event, too. */
const form = { schema, ping: {}, eventsOf: () => undefined }
/** The maximum length of the name of a function (@google/genai: FunctionDeclaration). */
const maxToolName = 64
/** A PNG of 32 MiB, the most that core takes, in base64. */
const maxImageBytes = 45 * 1024 * 1024

export interface GoogleOptions extends HttpProviderOptions, ModelChoice {
  /** Default: `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl?: string | undefined
  /** The name before the slash in `provider/model`. Default: `google`. */
  readonly id?: string | undefined
  /**
   * How much text models think if a request has no `reasoning`. Thinking tokens count in `maxTokens` and in the price.
   * Default: the minimum of each model, which for some is none.
   */
  readonly effort?: GoogleEffort | undefined
  /** Fields and hosted tools of the API that cost more, and that callers may use: `serviceTier`, `googleSearch`. Default: none. */
  readonly allow?: readonly string[] | undefined
}

const googleUrl = 'https://generativelanguage.googleapis.com/v1beta'
const example = "google({ apiKey: '…' })"
const optionNames: readonly (keyof GoogleOptions)[] = [...httpOptionNames, 'id', 'models', 'effort', 'allow']

/**
 * Gemini through Google's Gemini API: text, images, and embeddings.
 *
 * @throws TypeError that names the invalid option
 */
export function google(options: GoogleOptions): Provider {
  requireOptions(options, optionNames, example)
  requireApiKey(options, example)
  const { id = 'google', baseUrl = googleUrl, models, effort, allow, ...http } = options
  const client = createHttpClient({
    ...http,
    id,
    baseUrl,
    apiKeyHeader: 'x-goog-api-key',
    explainError,
  })
  const offered = offeredModels(options, {
    known: 'google',
    fetchModels: ({ signal }, known) => fetchModels(client, known, signal),
    assume: assumedModel,
  })
  const guard = optionGuard({ id, rules: optionRules, allow })
  const postOf = (given: TextRequest, signal: AbortSignal, method: string) => {
    const { request: allowed, warnings: leftOut } = guard(given)
    const { request, names: toolNames } = fitTools(allowed, { nameLength: maxToolName })
    const { body, warnings } = textToWire(request, { id, effort })
    const post = { path: modelPath(request.model, method), body, schema, signal, quota: request.model }
    return { post, reading: { id, body, warnings: [...warnings, ...leftOut], toolNames } }
  }
  return {
    contract: 2,
    id,
    webSearch: allowsTool(allow, 'googleSearch'),
    readOn: options.readOn,
    get models() {
      return offered.models()
    },
    get knownModels() {
      return offered.knownModels()
    },
    ...(offered.findModel && { findModel: offered.findModel }),
    async generateText(request, { signal }) {
      const { post, reading } = postOf(request, signal, 'generateContent')
      const collect = (events: AsyncIterable<GenerateReply>) => collectAnswer(textFromEvents(events, reading))
      return client.postJson(post, (reply) => textFromWire(reply, reading), { ...form, collect })
    },
    streamText(request, { signal, warn }) {
      const { post, reading } = postOf(request, signal, 'streamGenerateContent?alt=sse')
      warn?.(reading.warnings)
      return client.postForEvents({ ...post, ...form }, (events) => textFromEvents(events, reading))
    },
    async embed(given, { signal }) {
      const { request, warnings: leftOut } = guard(given)
      const { body, warnings: found } = embedToWire(request, id)
      const warnings = [...found, ...leftOut]
      const path = modelPath(request.model, 'batchEmbedContents')
      const post = { path, body, schema: embedReply, signal, quota: request.model, maxBytes: maxEmbedBytes }
      return client.postJson(post, (reply) => embedFromWire(reply, request, warnings))
    },
    async generateImage(request, { signal }) {
      // The API may return a JPEG, which costs as much.
      if (!canDraw)
        throw new ProviderError('give_up', `${id}: images need @napi-rs/canvas, which Cloudflare Workers cannot load`)
      const { body, warnings } = imageToWire(request)
      const path = modelPath(request.model, 'generateContent')
      // One's own models have one's own prices.
      const prices = Array.isArray(models) ? undefined : findEntry('google', request.model)?.tokenPrices
      const post = { path, body, schema, signal, quota: request.model, maxBytes: maxImageBytes }
      return client.postJson(post, (reply) => imageFromWire(reply, request, warnings, prices))
    },
    async health({ signal }) {
      await client.getJson({ path: '/models?pageSize=1', schema: modelList, signal })
    },
    close: () => client.close(),
  }
}

function modelPath(model: string, method: string): string {
  return `/models/${encodeURIComponent(model)}:${method}`
}
