import type { OperationRun } from '../../runtime/run/operation-run.ts'
import { ended, PolledIterator, polled } from '../../runtime/polled.ts'
import { closeIterator } from '../../runtime/run/task.ts'
import { answerEvents, truncated } from '../messages/collect-answer.ts'
import { type CheckedEvent, EventCheck, type Finish, isPrelude } from '../messages/event-check.ts'
import { noteUpstream } from '../provider-responses.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { requestFor, requestText } from './request-text.ts'
import type { AnswerUsage } from '../messages/answer.ts'
import type { AttemptStream, StreamAttempt } from '../routing/stream-attempt.ts'
import type { OutputPace } from './output-pace.ts'
import type { ReadOn } from './read-on.ts'

/**
 * The events of one attempt, from the provider's iterator: checked, and each within its time. A whole answer comes as
 * events, if the provider cannot stream.
 */
export class TextStream extends PolledIterator<CheckedEvent> implements AttemptStream<CheckedEvent> {
  readonly #provider: Provider
  readonly #request: TextRequest
  readonly #attempt: StreamAttempt
  /** Notes what the upstream's headers say, as soon as it is known. */
  readonly #call: Pick<OperationRun, 'note'>
  readonly #check: EventCheck
  /** Of a model that reasons. */
  readonly pace: OutputPace | undefined
  /** The upstream's last count. */
  counted: AnswerUsage | undefined = undefined
  /** Whether anything has arrived. */
  hasBegun = false
  /** The last event of the stream, once it was read. */
  finish: Finish | undefined = undefined
  isOver = false
  /** Undefined unless the provider is read on after the caller has left. */
  readonly #readOn: ReadOn | undefined
  #items: PolledIterator<unknown, unknown> | undefined = undefined
  /** Those up to the first piece of the answer. */
  #ready: CheckedEvent[] = []
  #given = 0
  #isComplete = false

  constructor(
    provider: Provider,
    request: TextRequest,
    attempt: StreamAttempt,
    call: Pick<OperationRun, 'note'>,
    pace: OutputPace | undefined,
    readOn: ReadOn | undefined,
  ) {
    super()
    // A whole answer is requested by a function that prepares the request itself.
    const sent = provider.streamText ? requestFor(provider, request) : { request, warnings: [] }
    this.#provider = provider
    this.#request = sent.request
    this.#attempt = attempt
    this.#call = call
    this.pace = pace
    this.#readOn = readOn
    this.#check = new EventCheck(request, sent.warnings)
  }

  async begin(): Promise<void> {
    if (!this.#provider.streamText) return this.#beginWhole()
    this.#attempt.begin()
    this.#attempt.request = this.#request
    const items = polled<unknown, unknown>(
      this.#provider.streamText(this.#request, this.#attempt)[Symbol.asyncIterator](),
    )
    this.#items = items
    const ready = this.#ready
    try {
      for (let event: CheckedEvent | undefined; !event || isPrelude(event);) {
        this.#attempt.throwIfAborted()
        const next = items.poll()
        if (!next) await this.#attempt.race(items.ready())
        else if ((event = this.#accept(next))) ready.push(event)
        if (this.#check.needsTurn) await this.#check.yieldToEventLoop()
      }
    } catch (error) {
      closeIterator(items)
      throw error
    }
    this.#attempt.awaitReader()
    this.pace?.awaitReader()
  }

  async #beginWhole(): Promise<void> {
    const attempt = this.#attempt
    attempt.awaitWhole()
    const answer = await attempt.race(requestText(this.#provider, this.#request, attempt))
    attempt.warn(answer.warnings)
    noteUpstream(this.#call, answer.response)
    this.#ready = [...(answerEvents(answer) as Iterable<CheckedEvent>)]
    attempt.awaitReader()
  }

  poll(): IteratorResult<CheckedEvent, undefined> | undefined {
    const ready = this.#ready[this.#given++]
    if (ready) return this.#give(ready)
    const items = this.#items
    const attempt = this.#attempt
    // A stream that was aborted between two reads has not ended.
    if (attempt.aborted && !this.#isComplete) throw this.#failure(attempt.reason)
    if (this.isOver || !items) return ended
    this.pace?.awaitUpstream()
    try {
      while (!this.#check.needsTurn) {
        const next = items.poll()
        if (!next) {
          attempt.awaitItem()
          return undefined
        }
        const event = this.#accept(next)
        if (!event) continue
        attempt.awaitReader()
        this.pace?.awaitReader()
        return this.#give(event)
      }
      return undefined
    } catch (error) {
      throw this.#failure(error)
    }
  }

  ready(): Promise<unknown> {
    if (this.#check.needsTurn) return this.#check.yieldToEventLoop()
    const items = this.#items
    if (this.isOver || !items) return Promise.resolve()
    const { runAttempt } = this.#attempt.observer
    // An observer sees the context of the reader.
    return runAttempt ? runAttempt(this.#attempt, () => items.ready()) : items.ready()
  }

  async return(): Promise<IteratorResult<CheckedEvent, undefined>> {
    if (this.#attempt.aborted || !this.#readOn?.isReading) this.close()
    return ended
  }

  close(): void {
    if (this.isOver) return
    this.isOver = true
    this.#ready = []
    this.#attempt.close()
    this.#readOn?.end()
    if (this.#items) closeIterator(this.#items)
  }

  /** The stream broke off. Returns the error for the caller. */
  #failure(thrown: unknown): unknown {
    try {
      return this.#attempt.failure(thrown)
    } finally {
      this.close()
    }
  }

  /** @returns undefined for an event that says nothing about the answer */
  #accept(next: IteratorResult<unknown, unknown>): CheckedEvent | undefined {
    if (next.done) throw truncated()
    const event = this.#check.accept(next.value)
    this.hasBegun = true
    this.pace?.arrived(event !== undefined && !isPrelude(event))
    if (event?.type === 'usage') this.#count(event.usage)
    if (!event || event.type === 'start' || event.type === 'usage' || event.type === 'native') this.#attempt.alive()
    if (event?.type === 'start') {
      this.#attempt.response = event.response
      noteUpstream(this.#call, event.response)
    }
    return event
  }

  #count(usage: AnswerUsage): void {
    this.counted = usage
    this.pace?.counted(usage)
  }

  #give(event: CheckedEvent): IteratorResult<CheckedEvent, undefined> {
    if (event.type === 'finish') {
      this.finish = event
      this.#isComplete = true
      // The events of a provider that cannot stream have core's estimates.
      if (this.#items) this.#attempt.received(event)
      if (event.usage) this.pace?.ended(event.usage)
      this.#attempt.succeed()
      this.close()
    }
    return { done: false, value: event }
  }
}
