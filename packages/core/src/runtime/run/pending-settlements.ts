import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { FairleadError } from '../errors.ts'

export type PendingSettlements = ReturnType<typeof createPendingSettlements>

/** More than the calls that a process has in flight when an outage begins. A queued settlement takes about a kilobyte. */
const maxPending = 10_000
/** How long an outage may last for a finished answer to be handed out: a killed process loses what is queued. */
const maxOutageMs = 600_000
const minRetryMs = 250
const maxRetryMs = 10_000

/** Settlements that could not be written because the store was unavailable. They are retried until it is available. */
export function createPendingSettlements(clock: Clock, log: Log) {
  const pending: (() => Promise<unknown>)[] = []
  let written = 0
  let dropped = 0
  let retryMs = minRetryMs
  let cancelRetry: (() => void) | undefined
  let queuedSince = 0
  let writing = false
  let closed = false
  let onEmpty = () => {}

  function enqueue(settle: () => Promise<unknown>): void {
    if (pending.length >= maxPending) return drop()
    if (pending.length === 0) {
      queuedSince = clock.now()
      log.warn({}, 'store unavailable, queueing settlements until it is back')
    }
    pending.push(settle)
    scheduleRetry()
  }

  function drop(): void {
    if (dropped === 0) log.error({ queued: pending.length }, 'settlement queue full, dropping further settlements')
    dropped += 1
  }

  function scheduleRetry(): void {
    if (cancelRetry || writing || closed) return
    cancelRetry = clock.schedule(retryMs, () => void retry())
    retryMs = Math.min(maxRetryMs, retryMs * 2)
  }

  async function retry(): Promise<void> {
    cancelRetry?.()
    cancelRetry = undefined
    if (writing) return
    writing = true
    await writeQueued()
    writing = false
    if (pending.length > 0) scheduleRetry()
  }

  /** Writes the queue in order. Stops when the store is unavailable. */
  async function writeQueued(): Promise<void> {
    for (let settle = pending[0]; settle; settle = pending[0]) {
      try {
        await settle()
        written += 1
      } catch (error) {
        if (isUnavailable(error)) return
        log.error({ error }, 'could not write a queued settlement')
      }
      pending.shift()
      retryMs = minRetryMs
    }
    log.warn({ written, dropped }, 'store available again, wrote the queued settlements')
    written = 0
    dropped = 0
    onEmpty()
  }

  return {
    /** Writes a settlement, or queues it if the store is unavailable. Rejects if the write fails for another reason. */
    async write(settle: () => Promise<unknown>): Promise<void> {
      try {
        await settle()
      } catch (error) {
        if (!isUnavailable(error)) throw error
        enqueue(settle)
      }
    },
    /** Queues the settlement of a finished answer. @returns whether there is room, and the outage has just begun */
    admit(settle: () => Promise<unknown>): boolean {
      const hasLasted = pending.length > 0 && clock.now() - queuedSince > maxOutageMs
      if (closed || hasLasted || pending.length >= maxPending) return false
      enqueue(settle)
      return true
    },
    /** Retries for at most `timeoutMs`. Settlements that are still queued then are lost, and their number is logged. */
    async close(timeoutMs: number): Promise<void> {
      if (pending.length > 0) {
        await new Promise<void>((resolve) => {
          const cancelTimeout = clock.schedule(timeoutMs, resolve)
          onEmpty = () => {
            cancelTimeout()
            resolve()
          }
          retryMs = minRetryMs
          void retry()
        })
      }
      closed = true
      cancelRetry?.()
      if (pending.length > 0) log.error({ lost: pending.length }, 'closed before queued settlements could be written')
    },
  }
}

/** Whether an error says that the store cannot be reached: a job tries again later, and logs it with `createOutageLog`. */
export function isUnavailable(error: unknown): error is FairleadError {
  return error instanceof FairleadError && error.code === 'SERVICE_UNAVAILABLE'
}
