import { type TextEvent, type CheckedText, type Finish, requestText, textEvents, withUsage } from './call-provider.ts'
import { z } from 'zod'
import { accountName } from '../runtime/access.ts'
import type { Call } from '../runtime/call.ts'
import { invalidRequest } from '../runtime/errors.ts'
import { cacheFlag, hasAtMost, integerBetween, modelId, numberBetween, textUpTo } from '../runtime/field-schemas.ts'
import { tokenUsage } from '../runtime/model-call-events.ts'
import { defineOperation, typeNames } from '../runtime/operation.ts'
import type { Registry } from './catalog/registry.ts'
import { textCost } from './cost.ts'
import { generationEvents } from './events.ts'
import type { Model, ModelType, TextModel } from './model.ts'
import { type ProviderCall, type TextRequest, finishReasons } from './provider.ts'
import type { RoutedCall } from './routing/attempts.ts'
import type { InferenceServices } from './services.ts'
import type { ModelRoute, Target } from './routing/route.ts'
import type { ItemForm } from './caching/response-cache.ts'

const defaultMaxTokens = 100
/** About twice the context of the largest models: 2.5 million tokens of English. */
const maxPromptCharacters = 10_000_000
/** Prose has about 4 characters in a token, and no tokenizer averages 16 over a whole prompt. */
const maxCharactersPerToken = 16

const textInput = z.strictObject({
  prompt: textUpTo(maxPromptCharacters).describe('Prompt. The model’s context size may limit it further.'),
  model: modelId.describe('Id of a text model.'),
  maxTokens: z
    .int()
    .min(1, { error: 'must be at least 1' })
    .optional()
    .meta({ default: defaultMaxTokens })
    .describe('Maximum tokens to generate, at most the model’s own maximum. The default is lowered to that.'),
  temperature: numberBetween(0, 2).default(0.7).describe('Sampling temperature. 0 always takes the most likely token.'),
  topP: numberBetween(0, 1)
    .default(1)
    .describe('Nucleus sampling: only the most likely tokens with this total probability are considered.'),
  frequencyPenalty: numberBetween(-2, 2).default(0).describe('Penalizes tokens by how often they have appeared.'),
  presencePenalty: numberBetween(-2, 2).default(0).describe('Penalizes tokens that have appeared at all.'),
  seed: integerBetween(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The same seed and request give the same text, if the model supports it.'),
  stop: z
    .array(z.string().min(1, { error: 'must not be empty' }))
    .max(4)
    .optional()
    .describe('Stop sequences: generation ends before the first one that appears.'),
  cache: cacheFlag,
})

const generation = z
  .object({
    id: z.string().describe('Generation id: `gen_` and digits.'),
    content: z.string().describe('Generated text.'),
    model: z.string().describe('Id of the model that generated the text.'),
    usage: tokenUsage.describe('Token usage.'),
    finishReason: z
      .enum(finishReasons)
      .register(typeNames, {
        name: 'FinishReason',
        description: 'Why generation ended.',
        values: {
          stop: 'The text is complete.',
          length: 'The text reached the maximum number of tokens.',
          content_filter: 'The content filter of the provider cut the text.',
        },
      })
      .describe(
        'Why generation ended: it was complete (`stop`), reached `max_tokens` (`length`), or was cut by the provider’s content filter.',
      ),
    created: z.int().describe('Creation time in Unix seconds.'),
  })
  .meta({ id: 'Generation', description: 'A generated text.' })

/** Generates text. Rejected with `QUOTA_EXCEEDED` before any provider is called. */
export const generateText = defineOperation({
  name: 'generate',
  summary: 'Generates text from a prompt.',
  kind: 'inference',
  access: { scope: 'generate' },
  metered: true,
  rest: { method: 'POST', path: '/generate', quickStart: true, maxBodyBytes: 20 * 1_048_576 },
  graphql: { mutation: 'generate' },
  input: textInput,
  output: generation,
  events: generationEvents,
  prepare: prepareText,
  run: generate,
  stream: {
    chunk: z
      .object({ content: z.string().describe('Next part of the text.') })
      .meta({ id: 'GenerationChunk', description: 'The next part of a streamed text.' }),
    whole: ({ content }) => ({ content }),
    run: streamText,
  },
})

/**
 * Text generation for operations that are built on it. Cost, provider, attempts and warnings become those of the call, and
 * caching, routing and retries apply as for `generate`.
 */
export interface TextGeneration {
  /** Finds the model and checks the input. Call it in `prepare`, where errors are free. Throws `INVALID_REQUEST`. */
  prepare(call: Call, input: z.input<typeof textInput>): TextPlan
  generate(call: Call, plan: TextPlan): Promise<z.output<typeof generation>>
  /** Yields the text in parts, and returns what `generate` would. */
  stream(call: Call, plan: TextPlan): TextStream
}

/** A checked request for a text. */
export type TextPlan = ReturnType<typeof prepareText>

type TextStream = AsyncGenerator<{ content: string }, z.output<typeof generation>, undefined>

export function textGeneration(services: InferenceServices): TextGeneration {
  return {
    prepare: (call, input) => prepareText(services, call, textInput.parse(input)),
    generate: (call, plan) => generate(services, call, plan),
    stream: (call, plan) => streamText(services, call, plan),
  }
}

function prepareText({ registry }: InferenceServices, call: Call, input: z.output<typeof textInput>) {
  const route = findRoute(registry, call, 'text', input.model)
  const { cache, ...parameters } = input
  requireRoom(route, input.prompt)
  const request = withinLimits(route.model, parameters)
  return { account: accountName(call.caller), operation: 'generate', route, request, repeatable: cache }
}

async function generate({ router, answers }: InferenceServices, call: Call, plan: TextPlan) {
  const { route, request } = plan
  const send = ({ provider, id }: Target, providerCall: ProviderCall) =>
    requestText(provider, { ...request, model: id }, providerCall)
  const { target, answer, cached } = await answers.attempt(plan, call, (routedCall) =>
    router.attempt(route, routedCall, send, request),
  )
  return toGeneration(call, target.model, answer, cached)
}

async function* streamText({ router, answers }: InferenceServices, call: Call, plan: TextPlan): TextStream {
  const { route, request } = plan
  const send = ({ provider, id }: Target, providerCall: ProviderCall) =>
    textEvents(provider, { ...request, model: id }, providerCall)
  const stream = (routedCall: RoutedCall) => router.stream(route, routedCall, send, request)
  const { target, items, cached } = await answers.stream(plan, call, stream, textForm(request))
  const text = wellFormedText()
  let finish: Finish | undefined
  for await (const event of items) {
    if (event.type === 'finish') finish = event
    const chunk = event.type === 'finish' ? text.end() : text.add(event.text)
    if (chunk !== '') yield { content: chunk }
  }
  if (!finish) throw new Error('the text stream ended without a finish event')
  const content = text.content()
  return toGeneration(call, target.model, withUsage(request, content, { ...finish, content }), cached)
}

/** Rejects a prompt that no target of the route can hold, so that it costs nothing and reaches no provider. */
function requireRoom({ model, targets }: ModelRoute<TextModel>, prompt: string): void {
  const largest = targets.map((target) => target.model).reduce((a, b) => (maxPrompt(b) > maxPrompt(a) ? b : a))
  const limit = maxPrompt(largest)
  if (hasAtMost(limit, prompt)) return
  const { maxPromptCharacters: declared, contextSize } = largest
  const reason =
    declared === limit || contextSize === undefined
      ? 'for'
      : `to fit the context of ${contextSize.toLocaleString('en')} tokens of`
  throw invalidRequest({
    field: 'prompt',
    issue: `must have at most ${limit.toLocaleString('en')} characters ${reason} "${model.id}"`,
  })
}

/** The maximum length of a model's prompt in characters. */
function maxPrompt({ contextSize = Infinity, maxPromptCharacters: declared = Infinity }: TextModel): number {
  return Math.min(declared, contextSize * maxCharactersPerToken)
}

function withinLimits(model: TextModel, input: Omit<z.output<typeof textInput>, 'cache'>): TextRequest {
  const { maxTokens = Math.min(defaultMaxTokens, model.maxTokens), seed, stop, ...request } = input
  if (maxTokens > model.maxTokens) {
    throw invalidRequest({ field: 'maxTokens', issue: `must be between 1 and ${model.maxTokens}, the model's maximum` })
  }
  return { ...request, maxTokens, ...(seed !== undefined && { seed }), ...(stop && { stop }) }
}

function toGeneration(call: Call, model: TextModel, answer: CheckedText, cached = false): z.output<typeof generation> {
  const { promptTokens, completionTokens } = answer.usage
  const { costUsd, warnings } = textCost(model, answer.usage)
  call.warn([...answer.warnings, ...(cached ? [] : warnings)])
  call.note({ model: model.id, ...(cached ? { costUsd: 0 } : { promptTokens, completionTokens, costUsd }) })
  return {
    id: call.newId('gen'),
    content: answer.content,
    model: model.id,
    usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens },
    finishReason: answer.finishReason,
    created: Math.floor(call.at / 1000),
  }
}

/** Finds the route of a model. The response names the model, and warns if the id is deprecated. */
export function findRoute<Type extends ModelType>(
  registry: Registry,
  call: Call,
  type: Type,
  id: string,
): ModelRoute<Extract<Model, { type: Type }>> {
  const route = registry.route(type, id)
  call.note({ model: route.model.id })
  if (route.warnings) call.warn(route.warnings)
  return route
}

/** Makes the chunks of a stream well-formed. The first half of a split surrogate pair is held back for the next chunk. */
function wellFormedText() {
  let content = ''
  let held = ''
  const append = (text: string) => {
    const clean = text.replaceAll('\0', '\uFFFD').toWellFormed()
    content += clean
    return clean
  }
  return {
    /** Returns the well-formed part of the text so far that was not returned before. */
    add(chunk: string): string {
      const text = held + chunk
      const cut = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length
      held = text.slice(cut)
      return append(text.slice(0, cut))
    },
    end: () => append(held),
    content: () => content,
  }
}

/** Converts stream events to a whole text for the cache, and a cached text to events. */
function textForm(request: TextRequest): ItemForm<TextEvent, CheckedText> {
  return {
    toAnswer(events) {
      const finish = events.find((event) => event.type === 'finish')
      if (!finish) throw new Error('the text stream ended without a finish event')
      const content = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
      return withUsage(request, content, { ...finish, content: content.replaceAll('\0', '\uFFFD').toWellFormed() })
    },
    toItems: ({ content, usage, ...finish }) => [
      { type: 'text', text: content },
      { type: 'finish', ...finish, usage: { cachedPromptTokens: 0, ...usage } },
    ],
  }
}
