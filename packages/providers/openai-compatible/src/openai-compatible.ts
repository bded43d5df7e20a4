import {
  allowsTool,
  type Dialect,
  optionGuard,
  type Provider,
  type ProviderCall,
  type TextRequest,
} from '@fairlead/core/provider'
import { createHttpClient, findEntry } from '@fairlead/provider-toolkit'
import { embeddingsReply, fromEmbeddingsReply, toEmbeddingsRequest } from './embeddings.ts'
import { explainError } from './explain-error.ts'
import { fromImageReply, imageReply, toImageRequest } from './images.ts'
import { chooseEffort, type ModelRule, ruleOf } from './model-rules.ts'
import { listModels, modelsOf } from './models-of.ts'
import { checkedEvents, OllamaApi, withWarnings } from './ollama.ts'
import { type OwnDialect, ownForm, saysMoreInChat } from './native.ts'
import { optionRules } from './option-rules.ts'
import { type OpenaiCompatibleOptions, readOptions } from './options.ts'
import { type Options, optionsFor } from './parts.ts'
import { chatCompletions, completions, responses, type TextCall } from './text-api.ts'

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
  const authorize = apiKeyHeader === undefined ? undefined : (apiKey: string) => ({ [apiKeyHeader]: apiKey })
  const http = createHttpClient({ ...options, id, baseUrl, explainError, authorize })
  const ollama = preset.hasOllamaApi ? new OllamaApi({ ...options, id, baseUrl }) : undefined
  const rules = new Map<string, ModelRule>()
  const offered = modelsOf(options, { preset, baseUrl, http, ollama, dialect, rules })
  const optionsOf = optionsFor(id)
  const { allow, unknownFields } = options
  const dialects: OwnDialect[] = []
  if (preset.isOpenai && dialect.responses) dialects.push('openai-responses')
  if (preset.isOpenai) dialects.push('openai-chat')
  if (dialect.completions) dialects.push('openai-completions')
  const guard = optionGuard({ id, rules: optionRules, allow, dialects, unknownFields })
  const context = { id, http, dialect, optionsOf }
  const chat = chatCompletions(context)
  const legacy = completions(context)
  const responsesApi = dialect.responses ? responses(context) : undefined

  /** The API for a request, and what it needs to know of the model. */
  function callFor(given: TextRequest, { signal, warn }: ProviderCall) {
    const { request, warnings: leftOut } = guard(given)
    const rule = rules.get(request.model) ?? ruleOf(dialect.reasoning, request.model)
    const chosen = chooseEffort(rule, effort, request.reasoning?.effort)
    const call = { request, rule, chosen, leftOut, signal, warn, client: request.native && ownForm(request)?.dialect }
    if (call.client === 'openai-completions') return { api: legacy, call }
    const needsResponses =
      prefersResponses(call) || request.webSearch || hasFileUrl(request) || hasHostedTools(optionsOf(request))
    return { api: (needsResponses && responsesApi) || chat, call }
  }

  return {
    contract: 2,
    id,
    ...(dialects.length > 0 && { dialects }),
    ...(dialect.completions === 'instruct' && { takesDialect: hasInstructDialect }),
    webSearch: responsesApi !== undefined && allowsTool(allow, 'web_search'),
    ...(notices.length > 0 && { notices }),
    readOn: options.readOn,
    get models() {
      return offered.models()
    },
    get knownModels() {
      return offered.knownModels()
    },
    ...(offered.findModel && { findModel: offered.findModel }),
    async generateText(request, providerCall) {
      const { api, call } = callFor(request, providerCall)
      const check = ollama && (await ollama.checkPrompt(request, call.signal))
      const answer = await api.generate(call)
      return check ? withWarnings(answer, await check(answer.usage?.promptTokens)) : answer
    },
    streamText(request, providerCall) {
      const { api, call } = callFor(request, providerCall)
      return ollama ? checkedEvents(() => api.stream(call), ollama.checkPrompt(request, call.signal)) : api.stream(call)
    },
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

/** A client gets the API that it speaks, if the model has it. For others, models that reason have the Responses API. */
function prefersResponses({ client, chosen, rule, request }: TextCall): boolean {
  if (client === undefined) return chosen.isReasoning
  if (client === 'openai-responses') return true
  // OpenAI decides itself about what the other API cannot say.
  if (saysMoreInChat(request)) return false
  if (rule.needsResponses === 'always') return true
  return rule.needsResponses === 'withTools' && chosen.isReasoning && (request.tools?.length ?? 0) > 0
}

/** Chat completions know only functions. */
function hasHostedTools({ tools }: Options = {}): boolean {
  return Array.isArray(tools) && tools.length > 0
}

/** Chat completions take the bytes of a file, and no address. */
function hasFileUrl({ messages }: TextRequest): boolean {
  return messages.some(({ content }) =>
    content.some((part) => {
      const parts = part.type === 'tool_result' ? part.content : [part]
      return parts.some((each) => each.type === 'file' && each.source.kind === 'url')
    }),
  )
}

/** OpenAI answers 404 to completions with its other models: https://platform.openai.com/docs/deprecations */
const instructModels = /^(?:ft:)?(?:\S*-instruct|babbage-002|davinci-002)/

function hasInstructDialect(dialect: Dialect, model: string): boolean {
  return dialect !== 'openai-completions' || instructModels.test(model)
}
