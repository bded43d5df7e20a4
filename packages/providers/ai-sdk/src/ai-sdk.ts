import {
  type Issue,
  optionGuard,
  type Provider,
  ProviderError,
  requireOptions,
  systemClock,
  type TextRequest,
  type TokenUsage,
} from '@fairlead/core/provider'
import { embed } from './embed.ts'
import { generateImage } from './generate-image.ts'
import { optionRules } from './option-rules.ts'
import type { AiSdkOptions } from './options.ts'
import { tiersIn, withBlockOptions } from './package-options.ts'
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
  requireOptions(options, ['id', 'models', 'allow', 'clock'] satisfies (keyof AiSdkOptions)[], example)
  const { id = 'ai-sdk', models: entries, allow, clock = systemClock } = options
  if (!Array.isArray(entries)) throw new TypeError(`models: must be an array: ${example}`)
  const { models, texts, images, embeddings } = readEntries(entries, clock.now())
  const fail = failing(id, clock)
  const guard = optionGuard({ id, rules: optionRules, allow })
  return {
    contract: 2,
    id,
    models,
    async generateText(given, { signal }) {
      const entry = found(texts, given.model)
      const { request, warnings } = guard(withBlockOptions(given, id))
      const answer = await generateText(entry, request, id, signal).catch((error) => fail(error, signal))
      return withTiers(withWarnings(answer, warnings), request, id)
    },
    async *streamText(given, call) {
      const entry = found(texts, given.model)
      const { request, warnings } = guard(withBlockOptions(given, id))
      if (warnings.length > 0) call.warn?.(warnings)
      try {
        for await (const event of streamText(entry, request, id, call)) {
          yield event.type === 'finish' ? withTiers(withWarnings(event, warnings), request, id) : event
        }
      } catch (error) {
        fail(error, call.signal)
      }
    },
    async embed(given, { signal }) {
      const entry = found(embeddings, given.model)
      const { request, warnings } = guard(given)
      const answer = await embed(entry, request, id, signal).catch((error) => fail(error, signal))
      return withWarnings(answer, warnings)
    },
    async generateImage(request, { signal }) {
      const entry = found(images, request.model)
      return generateImage(entry, request, signal).catch((error) => fail(error, signal))
    },
  }
}

function withWarnings<Answer extends { readonly warnings?: readonly Issue[] }>(
  answer: Answer,
  more: readonly Issue[],
): Answer {
  return more.length === 0 ? answer : { ...answer, warnings: [...(answer.warnings ?? []), ...more] }
}

function withTiers<Finish extends { readonly usage?: TokenUsage | undefined }>(
  finish: Finish,
  request: TextRequest,
  id: string,
): Finish {
  const tiers = tiersIn(request, id)
  return finish.usage && tiers.length > 0 ? { ...finish, usage: { ...finish.usage, tiers } } : finish
}

function found<Entry>(entries: ReadonlyMap<string, Entry>, id: string): Entry {
  const entry = entries.get(id)
  if (!entry) throw new ProviderError('invalid_request', `unknown model "${id}"`, { field: 'model' })
  return entry
}
