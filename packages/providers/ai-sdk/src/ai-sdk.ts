import {
  type EmbeddingRequest,
  optionGuard,
  type Provider,
  ProviderError,
  requireOptions,
  systemClock,
  type TextRequest,
} from '@fairlead/core/provider'
import { embed } from './embed.ts'
import { generateImage } from './generate-image.ts'
import { optionRules } from './option-rules.ts'
import type { AiSdkOptions } from './options.ts'
import { type ModelCall, withBlockOptions } from './package-options.ts'
import { readEntries } from './read-entries.ts'
import { generateText, streamText } from './text.ts'
import { failing } from './to-provider-error.ts'

const example = "aiSdk({ models: [{ model: openai('gpt-5-mini') }] })"

/**
 * A provider of any language, image, or embedding model of the AI SDK, of specification v2 to v4. It calls the models directly,
 * without the retries, telemetry, and prompt conversion of the package `ai`: the router has its own.
 */
export function aiSdk(options: AiSdkOptions): Provider {
  requireOptions(options, ['id', 'models', 'allow', 'readOn', 'clock'] satisfies (keyof AiSdkOptions)[], example)
  const { id = 'ai-sdk', models: entries, allow, clock = systemClock } = options
  if (!Array.isArray(entries)) throw new TypeError(`models: must be an array: ${example}`)
  const { models, texts, images, embeddings } = readEntries(entries, clock.now())
  const fail = failing(id, clock)
  const guard = optionGuard({ id, rules: optionRules, allow })
  const callOf = <Entry, Request extends TextRequest | EmbeddingRequest>(
    configured: ReadonlyMap<string, Entry>,
    given: Request,
    signal: AbortSignal,
  ): ModelCall<Entry, Request> => {
    const { request, warnings: leftOut } = guard(given)
    return { entry: found(configured, given.model), request, id, signal, leftOut }
  }
  return {
    contract: 2,
    id,
    readOn: options.readOn,
    models,
    async generateText(request, { signal }) {
      const call = callOf(texts, withBlockOptions(request, id), signal)
      return generateText(call).catch((error) => fail(error, signal))
    },
    async *streamText(request, { signal, warn }) {
      const call = callOf(texts, withBlockOptions(request, id), signal)
      try {
        yield* streamText(call, warn)
      } catch (error) {
        fail(error, signal)
      }
    },
    async embed(request, { signal }) {
      return embed(callOf(embeddings, request, signal)).catch((error) => fail(error, signal))
    },
    async generateImage(request, { signal }) {
      return generateImage(found(images, request.model), request, signal).catch((error) => fail(error, signal))
    },
  }
}

function found<Entry>(entries: ReadonlyMap<string, Entry>, id: string): Entry {
  const entry = entries.get(id)
  if (!entry) throw new ProviderError('invalid_request', `unknown model "${id}"`, { field: 'model' })
  return entry
}
