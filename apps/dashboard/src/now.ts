import { useSyncExternalStore } from 'react'

/** How often the times of a page move. The smallest unit that they show is a minute. */
const stepMs = 15_000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

/** Calls the listener as time passes. All listeners share one timer. Returns a function that stops this. */
export function subscribeToNow(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(tick, stepMs)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** The time in milliseconds since the epoch, which moves four times a minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribeToNow, () => now)
}
