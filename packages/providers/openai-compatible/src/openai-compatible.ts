import type { Provider, ProviderCall } from '@fairlead/core/provider'
import { findEntry } from '@fairlead/provider-catalogue'
import { createHttpClient } from '@fairlead/provider-http'
import { chatChunk, chatReply, fromChatReply } from './chat-reply.ts'
import { toChatRequest } from './chat-request.ts'
import { explainError } from './explain-error.ts'
import { fromImageReply, imageReply } from './image-reply.ts'
import { toImageRequest } from './image-request.ts'
import { listModels, modelsOf } from './models-of.ts'
import { type OpenaiCompatibleOptions, readOptions } from './options.ts'
import { readChunks } from './read-chunks.ts'

/** A PNG of 32 MiB, the most that core takes, in base64. */
const mostImageBytes = 45 * 1024 * 1024

export type OpenaiCompatibleProvider = Provider &
  Required<Pick<Provider, 'generateText' | 'streamText' | 'generateImage' | 'close'>>

/**
 * Text and images from a server that speaks the chat-completion API.
 *
 * @throws TypeError that names the option at fault
 */
export function openaiCompatible(options: OpenaiCompatibleOptions): OpenaiCompatibleProvider {
  const { id, preset, baseUrl, dialect, effort } = readOptions(options)
  const { apiKeyHeader } = preset
  const http = createHttpClient({
    ...options,
    id,
    baseUrl,
    explainError,
    ...(apiKeyHeader === undefined ? {} : { authorize: (apiKey: string) => ({ [apiKeyHeader]: apiKey }) }),
  })
  const offered = modelsOf(options, { preset, baseUrl, http, structured: dialect.jsonAnswers !== null })
  return {
    contract: 1,
    id,
    get models() {
      return offered()
    },
    async generateText(request, { signal }) {
      const { body, warnings } = toChatRequest(request, dialect, effort)
      const post = { path: '/chat/completions', body, schema: chatReply, signal, quota: request.model }
      return http.postJson(post, (reply) => fromChatReply(reply, warnings))
    },
    streamText(request, { signal }) {
      const { body, warnings } = toChatRequest(request, dialect, effort)
      const askUsage = dialect.askStreamUsage === false ? {} : { stream_options: { include_usage: true } }
      const post = {
        path: '/chat/completions',
        body: { ...body, stream: true, ...askUsage },
        schema: chatChunk,
        endMark: '[DONE]',
        signal,
        quota: request.model,
      }
      return http.postForEvents(post, (chunks) => readChunks(chunks, warnings))
    },
    async generateImage(request, { signal }) {
      const { body, warnings } = toImageRequest(request)
      const entry = preset.publisher && findEntry(preset.publisher, request.model)
      const path = '/images/generations'
      const post = { path, body, schema: imageReply, signal, quota: request.model, mostBytes: mostImageBytes }
      return http.postJson(post, (reply) => fromImageReply(reply, warnings, entry?.tokenPrices))
    },
    ...(preset.models ? {} : { health: ({ signal }: ProviderCall) => listModels(http, signal).then(() => undefined) }),
    close: () => http.close(),
  }
}
