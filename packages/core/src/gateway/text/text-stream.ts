import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Call } from '../../runtime/run/call.ts'
import { closeIterator } from '../../runtime/run/task.ts'
import { answerEvents, truncated } from '../messages/collect-answer.ts'
import { type CheckedEvent, EventCheck, isPrelude } from '../messages/event-check.ts'
import { noteUpstream } from '../provider-responses.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { requestFor, requestText } from './request-text.ts'
import type { AttemptStream, StreamAttempt } from '../routing/stream-attempt.ts'

/**
 * The events of one attempt, from the provider's iterator: checked, and each within its time. A whole answer comes as
 * events, if the provider cannot stream.
 */
export class TextStream implements AttemptStream<CheckedEvent> {
  readonly #provider: Provider
  readonly #request: TextRequest
  readonly #attempt: StreamAttempt
  /** Notes what the upstream's headers say, as soon as it is known. */
  readonly #call: Pick<Call, 'note'>
  readonly #check: EventCheck
  #items: AsyncIterator<unknown> | undefined = undefined
  /** Those up to the first piece of the answer. */
  #ready: CheckedEvent[] = []
  #given = 0
  #isOver = false
  #isComplete = false

  constructor(provider: Provider, request: TextRequest, attempt: StreamAttempt, call: Pick<Call, 'note'>) {
    // A whole answer is requested by a function that prepares the request itself.
    const sent = provider.streamText ? requestFor(provider, request) : { request, warnings: [] }
    this.#provider = provider
    this.#request = sent.request
    this.#attempt = attempt
    this.#call = call
    this.#check = new EventCheck(request, sent.warnings)
  }

  async begin(): Promise<void> {
    if (!this.#provider.streamText) return this.#beginWhole()
    this.#attempt.begin()
    this.#attempt.request = this.#request
    const items = this.#provider.streamText(this.#request, this.#attempt)[Symbol.asyncIterator]()
    this.#items = items
    const ready = this.#ready
    try {
      for (let event: CheckedEvent | undefined; !event || isPrelude(event);) {
        event = this.#accept(await this.#attempt.race(items.next()))
        if (event) ready.push(event)
        if (this.#check.needsTurn) await nextTurn()
      }
    } catch (error) {
      closeIterator(items)
      throw error
    }
    this.#attempt.awaitReader()
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

  async next(): Promise<IteratorResult<CheckedEvent, undefined>> {
    const ready = this.#ready[this.#given++]
    if (ready) return this.#give(ready)
    const items = this.#items
    const attempt = this.#attempt
    // A stream that was aborted between two reads has not ended.
    if (attempt.aborted && !this.#isComplete) throw attempt.failure(attempt.reason)
    if (this.#isOver || !items) return { done: true, value: undefined }
    try {
      attempt.awaitItem()
      let event: CheckedEvent | undefined
      while (!event) {
        const { runAttempt } = attempt.observer
        // The context of an observer is that of the reader.
        const next = runAttempt ? runAttempt(attempt, () => items.next()) : items.next()
        event = this.#accept(await attempt.race(next))
        if (this.#check.needsTurn) await nextTurn()
      }
      attempt.awaitReader()
      return this.#give(event)
    } catch (error) {
      try {
        throw attempt.failure(error)
      } finally {
        this.#close()
      }
    }
  }

  async return(): Promise<IteratorResult<CheckedEvent, undefined>> {
    if (!this.#isOver) this.#close()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** @returns undefined for an event that says nothing about the answer */
  #accept(next: IteratorResult<unknown, unknown>): CheckedEvent | undefined {
    if (next.done) throw truncated()
    const event = this.#check.accept(next.value)
    if (!event || event.type === 'start' || event.type === 'usage') this.#attempt.alive()
    if (event?.type === 'start') {
      this.#attempt.response = event.response
      noteUpstream(this.#call, event.response)
    }
    return event
  }

  #give(event: CheckedEvent): IteratorResult<CheckedEvent, undefined> {
    if (event.type === 'finish') {
      this.#isComplete = true
      // The events of a provider that cannot stream have core's estimates.
      if (this.#items) this.#attempt.received(event)
      this.#attempt.succeed()
      this.#close()
    }
    return { done: false, value: event }
  }

  #close(): void {
    this.#isOver = true
    this.#ready = []
    this.#attempt.close()
    if (this.#items) closeIterator(this.#items)
  }
}
