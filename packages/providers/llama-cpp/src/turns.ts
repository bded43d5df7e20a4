import { ProviderError } from '@fairlead/core/provider'

/** Runs one call at a time, in order of arrival. */
export interface Turns {
  /** Resolves when the call may run, to the function that ends it. Rejects with `retry` if too many calls wait. */
  take(signal: AbortSignal): Promise<() => void>
  /** Resolves when no call runs or waits. */
  idle(): Promise<void>
}

const minRetryMs = 1_000
const maxRetryMs = 60_000
/** The weight of the latest call in the mean. */
const freshness = 0.3

export function createTurns({ waiting, now }: { readonly waiting: number; readonly now: () => number }): Turns {
  const queue: (() => void)[] = []
  const onIdle: (() => void)[] = []
  let busy = false
  let meanMs = minRetryMs

  function begin(): () => void {
    busy = true
    const beganAt = now()
    let ended = false
    return () => {
      if (ended) return
      ended = true
      meanMs += freshness * (now() - beganAt - meanMs)
      busy = false
      const next = queue.shift()
      if (next) next()
      else for (const resolve of onIdle.splice(0)) resolve()
    }
  }

  function full(): ProviderError {
    const expectedMs = Math.min(maxRetryMs, Math.max(minRetryMs, Math.round(meanMs)))
    return new ProviderError('retry', `the queue of the model is full (${queue.length} requests)`, {
      retryAfterMs: expectedMs,
    })
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (!busy) return begin()
      if (queue.length >= waiting) throw full()
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve(begin())
        }
        const leave = () => {
          queue.splice(queue.indexOf(enter), 1)
          reject(signal.reason)
        }
        signal.addEventListener('abort', leave, { once: true })
        queue.push(enter)
      })
    },
    idle: () => (busy ? new Promise((resolve) => void onIdle.push(resolve)) : Promise.resolve()),
  }
}
