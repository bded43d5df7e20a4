import type { z } from 'zod'
import type { Call } from '../runtime/call.ts'
import { FairleadError, describeIssues } from '../runtime/errors.ts'
import { defineOperation } from '../runtime/operation.ts'
import { answerParts, eventsOf } from './answer-parts.ts'
import type { ItemForm } from './caching/response-cache.ts'
import { type CheckedText, type Finish, type TextEvent, requestText, textEvents, wholeAnswer } from './request-text.ts'
import { generationEvents } from './events.ts'
import {
  type Generation,
  type GenerationChunk,
  generation,
  generationChunk,
  textInput,
  toGeneration,
  toUsage,
} from './generation.ts'
import { loadMedia } from './load-media.ts'
import { type TextPlan, prepareText } from './prepare-text.ts'
import { needsPromptedJson, promptedJson } from './prompted-json.ts'
import { toSafeText } from './provider-responses.ts'
import type { ProviderCall, TextRequest } from './provider.ts'
import type { Owner } from './routing/attempt.ts'
import type { Target } from './routing/route.ts'
import type { StreamAttempt } from './routing/stream-attempt.ts'
import type { InferenceServices } from './services.ts'

export type { TextPlan } from './prepare-text.ts'

/** Generates text. Rejected with `QUOTA_EXCEEDED` before any provider is called. */
export const generateText = defineOperation({
  name: 'generate',
  summary: 'Generates text from a prompt or a conversation.',
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
    chunk: generationChunk,
    eventOf,
    whole: wholeChunks,
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
  generate(call: Call, plan: TextPlan): Promise<Generation>
  /** Yields the text in parts, and returns what `generate` would. */
  stream(call: Call, plan: TextPlan): TextStream
}

function eventOf({ reasoning, refusal, toolCall }: GenerationChunk): string {
  if (toolCall) return 'tool_call'
  if (refusal !== undefined) return 'refusal'
  return reasoning === undefined ? 'chunk' : 'reasoning'
}

type TextStream = AsyncGenerator<GenerationChunk, Generation, undefined>

export function textGeneration(services: InferenceServices): TextGeneration {
  return {
    prepare: (call, input) => prepareText(services, call, textInput.parse(input)),
    generate: (call, plan) => generate(services, call, plan),
    stream: (call, plan) => streamText(services, call, plan),
  }
}

async function generate(services: InferenceServices, call: Call, plan: TextPlan): Promise<Generation> {
  const { router, answers, media } = services
  const ask = (loaded: TextPlan, owner: Owner) => {
    const { route, request, size } = loaded
    const send = ({ provider, id }: Target, providerCall: ProviderCall) =>
      requestText(provider, { ...request, model: id }, providerCall)
    return needsPromptedJson(loaded)
      ? promptedJson(router, loaded, owner)
      : router.attempt(route, owner, send, sizeOf(request, size))
  }
  const load = (owner: Owner) => {
    const loaded = loadMedia(media, plan, owner)
    // Without media, a promise would only take time.
    return loaded instanceof Promise ? loaded.then((found) => ask(found, owner)) : ask(loaded, owner)
  }
  const failed = (error: unknown) => rejectFor(plan, error)
  const { target, answer, cached } = await answers.attempt(plan, call, load).catch(failed)
  return toGeneration(call, target.model, answer, { ...plan, isCached: cached ?? false })
}

async function* streamText(services: InferenceServices, call: Call, plan: TextPlan): TextStream {
  const { router, answers, media } = services
  const { route, request, size } = plan
  if (needsPromptedJson(plan)) {
    // The response can be checked, and repaired, only as a whole.
    const whole = await generate(services, call, plan)
    yield* wholeChunks(whole)
    return whole
  }
  let latest: StreamAttempt | undefined
  const stream = async (owner: Owner) => {
    const loaded = await loadMedia(media, plan, owner)
    const send = ({ provider, id }: Target, attempt: StreamAttempt) => {
      if (latest) call.note({ upstream: undefined })
      latest = attempt
      return textEvents(provider, { ...loaded.request, model: id }, attempt, attempt, call)
    }
    return router.stream(route, owner, send, sizeOf(request, size))
  }
  const failed = (error: unknown) => rejectFor(plan, error)
  const { target, items, cached } = await answers.stream(plan, call, stream, textForm(request)).catch(failed)
  if (latest) call.warn(latest.warnings)
  const parts = answerParts()
  const text = wellFormedText()
  const reasoning = wellFormedText()
  const refusal = wellFormedText()
  let finish: Finish | undefined
  for await (const event of items) {
    if (event.type === 'finish') {
      finish = event
      continue
    }
    parts.add(event)
    const { providerOptions, usage } = event
    const facts = (providerOptions || usage) && {
      ...(providerOptions && { providerOptions }),
      ...(usage && { usage: toUsage(usage) }),
    }
    if (event.type === 'tool_call') {
      const { id, name, inputDelta } = event
      yield { content: '', toolCall: { id, name, inputDelta }, ...facts }
    } else if (event.type === 'reasoning') {
      const chunk = reasoning.add(event.text)
      if (chunk !== '' || facts) yield { content: '', reasoning: chunk, ...facts }
    } else if (event.type === 'refusal') {
      const chunk = refusal.add(event.text)
      if (chunk !== '' || facts) yield { content: '', refusal: chunk, ...facts }
    } else {
      const chunk = text.add(event.text)
      if (chunk !== '' || facts) yield { content: chunk, ...facts }
    }
  }
  const rest = text.end()
  if (rest !== '') yield { content: rest }
  if (!finish) throw new Error('the text stream ended without a finish event')
  return toGeneration(call, target.model, wholeAnswer(request, parts, finish), { ...plan, isCached: cached ?? false })
}

/** Providers call the whole conversation `prompt`. */
function rejectFor({ isConversation }: TextPlan, error: unknown): never {
  const [first] = error instanceof FairleadError ? error.issues : []
  if (!isConversation || first?.field !== 'prompt') throw error
  const { code, facts, upstream, billed, cause } = error as FairleadError
  const issues = [{ ...first, field: 'messages' }] as const
  throw new FairleadError(code, describeIssues(issues), { facts, upstream, billed, cause, issues })
}

function sizeOf({ maxTokens }: TextRequest, prompt: TextPlan['size']) {
  return { prompt, ...(maxTokens !== undefined && { maxTokens }) }
}

/** The chunks of a whole result, for replays. */
function wholeChunks({ content, message }: Generation): GenerationChunk[] {
  return (message?.content ?? [{ type: 'text' as const, text: content }]).map((part) => {
    const options = part.providerOptions && { providerOptions: part.providerOptions }
    if (part.type === 'text') return { content: part.text, ...options }
    if (part.type === 'reasoning') return { content: '', reasoning: part.text, ...options }
    if (part.type === 'refusal') return { content: '', refusal: part.text, ...options }
    const { id, name, input, inputText = JSON.stringify(input) } = part
    return { content: '', toolCall: { id, name, inputDelta: inputText }, ...options }
  })
}

/** Makes the chunks of a stream well-formed. The first half of a split surrogate pair is held back for the next chunk. */
function wellFormedText() {
  let held = ''
  return {
    /** Returns the well-formed part of the text so far that was not returned before. */
    add(chunk: string): string {
      const text = held + chunk
      const cut = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length
      held = text.slice(cut)
      return toSafeText(text.slice(0, cut))
    },
    end: () => toSafeText(held),
  }
}

/** Converts stream events to a whole text for the cache, and a cached text to events. */
function textForm(request: TextRequest): ItemForm<TextEvent, CheckedText> {
  return {
    toAnswer(events) {
      const parts = answerParts()
      for (const event of events) {
        if (event.type === 'finish') return wholeAnswer(request, parts, event)
        parts.add(event)
      }
      throw new Error('the text stream ended without a finish event')
    },
    toItems: ({ content, parts, usage, ...finish }) => [
      ...eventsOf({ content, parts }),
      { type: 'finish', ...finish, usage: { cachedPromptTokens: 0, ...usage } },
    ],
  }
}
