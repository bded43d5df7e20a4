import type { Issue } from '../../runtime/errors.ts'
import { parseResponse, warnings } from '../provider-responses.ts'
import { Attempt, type AttemptCall, type AttemptRules, type Owner } from './attempt.ts'
import type { EveryTimeout } from './route-options.ts'
import type { Target } from './route.ts'
import type { TargetState } from './targets.ts'

/** Reports on a stream between its items. */
export interface StreamPace {
  /** The upstream has sent a ping: the next item has the idle timeout from now on. */
  alive(): void
  /** The only item is a whole answer, and has the time of one. */
  awaitWhole(): void
}

/** An attempt whose answer is a stream. Its deadline is that of the next item. */
export class StreamAttempt extends Attempt implements StreamPace {
  readonly warn = (found: readonly Issue[]): void => {
    this.warnings = parseResponse(warnings, found)
  }

  /** What the provider has warned of before its answer. */
  warnings: readonly Issue[] = []
  readonly #timeouts: EveryTimeout
  readonly #wholeEndAt: number
  #streamStartedAt = 0
  #hasBegun = false
  #items: AsyncIterator<unknown> | undefined = undefined

  /** @param wholeEndAt when a whole answer is due, in milliseconds since the epoch */
  constructor(
    rules: AttemptRules,
    owner: Owner,
    state: TargetState,
    call: AttemptCall,
    target: Target,
    timeouts: EveryTimeout,
    wholeEndAt: number,
  ) {
    super(rules, owner, state, call, target, timeouts.firstItemMs)
    this.#timeouts = timeouts
    this.#wholeEndAt = wholeEndAt
  }

  /** Waits for the first item. Closes the stream if there is none. */
  async first<Item>(items: AsyncIterator<Item>): Promise<IteratorResult<Item, unknown>> {
    this.#streamStartedAt = this.clock.now()
    try {
      const first = await this.race(items.next())
      this.awaitReader()
      return first
    } catch (error) {
      closeIterator(items)
      throw error
    }
  }

  /** Closes the stream if it is aborted from now on, even if it is never read. */
  hold(items: AsyncIterator<unknown>): void {
    this.#items = items
    if (this.aborted) this.#letGo()
  }

  awaitItem(): void {
    this.throwIfAborted()
    this.allow(this.#timeouts.idleMs)
  }

  /** The reader may take longer than the provider, but a stream that nobody reads must release its slot. */
  awaitReader(): void {
    this.#hasBegun = true
    this.allow(Math.max(this.#timeouts.idleMs, this.#timeouts.totalMs))
  }

  alive(): void {
    const { firstItemMs, idleMs, thinkingMs } = this.#timeouts
    if (this.#hasBegun) return this.allow(idleMs)
    const passedMs = this.clock.now() - this.#streamStartedAt
    // A ping never shortens the time for the first item.
    this.allow(Math.max(firstItemMs - passedMs, Math.min(idleMs, thinkingMs - passedMs)))
  }

  awaitWhole(): void {
    this.allow(Math.max(1, Math.min(this.#wholeEndAt - this.clock.now(), this.#timeouts.attemptMs)))
  }

  override abort(reason: unknown): void {
    super.abort(reason)
    this.#letGo()
  }

  #letGo(): void {
    if (!this.#items) return
    this.close()
    closeIterator(this.#items)
  }
}

/** Closes an iterator early. Not awaited, because an iterator that ignores it may never settle. */
export function closeIterator(items: AsyncIterator<unknown>): void {
  void (async () => items.return?.())().catch(() => {})
}
