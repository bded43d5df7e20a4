import { type Provider, ProviderError, requireOptions, systemClock } from '@fairlead/core/provider'
import { embed } from './embed.ts'
import { generateImage } from './generate-image.ts'
import type { AiSdkOptions } from './options.ts'
import { readEntries } from './read-entries.ts'
import { streamText } from './stream-text.ts'
import { generateText } from './text.ts'
import { failing } from './to-provider-error.ts'

const example = "aiSdk({ models: [{ model: openai('gpt-5-mini') }] })"

/**
 * A provider of any language, image, or embedding model of the AI SDK, of specification v2 to v4. It calls the models directly,
 * without the retries, telemetry, and prompt conversion of the package `ai`: the router has its own.
 */
export function aiSdk(options: AiSdkOptions): Provider {
  requireOptions(options, ['id', 'models', 'clock'] satisfies (keyof AiSdkOptions)[], example)
  const { id = 'ai-sdk', models: entries, clock = systemClock } = options
  if (!Array.isArray(entries)) throw new TypeError(`models: must be an array: ${example}`)
  const { models, texts, images, embeddings } = readEntries(entries, clock.now())
  const fail = failing(id, clock)
  return {
    contract: 1,
    id,
    models,
    async generateText(request, { signal }) {
      const entry = found(texts, request.model)
      return generateText(entry, request, id, signal).catch((error) => fail(error, signal))
    },
    async *streamText(request, call) {
      const entry = found(texts, request.model)
      try {
        yield* streamText(entry, request, id, call)
      } catch (error) {
        fail(error, call.signal)
      }
    },
    async embed(request, { signal }) {
      const entry = found(embeddings, request.model)
      return embed(entry, request, id, signal).catch((error) => fail(error, signal))
    },
    async generateImage(request, { signal }) {
      const entry = found(images, request.model)
      return generateImage(entry, request, signal).catch((error) => fail(error, signal))
    },
  }
}

function found<Entry>(entries: ReadonlyMap<string, Entry>, id: string): Entry {
  const entry = entries.get(id)
  if (!entry) throw new ProviderError('invalid_request', `unknown model "${id}"`, { field: 'model' })
  return entry
}
