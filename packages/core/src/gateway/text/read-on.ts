import type { Clock } from '../../runtime/clock.ts'
import type { ModelCall, NativeRequest } from '../../runtime/run/run-options.ts'
import type { Caller } from '../../runtime/access.ts'
import { Task } from '../../runtime/run/task.ts'
import type { Issue } from '../../runtime/errors.ts'
import type { CheckedEvent } from '../messages/event-check.ts'
import type { Provider } from '../provider.ts'
import type { AttemptOwner } from '../routing/attempt.ts'

/** The stream of the attempt that succeeds. */
interface OpenStream extends Pick<AsyncIterator<CheckedEvent, undefined>, 'next'> {
  /** Whether it has ended, has failed, or is closed. */
  readonly isOver: boolean
  close(): void
}

/**
 * Owns the attempts of a stream in place of its call, so that it can be read to its final usage after the caller has left.
 * It is read by one reader at a time: the call, and then by `rest`.
 */
export class ReadOn extends Task implements AttemptOwner {
  readonly requestId: string
  readonly native: NativeRequest | undefined
  readonly caller: Caller
  /** The provider that is called. */
  provider: Provider | undefined = undefined
  /** Whether the caller has left, and its provider is read on. */
  isReading = false
  readonly #owner: AttemptOwner
  readonly #clock: Clock
  #stream: OpenStream | undefined = undefined
  /** Whether no attempt has succeeded. */
  #hasFailed = false
  #cancelTimer = () => {}

  constructor(owner: AttemptOwner, clock: Clock) {
    super()
    this.requestId = owner.requestId
    this.native = owner.native
    this.caller = owner.caller
    this.#owner = owner
    this.#clock = clock
    owner.follow(this)
  }

  get signal(): AbortSignal {
    return this.openSignal()
  }

  note(facts: Partial<ModelCall>): void {
    this.#owner.note(facts)
  }

  warn(issues: readonly Issue[]): void {
    this.#owner.warn(issues)
  }

  /** The caller has left. */
  override abort(reason: unknown): void {
    const maxMs = this.provider?.readOn?.maxMs
    if (maxMs === undefined || this.isReading || this.#hasFailed || this.#stream?.isOver) return super.abort(reason)
    this.isReading = true
    this.#cancelTimer = this.#clock.schedule(maxMs, () => super.abort(reason))
  }

  /** Reads on the stream that opens. */
  async hold<Opened extends { readonly items: OpenStream }>(opening: Promise<Opened>): Promise<Opened> {
    try {
      const opened = await opening
      this.#stream = opened.items
      return opened
    } catch (error) {
      this.#hasFailed = true
      throw error
    }
  }

  /** Reads the stream to its end, if it has begun. Never rejects. */
  async rest(onEvent: (event: CheckedEvent) => void): Promise<void> {
    const stream = this.#stream
    if (!stream) return this.end()
    try {
      for (let next = await stream.next(); !next.done; next = await stream.next()) onEvent(next.value)
    } catch {
      // Items that were read until then count.
    } finally {
      stream.close()
    }
  }

  /** The stream is closed. */
  end(): void {
    this.#cancelTimer()
    this.#owner.unfollow(this)
  }
}
