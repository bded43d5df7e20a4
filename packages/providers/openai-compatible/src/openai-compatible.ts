import type { Provider, ProviderCall, TextRequest } from '@fairlead/core/provider'
import { findEntry } from '@fairlead/provider-catalogue'
import { createHttpClient } from '@fairlead/provider-http'
import { chatChunk, chatReply, fromChatReply, readChunks } from './chat-reply.ts'
import { toChatRequest } from './chat-request.ts'
import { explainError } from './explain-error.ts'
import { fromImageReply, imageReply } from './image-reply.ts'
import { toImageRequest } from './image-request.ts'
import { type ModelRule, ruleOf } from './model-rules.ts'
import { listModels, modelsOf } from './models-of.ts'
import { checkedEvents, ollamaApi, withWarnings } from './ollama.ts'
import { type OpenaiCompatibleOptions, readOptions } from './options.ts'

/** A PNG of 32 MiB, the most that core accepts, in base64. */
const maxImageBytes = 45 * 1024 * 1024

export type OpenaiCompatibleProvider = Provider &
  Required<Pick<Provider, 'generateText' | 'streamText' | 'generateImage' | 'close'>>

/**
 * Text and images from a server with the chat completions API.
 *
 * @throws TypeError that names the invalid option
 */
export function openaiCompatible(options: OpenaiCompatibleOptions): OpenaiCompatibleProvider {
  const { id, preset, baseUrl, dialect, effort } = readOptions(options)
  const { apiKeyHeader } = preset
  const authorize = apiKeyHeader === undefined ? {} : { authorize: (apiKey: string) => ({ [apiKeyHeader]: apiKey }) }
  const http = createHttpClient({ ...options, id, baseUrl, explainError, ...authorize })
  const ollama = preset.hasOllamaApi ? ollamaApi({ ...options, id, baseUrl }) : undefined
  const rules = new Map<string, ModelRule>()
  const structured = dialect.jsonAnswers !== null
  const offered = modelsOf(options, { preset, baseUrl, http, ollama, structured, rules })

  const chatRequest = (request: TextRequest) =>
    toChatRequest(request, dialect, rules.get(request.model) ?? ruleOf(dialect.reasoning, request.model), effort)

  return {
    contract: 1,
    id,
    get models() {
      return offered()
    },
    async generateText(request, { signal }) {
      const { body, warnings } = chatRequest(request)
      const check = ollama && (await ollama.checkPrompt(request, signal))
      const post = { path: '/chat/completions', body, schema: chatReply, signal, quota: request.model }
      const answer = await http.postJson(post, (reply) => fromChatReply(reply, warnings))
      return check ? withWarnings(answer, await check(answer.usage?.promptTokens)) : answer
    },
    async *streamText(request, { signal }) {
      const { body, warnings } = chatRequest(request)
      const askUsage = dialect.askStreamUsage === false ? {} : { stream_options: { include_usage: true } }
      const check = ollama && (await ollama.checkPrompt(request, signal))
      const post = {
        path: '/chat/completions',
        body: { ...body, stream: true, ...askUsage },
        schema: chatChunk,
        endMark: '[DONE]',
        signal,
        quota: request.model,
      }
      const events = http.postForEvents(post, (chunks) => readChunks(chunks, warnings))
      yield* check ? checkedEvents(events, check) : events
    },
    async generateImage(request, { signal }) {
      const { body, warnings } = toImageRequest(request)
      const entry = preset.publisher && findEntry(preset.publisher, request.model)
      const path = '/images/generations'
      const post = { path, body, schema: imageReply, signal, quota: request.model, maxBytes: maxImageBytes }
      return http.postJson(post, (reply) => fromImageReply(reply, warnings, entry?.tokenPrices))
    },
    ...(preset.models ? {} : { health: ({ signal }: ProviderCall) => listModels(http, signal).then(() => undefined) }),
    async close() {
      await Promise.all([http.close(), ollama?.close()])
    },
  }
}
