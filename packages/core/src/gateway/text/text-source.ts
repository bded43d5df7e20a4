import type { OperationRun, Unfinished } from '../../runtime/run/operation-run.ts'
import type { ChunkSource } from '../../runtime/operation.ts'
import type { ItemForm } from '../caching/response-cache.ts'
import { recordedTokens, textCost } from '../cost.ts'
import { AnswerCollector, answerEvents } from '../messages/collect-answer.ts'
import type { CheckedEvent, Finish } from '../messages/event-check.ts'
import { loadMedia } from '../messages/load-media.ts'
import type { TextModel } from '../model.ts'
import type { TextRequest } from '../provider.ts'
import type { AttemptOwner } from '../routing/attempt.ts'
import { maxTokensOf } from '../routing/targets.ts'
import type { ModelTarget } from '../routing/route.ts'
import type { StreamAttempt } from '../routing/stream-attempt.ts'
import type { InferenceServices } from '../services.ts'
import type { Generation, GenerationChunk } from './generation.ts'
import { OutputPace } from './output-pace.ts'
import { ReadOn } from './read-on.ts'
import type { TextPlan } from './prepare-text.ts'
import { answerTokens } from './prompt-size.ts'
import { type CheckedText, completeAnswer, toGeneration } from './request-text.ts'
import { ChunkWriter } from './text-chunks.ts'
import { TextStream } from './text-stream.ts'

/** The chunks and the result of a stream, from its events. */
export class TextSource implements ChunkSource<GenerationChunk, Generation>, Unfinished {
  items!: AsyncIterator<CheckedEvent>
  readonly #services: InferenceServices
  readonly #call: OperationRun
  readonly #plan: TextPlan
  /** The model that answers, as callers see it. */
  #model: TextModel
  /** Of the last attempt; undefined before the first, and for a response that costs nothing. */
  #stream: TextStream | undefined = undefined
  /** Undefined unless a provider is read on. */
  #readOn: ReadOn | undefined = undefined
  #opening: Promise<void> | undefined = undefined
  #rest: Promise<boolean> | undefined = undefined
  /** All events of a stream that other calls may read too, once it is over. This call pays for it. */
  #shared: (() => Promise<readonly CheckedEvent[]>) | undefined = undefined
  #seen = 0
  #isCached = false
  readonly #collector = new AnswerCollector()
  /** A transport with its own stream format writes it from the events. */
  readonly #writer: ChunkWriter | undefined
  #finish: Finish | undefined = undefined

  constructor(services: InferenceServices, call: OperationRun, plan: TextPlan) {
    this.#services = services
    this.#call = call
    this.#plan = plan
    this.#model = plan.route.model
    this.#writer = call.native ? undefined : new ChunkWriter()
  }

  /** Resolves with the first piece of the answer. */
  open(): Promise<void> {
    return (this.#opening = this.#open())
  }

  async #open(): Promise<void> {
    const { router, responseCache, media, clock } = this.#services
    const plan = this.#plan
    const call = this.#call
    const readsOn = plan.route.targets.some(({ provider }) => provider.readOn)
    const send = async (caller: AttemptOwner, shared?: () => Promise<readonly CheckedEvent[]>) => {
      this.#shared = shared
      const readOn = readsOn ? new ReadOn(caller, clock) : undefined
      this.#readOn = readOn
      const owner = readOn ?? caller
      const loaded = plan.hasMedia ? await loadMedia(media, plan, owner) : plan
      const open = ({ provider, id, model }: ModelTarget<TextModel>, attempt: StreamAttempt) => {
        if (readOn) readOn.provider = provider
        this.#model = model
        const pace = model.reasoning ? new OutputPace(clock, attempt.state.outputRate) : undefined
        return (this.#stream = new TextStream(provider, { ...loaded.request, model: id }, attempt, call, pace, readOn))
      }
      const { size: prompt, answers, request } = plan
      const opening = router.stream(plan.route, owner, open, { prompt, maxTokens: request.maxTokens, answers })
      const opened = await (readOn ? readOn.hold(opening) : opening)
      call.warn(opened.attempt.warnings)
      return opened
    }
    const { target, items, cached } = await responseCache.stream(plan, call, send, textForm(plan.request, call))
    this.#model = target.model
    this.#isCached = cached ?? false
    this.items = items
  }

  toChunk(event: CheckedEvent): GenerationChunk | undefined {
    this.#seen++
    if (event.type === 'finish') {
      this.#finish = event
      return undefined
    }
    const part = 'index' in event ? this.#collector.add(event) : undefined
    if (this.#writer) return this.#writer.chunkOf(event, part)
    return (event.type === 'part_end' ? { ...event, part } : event) as never
  }

  /**
   * Notes the most that is known: the upstream's counts, and else an estimate of the prompt and of what arrived. The tokens
   * that a model reasons in secret are estimated by the time that it took, at most up to what the call has reserved.
   */
  recordPartialUsage(): boolean | Promise<boolean> {
    if (this.#call.unfinished !== this) return true
    if (this.#isCached) return this.#recordKnown()
    if (this.#shared) return (this.#rest ??= this.#readShared(this.#shared))
    if (this.#readOn?.isReading) return (this.#rest ??= this.#readRest(this.#readOn))
    return this.#recordKnown()
  }

  /** Others read on what this call has started, and pay nothing. */
  async #readShared(shared: () => Promise<readonly CheckedEvent[]>): Promise<boolean> {
    // An operation that has read enough settles without waiting, with what is known by now.
    if (this.#stream?.hasBegun) this.#record(this.#stream)
    const events = await shared().catch(() => [])
    for (const event of events.slice(this.#seen)) this.toChunk(event)
    return this.#readOn?.isReading ? this.#readRest(this.#readOn) : this.#recordKnown()
  }

  async #readRest(readOn: ReadOn): Promise<boolean> {
    await this.#opening?.catch(() => {})
    await readOn.rest((event) => this.toChunk(event))
    this.#finish ??= this.#stream?.finish
    return this.#recordKnown()
  }

  #recordKnown(): boolean {
    const call = this.#call
    call.unfinished = undefined
    const stream = this.#stream
    if (this.#isCached) call.note({ costUsd: 0 })
    else if (stream?.hasBegun) this.#record(stream)
    else return false
    return true
  }

  #record(stream: TextStream): void {
    const call = this.#call
    const { size, request, answers } = this.#plan
    const { maxTokens } = request
    const model = this.#model
    const counted = this.#finish?.usage ?? stream.counted
    const known = {
      ...counted,
      promptTokens: counted?.promptTokens || size.estimatedTokens,
      completionTokens: Math.max(counted?.completionTokens ?? 0, answers * answerTokens(this.#collector.partial)),
    }
    const knownUsd = textCost(model, known).costUsd
    const hidden = this.#finish
      ? 0
      : Math.min(stream.pace?.tokens() ?? 0, maxTokensOf(model, { prompt: size, maxTokens, answers }))
    const usage = { ...known, completionTokens: Math.max(known.completionTokens, hidden) }
    const costUsd = Math.max(knownUsd, Math.min(textCost(model, usage).costUsd, call.reservedUsd))
    call.note({ model: model.id, ...recordedTokens(usage), costUsd })
  }

  result(): Generation {
    if (!this.#finish) throw new Error('the text stream ended without a finish event')
    const answer = completeAnswer(this.#plan.request, this.#collector.parts(), this.#finish, this.#call)
    const generation = toGeneration(this.#call, this.#model, answer, this.#isCached)
    this.#call.unfinished = undefined
    return generation
  }
}

/** Converts stream events to a whole text for the cache, and a cached text to events. */
function textForm(request: TextRequest, call: Pick<AttemptOwner, 'native'>): ItemForm<CheckedEvent, CheckedText> {
  return {
    toAnswer(events) {
      const collector = new AnswerCollector()
      for (const event of events) {
        if (event.type === 'finish') return completeAnswer(request, collector.parts(), event, call)
        if ('index' in event) collector.add(event)
      }
      throw new Error('the text stream ended without a finish event')
    },
    toItems: (answer) => [...(answerEvents(answer) as Iterable<CheckedEvent>)],
  }
}
