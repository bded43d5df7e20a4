import type * as z from 'zod'
import type { Call } from '../../runtime/run/call.ts'
import { FairleadError, describeIssues } from '../../runtime/errors.ts'
import type { ChunkSource, Estimate } from '../../runtime/operation.ts'
import { closeIterator } from '../../runtime/run/task.ts'
import { AnswerCollector, answerEvents } from '../messages/collect-answer.ts'
import type { ItemForm } from '../caching/response-cache.ts'
import type { CheckedEvent, Finish } from '../messages/event-check.ts'
import { type CheckedText, completeAnswer, requestText } from './request-text.ts'
import { TextStream } from './text-stream.ts'
import { estimateTokens, textCost } from '../cost.ts'
import { estimateOf } from '../estimate.ts'
import { generationEvents } from '../events.ts'
import {
  type Generation,
  type GenerationChunk,
  generation,
  generationChunk,
  ofPrompt,
  textInput,
  toGeneration,
  type WithAnswer,
} from './generation.ts'
import { loadMedia } from '../messages/load-media.ts'
import { type TextPlan, prepareText } from './prepare-text.ts'
import { needsPromptedJson, promptedJson } from './prompted-json.ts'
import { withViews } from './generated-text.ts'
import { ChunkWriter, wholeChunks } from './text-chunks.ts'
import type { TextRequest } from '../provider.ts'
import type { Attempt, Owner } from '../routing/attempt.ts'
import type { Target } from '../routing/route.ts'
import type { StreamAttempt } from '../routing/stream-attempt.ts'
import type { TextModel } from '../model.ts'
import { action, type InferenceServices } from '../services.ts'

export type { TextPlan } from './prepare-text.ts'

/** Generates text. Rejected with `QUOTA_EXCEEDED` before any provider is called. */
export const generateText = action({
  name: 'generate',
  summary: 'Generates text from a prompt or a conversation.',
  access: { scope: 'generate' },
  metered: true,
  rest: { method: 'POST', path: '/generate', maxBodyBytes: 20 * 1_048_576 },
  graphql: { mutation: 'generate' },
  input: textInput,
  output: generation,
  isChecked: true,
  view: withViews<Generation>,
  events: generationEvents,
  prepare: prepareText,
  run: generate,
  estimate: (_services, _call, plan) => estimateText(plan),
  stream: {
    chunk: generationChunk,
    eventOf,
    whole: wholeStream,
    run: stream,
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
  /** What the call may use, for the `estimate` of the operation. */
  estimate(plan: TextPlan): Estimate
  /** Yields the text in parts, and returns what `generate` would. */
  stream(call: Call, plan: TextPlan): GeneratedChunks
}

function eventOf({ reasoning, refusal, toolCall }: GenerationChunk): string {
  if (toolCall) return 'tool_call'
  if (refusal !== undefined) return 'refusal'
  return reasoning === undefined ? 'chunk' : 'reasoning'
}

type GeneratedChunks = AsyncGenerator<GenerationChunk, Generation, undefined>

export function textGeneration(services: InferenceServices): TextGeneration {
  return {
    prepare: (call, input) => prepareText(services, call, textInput.parse(input)),
    generate: (call, plan) => generate(services, call, plan),
    estimate: estimateText,
    stream: (call, plan) => streamText(services, call, plan),
  }
}

function estimateText({ route, request, size, answers }: TextPlan): Estimate {
  return estimateOf(route, { prompt: size, maxTokens: request.maxTokens, answers })
}

async function generate(services: InferenceServices, call: Call, plan: TextPlan): Promise<Generation> {
  try {
    const { target, answer, cached } = await services.responseCache.attempt(plan, call, (owner) => {
      // A prompt has no media, and without media, a promise would only take time.
      const loaded = plan.isConversation ? loadMedia(services.media, plan, owner) : plan
      return loaded instanceof Promise
        ? loaded.then((found) => ask(services, found, owner))
        : ask(services, loaded, owner)
    })
    return toGeneration(call, target.model, answer, plan.isConversation, cached ?? false)
  } catch (error) {
    throw errorFor(plan, error)
  }
}

function ask({ router }: InferenceServices, plan: TextPlan, owner: Owner) {
  const { route, request, size } = plan
  if (request.responseFormat && needsPromptedJson(plan)) return promptedJson(router, plan, owner)
  const send = ({ provider, id }: Target, attempt: Attempt) => requestText(provider, { ...request, model: id }, attempt)
  return router.attempt('generateText', route, owner, send, { prompt: size, maxTokens: request.maxTokens })
}

/** The stream of a text. The response of a model that is asked for JSON in words can be checked only as a whole. */
function stream(services: InferenceServices, call: Call, plan: TextPlan): Promise<TextSource> | GeneratedChunks {
  const isWhole = plan.request.responseFormat && needsPromptedJson(plan)
  return isWhole ? generateWhole(services, call, plan) : openText(services, call, plan)
}

async function* generateWhole(services: InferenceServices, call: Call, plan: TextPlan): GeneratedChunks {
  const result = await generate(services, call, plan)
  yield* wholeStream(result)
  return result
}

async function openText(services: InferenceServices, call: Call, plan: TextPlan): Promise<TextSource> {
  const { router, responseCache, media } = services
  const { route, request, size } = plan
  let latest: StreamAttempt | undefined
  const send = async (owner: Owner) => {
    const loaded = plan.isConversation ? await loadMedia(media, plan, owner) : plan
    const open = ({ provider, id }: Target, attempt: StreamAttempt) => {
      latest = attempt
      return new TextStream(provider, { ...loaded.request, model: id }, attempt, call)
    }
    return router.stream(route, owner, open, { prompt: size, maxTokens: request.maxTokens })
  }
  const { target, items, cached } = await responseCache.stream(plan, call, send, textForm(request)).catch((error) => {
    throw errorFor(plan, error)
  })
  if (latest) call.warn(plan.isConversation ? latest.warnings : latest.warnings.map(ofPrompt))
  return new TextSource(call, plan, target.model, items, cached ?? false)
}

/** The chunks and the result of a stream, from its events. */
class TextSource implements ChunkSource<GenerationChunk, Generation> {
  readonly items: AsyncIterator<CheckedEvent>
  readonly #call: Call
  readonly #plan: TextPlan
  readonly #model: TextModel
  readonly #isCached: boolean
  readonly #collector = new AnswerCollector()
  /** A transport with an API of its own writes its stream from the events. */
  readonly #writer: ChunkWriter | undefined
  #finish: Finish | undefined = undefined

  constructor(call: Call, plan: TextPlan, model: TextModel, items: AsyncIterator<CheckedEvent>, isCached: boolean) {
    this.items = items
    this.#call = call
    this.#plan = plan
    this.#model = model
    this.#isCached = isCached
    this.#writer = call.native ? undefined : new ChunkWriter()
  }

  toChunk(event: CheckedEvent): GenerationChunk | undefined {
    if (event.type === 'finish') {
      this.#finish = event
      return undefined
    }
    const part = 'index' in event ? this.#collector.add(event) : undefined
    if (this.#writer) return this.#writer.chunkOf(event, part)
    return (event.type === 'part_end' ? { ...event, part } : event) as never
  }

  /** An estimate, because providers count the tokens of whole answers. */
  breakOff(): void {
    if (this.#isCached) return this.#call.note({ costUsd: 0 })
    const promptTokens = this.#plan.size.estimatedTokens
    const completionTokens = estimateTokens(this.#collector.length)
    const { costUsd } = textCost(this.#model, { promptTokens, completionTokens })
    this.#call.note({ promptTokens, completionTokens, costUsd })
  }

  result(): Generation {
    if (!this.#finish) throw new Error('the text stream ended without a finish event')
    const answer = completeAnswer(this.#plan.request, this.#collector.parts(), this.#finish)
    return toGeneration(this.#call, this.#model, answer, this.#plan.isConversation, this.#isCached)
  }
}

/** For operations that are built on the generation of texts. */
async function* streamText(services: InferenceServices, call: Call, plan: TextPlan): GeneratedChunks {
  const opening = stream(services, call, plan)
  if (!(opening instanceof Promise)) return yield* opening
  const source = await opening
  const { items } = source
  try {
    for (let next = await items.next(); !next.done; next = await items.next()) {
      const chunk = source.toChunk(next.value)
      if (chunk) yield chunk
    }
    return source.result()
  } finally {
    closeIterator(items)
  }
}

/** The stream of a whole result. */
function wholeStream(result: Generation & WithAnswer): GenerationChunk[] {
  return result.answer ? ([...answerEvents(result.answer)] as never) : wholeChunks(result)
}

/** An error about the messages is about the prompt, if the request has one. */
function errorFor({ isConversation }: TextPlan, error: unknown): unknown {
  const [first] = error instanceof FairleadError ? error.issues : []
  if (isConversation || !first?.field?.startsWith('messages')) return error
  const { code, facts, upstream, billed, cause } = error as FairleadError
  const issues = [ofPrompt(first)] as const
  return new FairleadError(code, describeIssues(issues), { facts, upstream, billed, cause, issues })
}

/** Converts stream events to a whole text for the cache, and a cached text to events. */
function textForm(request: TextRequest): ItemForm<CheckedEvent, CheckedText> {
  return {
    toAnswer(events) {
      const collector = new AnswerCollector()
      for (const event of events) {
        if (event.type === 'finish') return completeAnswer(request, collector.parts(), event)
        if ('index' in event) collector.add(event)
      }
      throw new Error('the text stream ended without a finish event')
    },
    toItems: (answer) => [...(answerEvents(answer) as Iterable<CheckedEvent>)],
  }
}
