/** What ends when something else does. */
export interface Abortable {
  abort(reason: unknown): void
}

/**
 * A piece of work that can be aborted, and may have a deadline. What it has begun follows it, and is aborted with it by a
 * method: an `AbortSignal` exists only where it is asked for.
 */
export class Task implements Abortable {
  aborted = false
  reason: unknown = undefined
  /** When it expires, on the clock of `Deadlines`, which links all tasks that have a deadline. */
  dueAt = Infinity
  previous: Task | undefined = undefined
  next: Task | undefined = undefined
  #controller: AbortController | undefined = undefined
  #followers: Abortable[] | undefined = undefined
  #rejectRace: ((reason: unknown) => void) | undefined = undefined

  /** Only the first call has an effect. */
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    this.#controller?.abort(reason)
    this.#rejectRace?.(reason)
    this.#rejectRace = undefined
    const followers = this.#followers
    this.#followers = undefined
    if (followers) for (const follower of followers) follower.abort(reason)
  }

  /** Called by `Deadlines` when its time is over. */
  expire(): void {
    this.abort()
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  /** Aborts `follower` with this task; at once if it was aborted. */
  follow(follower: Abortable): void {
    if (this.aborted) follower.abort(this.reason)
    else if (this.#followers) this.#followers.push(follower)
    else this.#followers = [follower]
  }

  unfollow(follower: Abortable): void {
    const index = this.#followers?.lastIndexOf(follower) ?? -1
    if (index >= 0) this.#followers?.splice(index, 1)
  }

  /** Settles as the work does, or rejects as soon as the task aborts. One piece of work at a time. */
  race<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.aborted) reject(this.reason)
      else this.#rejectRace = reject
      // Always attached, because an unhandled rejection would end the process.
      work.then(resolve, reject)
    })
  }

  /** The signal of this task, which is created by the first call. */
  openSignal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort(this.reason)
    }
    return this.#controller.signal
  }
}

/** Closes an iterator early. Not awaited, because an iterator that ignores it may never settle. */
export function closeIterator(items: AsyncIterator<unknown> | undefined): void {
  void (async () => items?.return?.())().catch(() => {})
}
