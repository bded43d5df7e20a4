import type { ProviderAnalyzer, ImageModel, Provider, TextModel } from '@fairlead/core/provider'
import { createHttpClient, type HttpProviderOptions } from '@fairlead/provider-toolkit'
import * as wire from './wire.ts'

export interface QuillOptions extends HttpProviderOptions {
  /** The name before the slash in `quill/goose`. Default: `quill`. */
  readonly id?: string
}

const goose: TextModel = {
  id: 'goose',
  type: 'text',
  name: 'Goose',
  description: 'Writes short texts in plain words.',
  maxTokens: 2_048,
  contextSize: 8_192,
  chat: true,
  tools: true,
  pricing: { input: 0.1, output: 0.4 },
}

const swan: ImageModel = {
  id: 'swan',
  type: 'image',
  name: 'Swan',
  description: 'Draws with ink.',
  maxTokens: 1_000,
  sizes: ['512x512', '1024x1024'],
  pricing: { input: 0.1, output: 0.02 },
}

const owl: ProviderAnalyzer = { id: 'owl', tasks: { sentiment: ['en', 'de'], entities: ['en'] } }

/** An image of 32 MiB, the most that Fairlead accepts, in base64. */
const maxImageBytes = 45 * 1024 * 1024

/** A provider of Quill's text, images, and analyses: https://quill.example/api. */
export function quill({ id = 'quill', baseUrl = 'https://quill.example', ...options }: QuillOptions = {}): Provider {
  const http = createHttpClient({ ...options, id, baseUrl, explainError: wire.explainError })
  return {
    contract: 2,
    id,
    models: [goose, swan],
    analyzers: [owl],
    async generateText(request, { signal }) {
      const post = { path: '/write', body: wire.toText(request, id), schema: wire.textReply, signal }
      return http.postJson(post, (reply) => wire.toAnswer(request, reply))
    },
    streamText(request, { signal }) {
      const body = { ...wire.toText(request, id), stream: true }
      return wire.toEvents(request, http.postForEvents({ path: '/write', body, schema: wire.textEvent, signal }))
    },
    async generateImage(request, { signal }) {
      const post = { path: '/draw', body: wire.toImage(request), schema: wire.imageReply, signal }
      return http.postJson({ ...post, maxBytes: maxImageBytes }, ({ png }) => ({
        png: Buffer.from(png, 'base64'),
        warnings: wire.unsupportedInImages(request),
      }))
    },
    async analyze(request, { signal }) {
      const body = { text: request.text, language: request.language, find: request.tasks }
      const reply = await http.postJson({ path: '/read', body, schema: wire.analysisReply(request.tasks), signal })
      return { analysis: wire.toAnalysis(reply) }
    },
    close: () => http.close(),
  }
}
