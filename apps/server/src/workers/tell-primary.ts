// The messages from a worker to the primary process.
import { aliveMessage, eventsMessage } from './receive-connections.ts'

/** How long events are gathered for one message, in milliseconds. */
const gatherMs = 10
const aliveEveryMs = 2_000

/** Says from now on that the event loop of this process turns. */
export function reportAlive(): void {
  setInterval(() => process.send?.(aliveMessage), aliveEveryMs).unref()
}

let isTelling = false

/** Says that this process has stored events, which the worker with the jobs delivers. */
export function tellEvents(): void {
  if (isTelling) return
  isTelling = true
  setTimeout(() => {
    isTelling = false
    process.send?.(eventsMessage)
  }, gatherMs)
}
