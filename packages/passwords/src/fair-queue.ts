import { FairleadError } from '@fairlead/core'

/** Runs work when a slot is free. `share` is the part of the queue in which it waits, such as a network. */
export type FairQueue = <Result>(share: string, work: () => Promise<Result>) => Promise<Result>

export interface FairQueueOptions {
  /** Maximum amount of concurrent work. */
  readonly concurrency: number
  /** Maximum amount of waiting work, over all shares. */
  readonly maxWaiting: number
}

interface Waiter {
  readonly start: () => void
  readonly reject: (error: FairleadError) => void
}

const retryAfterMs = 1_000

/**
 * Bounds concurrent work and shares its queue fairly. The shares take turns, and when the queue is full, the share that
 * waits with the most work loses its newest entry to a share that waits with less. A client that
 * fills the queue therefore delays others by one turn at most, and cannot get their work rejected.
 */
export function createFairQueue({ concurrency, maxWaiting }: FairQueueOptions): FairQueue {
  /** In the order of their turns; no share is empty. */
  const shares = new Map<string, Waiter[]>()
  let waiting = 0
  let running = 0

  async function acquire(share: string): Promise<void> {
    if (running < concurrency) {
      running += 1
      return
    }
    if (waiting >= maxWaiting) makeRoom(share)
    await new Promise<void>((start, reject) => {
      const waiters = shares.get(share)
      if (waiters) waiters.push({ start, reject })
      else shares.set(share, [{ start, reject }])
      waiting += 1
    })
  }

  /** Rejects the newest entry of the largest share, or throws if the newcomer's share would be the largest. */
  function makeRoom(newcomer: string): void {
    const [largest, waiters] = [...shares].reduce<[string, Waiter[]]>(
      (one, other) => (other[1].length > one[1].length ? other : one),
      ['', []],
    )
    if (waiters.length <= (shares.get(newcomer)?.length ?? 0) + 1) throw tooBusy()
    waiters.pop()?.reject(tooBusy())
    waiting -= 1
    if (waiters.length === 0) shares.delete(largest)
  }

  function release(): void {
    const [next] = shares
    if (!next) {
      running -= 1
      return
    }
    const [share, waiters] = next
    const waiter = waiters.shift()
    waiting -= 1
    shares.delete(share)
    if (waiters.length > 0) shares.set(share, waiters)
    // The slot passes directly to the waiter, so that new work cannot overtake it.
    waiter?.start()
  }

  return async (share, work) => {
    await acquire(share)
    try {
      return await work()
    } finally {
      release()
    }
  }
}

function tooBusy(): FairleadError {
  return new FairleadError('SERVICE_UNAVAILABLE', 'Too many passwords are being checked right now.', { retryAfterMs })
}
