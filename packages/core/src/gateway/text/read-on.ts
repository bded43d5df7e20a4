import type { Clock } from '../../runtime/clock.ts'
import { ended, PolledIterator, polled } from '../../runtime/polled.ts'
import type { ModelCall, NativeRequest } from '../../runtime/run/run-options.ts'
import type { Caller } from '../../runtime/access.ts'
import { type Abortable, closeIterator, Task } from '../../runtime/run/task.ts'
import type { Issue } from '../../runtime/errors.ts'
import type { CheckedEvent, Finish } from '../messages/event-check.ts'
import type { Provider } from '../provider.ts'
import type { Owner } from '../routing/attempt.ts'

/**
 * Owns the attempts of a stream in place of its call, so that it can be read to its final usage after the caller has left.
 * Its items are read by one reader at a time: the call, and then by `rest`.
 */
export class ReadOn extends PolledIterator<CheckedEvent> implements Owner {
  readonly requestId: string
  readonly native: NativeRequest | undefined
  readonly caller: Caller
  /** The last event, whoever has read it. */
  finish: Finish | undefined = undefined
  /** The provider that is called. */
  provider: Provider | undefined = undefined
  /** Whether the caller has left, and its provider is read on. */
  isReading = false
  readonly #task = new Task()
  readonly #owner: Owner
  readonly #clock: Clock
  #items: PolledIterator<CheckedEvent> | undefined = undefined
  /** Whether the answer has ended or failed. */
  #isOver = false
  /** The reader that left may still wait for the items, which have one at a time. */
  #waiting: Promise<unknown> | undefined = undefined
  #cancelTimer = () => {}

  constructor(owner: Owner, clock: Clock) {
    super()
    this.requestId = owner.requestId
    this.native = owner.native
    this.caller = owner.caller
    this.#owner = owner
    this.#clock = clock
    owner.follow(this)
  }

  get aborted(): boolean {
    return this.#task.aborted
  }

  get reason(): unknown {
    return this.#task.reason
  }

  get signal(): AbortSignal {
    return this.#task.openSignal()
  }

  follow(follower: Abortable): void {
    this.#task.follow(follower)
  }

  unfollow(follower: Abortable): void {
    this.#task.unfollow(follower)
  }

  note(facts: Partial<ModelCall>): void {
    this.#owner.note(facts)
  }

  warn(issues: readonly Issue[]): void {
    this.#owner.warn(issues)
  }

  /** The caller has left. */
  abort(reason: unknown): void {
    const maxMs = this.provider?.readOn?.maxMs
    if (maxMs === undefined || this.isReading || this.#isOver) return this.#task.abort(reason)
    this.isReading = true
    this.#cancelTimer = this.#clock.schedule(maxMs, () => this.#task.abort(reason))
  }

  /** Reads the items that open. */
  async hold<Opened extends { readonly items: AsyncIterator<CheckedEvent, undefined> }>(
    opening: Promise<Opened>,
  ): Promise<Omit<Opened, 'items'> & { readonly items: ReadOn }> {
    try {
      const opened = await opening
      this.#items = polled(opened.items)
      return { ...opened, items: this }
    } catch (error) {
      this.#isOver = true
      throw error
    }
  }

  poll(): IteratorResult<CheckedEvent, undefined> | undefined {
    try {
      const next = this.#items?.poll()
      if (next?.done === false && next.value.type === 'finish') this.finish = next.value
      this.#isOver ||= next?.done === true || this.finish !== undefined
      return next
    } catch (error) {
      this.#isOver = true
      throw error
    }
  }

  ready(): Promise<unknown> {
    return (this.#waiting ??= this.#items!.ready().finally(() => (this.#waiting = undefined)))
  }

  async return(): Promise<IteratorResult<CheckedEvent, undefined>> {
    if (!this.isReading) this.#close()
    return ended
  }

  /** Reads the items to their end, if they have begun. Never rejects. */
  async rest(onEvent: (event: CheckedEvent) => void): Promise<void> {
    try {
      for (let next = this.#items && (await this.next()); next && !next.done; next = await this.next()) {
        onEvent(next.value)
      }
    } catch {
      // What was read until then counts.
    } finally {
      this.#close()
    }
  }

  #close(): void {
    this.#cancelTimer()
    this.#owner.unfollow(this)
    closeIterator(this.#items)
  }
}
