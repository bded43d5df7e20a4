import { type Cancel, type Clock, monotonicNow } from '../clock.ts'

/** Work that ends with other work. */
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

/**
 * Between two sweeps of deadlines, in milliseconds. Each visits all tasks, and without a pause, thousands of open streams
 * whose access is checked at different times would be visited hundreds of times in each second.
 */
const minPauseMs = 50

/**
 * The deadlines of all tasks, swept by one timer, which wakes for the earliest. Nearly all tasks end long before their
 * deadline, so setting and removing one must cost next to nothing: it links the task into a list, and writes a number.
 *
 * The tasks link to each other, because the old tables of a `Set` that grows and shrinks keep the requests that were in it
 * alive until the next full garbage collection. At 16 connections, that took 1.2 to 1.4 times the CPU time.
 */
export class Deadlines {
  readonly #clock: Clock
  /** Before the first and after the last task. */
  readonly #ends = new Task()
  #wakeAt = Infinity
  #cancelTimer: Cancel | undefined = undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.#ends.next = this.#ends
    this.#ends.previous = this.#ends
  }

  /** Sets the deadline of a task to a time from now, in milliseconds, or changes it. */
  set(task: Task, ms: number): void {
    task.dueAt = monotonicNow(this.#clock) + ms
    if (task.next === undefined) this.#link(task)
    if (task.dueAt < this.#wakeAt) this.#schedule(task.dueAt)
  }

  remove(task: Task): void {
    if (task.next === undefined) return
    unlink(task)
    if (this.#ends.next === this.#ends) this.#rest()
  }

  /** Calls `callback` after `ms` milliseconds, unless the returned task is removed before. */
  after(ms: number, callback: () => void): Task {
    const timeout = new Timeout(callback)
    this.set(timeout, ms)
    return timeout
  }

  /** Resolves after `ms` milliseconds. Rejects as soon as the owner is aborted. */
  async pause(ms: number, owner: Pick<Task, 'follow' | 'unfollow'>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timeout = this.after(ms, resolve)
    owner.follow(timeout)
    try {
      await timeout.race(promise)
    } finally {
      owner.unfollow(timeout)
      this.remove(timeout)
    }
  }

  abortAll(reason: unknown): void {
    for (const task of this.#tasks(() => true)) task.abort(reason)
  }

  #link(task: Task): void {
    const last = this.#ends.previous!
    // The process waits for the timer only while there is a task.
    if (last === this.#ends) this.#cancelTimer?.keepAlive?.(true)
    task.previous = last
    task.next = this.#ends
    last.next = task
    this.#ends.previous = task
  }

  /** Without a task, the timer stays, because the next request would only schedule it again. */
  #rest(): void {
    if (this.#cancelTimer?.keepAlive) return this.#cancelTimer.keepAlive(false)
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#wakeAt = Infinity
  }

  #schedule(at: number): void {
    this.#cancelTimer?.()
    this.#wakeAt = at
    const ms = Math.max(0, Math.ceil(at - monotonicNow(this.#clock)))
    this.#cancelTimer = this.#clock.schedule(ms, () => this.#sweep())
  }

  #sweep(): void {
    this.#cancelTimer = undefined
    this.#wakeAt = Infinity
    const now = monotonicNow(this.#clock)
    for (const task of this.#tasks((each) => each.dueAt <= now)) {
      // The end of another task may have ended it, or changed its deadline.
      if (task.dueAt > now || task.next === undefined) continue
      unlink(task)
      task.expire()
    }
    let next = Infinity
    for (let task = this.#ends.next!; task !== this.#ends; task = task.next!) next = Math.min(next, task.dueAt)
    next = Math.max(next, now + minPauseMs)
    if (next < this.#wakeAt) this.#schedule(next)
  }

  #tasks(isWanted: (task: Task) => boolean): readonly Task[] {
    const tasks: Task[] = []
    for (let task = this.#ends.next!; task !== this.#ends; task = task.next!) if (isWanted(task)) tasks.push(task)
    return tasks
  }
}

function unlink(task: Task): void {
  task.previous!.next = task.next
  task.next!.previous = task.previous
  task.previous = undefined
  task.next = undefined
}

class Timeout extends Task {
  readonly #callback: () => void

  constructor(callback: () => void) {
    super()
    this.#callback = callback
  }

  override expire(): void {
    this.#callback()
  }
}

/** Counts the runs in progress, so that what they use is closed only after them. */
export class InFlight {
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()
  #running = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get count(): number {
    return this.#running
  }

  begin(): void {
    this.#running++
  }

  end(): void {
    this.#running--
    if (this.#running === 0) for (const resolve of this.#waiting) resolve()
  }

  /** Resolves when no run is in progress, or after `timeoutMs` milliseconds. Default: without a limit. */
  async idle(timeoutMs?: number): Promise<void> {
    if (this.#running === 0) return
    await new Promise<void>((resolve) => {
      const cancel = timeoutMs === undefined ? undefined : this.#clock.schedule(timeoutMs, resolve)
      this.#waiting.add(() => {
        cancel?.()
        resolve()
      })
    })
  }
}

/** Closes an iterator early. Not awaited, because an iterator that ignores it may never settle. */
export function closeIterator(items: AsyncIterator<unknown> | undefined): void {
  void (async () => items?.return?.())().catch(() => {})
}
