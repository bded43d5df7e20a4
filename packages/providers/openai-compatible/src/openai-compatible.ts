import { allowsTool, type Dialect, optionGuard, type Provider, type ProviderCall } from '@fairlead/core/provider'
import { createHttpClient, findEntry } from '@fairlead/provider-toolkit'
import { optionsFor } from './chat-request.ts'
import { embeddingsReply, fromEmbeddingsReply, toEmbeddingsRequest } from './embeddings.ts'
import { explainError } from './explain-error.ts'
import { fromImageReply, imageReply, toImageRequest } from './images.ts'
import type { ModelRule } from './model-rules.ts'
import { listModels, chooseModels } from './choose-models.ts'
import type { OwnDialect } from './native.ts'
import { OllamaApi } from './ollama.ts'
import { optionRules } from './option-rules.ts'
import { type OpenaiCompatibleOptions, readOptions } from './options.ts'
import { textMethods } from './text-api.ts'

/** A PNG of 32 MiB, the most that core accepts, in base64. */
const maxImageBytes = 45 * 1024 * 1024
/** More than the embeddings of the longest list of texts. */
const maxEmbeddingsBytes = 32 * 1024 * 1024

export type OpenaiCompatibleProvider = Provider &
  Required<Pick<Provider, 'generateText' | 'streamText' | 'embed' | 'generateImage' | 'close'>>

/**
 * Text, embeddings, and images from a server with the chat completions API.
 *
 * @throws TypeError that names the invalid option
 */
export function openaiCompatible(options: OpenaiCompatibleOptions): OpenaiCompatibleProvider {
  const { id, preset, baseUrl, dialect, effort, notices } = readOptions(options)
  const { apiKeyHeader } = preset
  const http = createHttpClient({ ...options, id, baseUrl, explainError, apiKeyHeader })
  const ollama = preset.hasOllamaApi ? new OllamaApi({ ...options, id, baseUrl }) : undefined
  const rules = new Map<string, ModelRule>()
  const offered = chooseModels(options, { preset, baseUrl, http, ollama, dialect, rules })
  const optionsOf = optionsFor(id)
  const { allow, unknownFields } = options
  const dialects: OwnDialect[] = []
  if (preset.isOpenai && dialect.responses) dialects.push('openai-responses')
  if (preset.isOpenai) dialects.push('openai-chat')
  if (dialect.completions) dialects.push('openai-completions')
  const guard = optionGuard({ id, rules: optionRules, allow, dialects, unknownFields })

  return {
    contract: 2,
    id,
    ...(dialects.length > 0 && { dialects }),
    ...(dialect.completions === 'instruct' && { takesDialect: hasInstructDialect }),
    webSearch: dialect.responses === true && allowsTool(allow, 'web_search'),
    ...(notices.length > 0 && { notices }),
    readOn: options.readOn,
    get models() {
      return offered.models()
    },
    get knownModels() {
      return offered.knownModels()
    },
    ...(offered.findModel && { findModel: offered.findModel }),
    ...textMethods({ id, http, dialect, effort, rules, guard, optionsOf, ollama }),
    async embed(given, { signal }) {
      const { request, warnings } = guard(given)
      const body = toEmbeddingsRequest(request, dialect, optionsOf)
      const post = { path: '/embeddings', body, schema: embeddingsReply, signal, quota: request.model }
      return http.postJson({ ...post, maxBytes: maxEmbeddingsBytes }, (reply) =>
        fromEmbeddingsReply(reply, request.texts.length, warnings),
      )
    },
    async generateImage(given, { signal }) {
      const { request, warnings: leftOut } = guard(given)
      const { body, warnings } = toImageRequest(request)
      const entry = preset.publisher && findEntry(preset.publisher, request.model)
      const path = '/images/generations'
      const post = { path, body, schema: imageReply, signal, quota: request.model, maxBytes: maxImageBytes }
      return http.postJson(post, (reply) => {
        const reading = { prices: entry?.tokenPrices, isOwn: request.native !== undefined }
        return fromImageReply(reply, { ...reading, warnings: [...warnings, ...leftOut] })
      })
    },
    ...(preset.models ? {} : { health: ({ signal }: ProviderCall) => listModels(http, signal).then(() => undefined) }),
    async close() {
      await Promise.all([http.close(), ollama?.close()])
    },
  }
}

/** OpenAI answers 404 to completions with its other models: https://platform.openai.com/docs/deprecations */
const instructModels = /^(?:ft:)?(?:\S*-instruct|babbage-002|davinci-002)/

function hasInstructDialect(dialect: Dialect, model: string): boolean {
  return dialect !== 'openai-completions' || instructModels.test(model)
}
