import { FairleadError, type Issue } from '../../runtime/errors.ts'
import { closeIterator } from '../../runtime/run/task.ts'
import { parseResponse, warnings } from '../provider-responses.ts'
import { Attempt, type AttemptCall, type AttemptRules, type AttemptOwner } from './attempt.ts'
import type { EveryTimeout } from './route-options.ts'
import type { Target } from './route.ts'
import type { TargetState } from './targets.ts'

/** The items of one attempt. It ends with the attempt, whose outcome it reports. */
export interface AttemptStream<Item> extends AsyncIterableIterator<Item, undefined, undefined> {
  /** Resolves once there is an item. Until then, another target may be tried. */
  begin(): Promise<void>
}

/** The call through targets that the attempt belongs to. */
interface StreamCall extends AttemptCall {
  readonly timeouts: EveryTimeout
  readonly endAt: number
  fail(target: Target, attempt: Attempt, thrown: unknown): unknown
  error(): FairleadError
}

/** An attempt whose answer is a stream. Its deadline is for the next item. */
export class StreamAttempt extends Attempt {
  readonly warn = (found: readonly Issue[]): void => {
    this.warnings = parseResponse(warnings, found)
  }

  /** The provider's warnings before its answer. */
  warnings: readonly Issue[] = []
  readonly #call: StreamCall
  readonly #target: Target
  readonly #timeouts: EveryTimeout
  /** When a whole answer is due, in milliseconds since the epoch. */
  readonly #wholeEndAt: number
  #streamStartedAt = 0
  #hasBegun = false
  /** Whether the stream waits for its reader, and not for the target. */
  #isUnread = false
  #items: AsyncIterator<unknown> | undefined = undefined

  constructor(rules: AttemptRules, owner: AttemptOwner, state: TargetState, call: StreamCall, target: Target) {
    super(rules, owner, state, call, target, call.timeouts.firstItemMs)
    this.#call = call
    this.#target = target
    this.#timeouts = call.timeouts
    this.#wholeEndAt = call.endAt
  }

  /** The time for the first item begins. */
  begin(): void {
    this.#streamStartedAt = this.clock.now()
  }

  /** Records that the stream broke off. Returns the error for the caller. */
  failure(thrown: unknown): unknown {
    if (this.#isUnread && this.reason instanceof FairleadError) return this.fail(thrown)
    this.#call.fail(this.#target, this, thrown)
    return this.#call.error()
  }

  /** Closes the stream if it is aborted from now on, even if it is never read. */
  hold(items: AsyncIterator<unknown>): void {
    this.#items = items
    if (this.aborted) this.#closeItems()
  }

  /** The next item has the idle timeout, from when the reader began to wait for it. */
  awaitItem(): void {
    if (!this.#isUnread) return
    this.#isUnread = false
    this.allow(this.#timeouts.idleMs)
  }

  /** The reader may take longer than the provider, but a stream that nobody reads must release its slot. */
  awaitReader(): void {
    this.#hasBegun = true
    this.#isUnread = true
    this.allow(Math.max(this.#timeouts.idleMs, this.#timeouts.totalMs))
  }

  /** The upstream has sent a ping: the next item has the idle timeout from now on. */
  alive(): void {
    const { firstItemMs, idleMs, thinkingMs } = this.#timeouts
    if (this.#hasBegun) return this.allow(idleMs)
    const passedMs = this.clock.now() - this.#streamStartedAt
    // A ping never shortens the time for the first item.
    this.allow(Math.max(firstItemMs - passedMs, Math.min(idleMs, thinkingMs - passedMs)))
  }

  /** The only item is a whole answer, and has the time of one. */
  awaitWhole(): void {
    this.allow(Math.max(1, Math.min(this.#wholeEndAt - this.clock.now(), this.#timeouts.attemptMs)))
  }

  override expire(): void {
    if (!this.#isUnread) return super.expire()
    this.abort(new FairleadError('SERVICE_UNAVAILABLE', 'The stream was closed, because it was not read.'))
  }

  override abort(reason: unknown): void {
    super.abort(reason)
    this.#closeItems()
  }

  #closeItems(): void {
    if (!this.#items) return
    this.close()
    closeIterator(this.#items)
  }
}
