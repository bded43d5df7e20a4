import { type Clock, FairleadError, type Log, systemClock } from '@fairlead/core'

export interface WaitOptions {
  readonly log: Pick<Log, 'warn'>
  /** Cancels the wait: it rejects with the reason of the signal. */
  readonly signal: AbortSignal
  /** Called when the wait begins. */
  onWait(): void
  /** Default: the system's. */
  readonly clock?: Clock
}

/** The delay before the next attempt, in milliseconds. It doubles with each attempt. */
const minDelayMs = 250
const maxDelayMs = 5_000
/** How often the wait is logged, in milliseconds. */
const logEveryMs = 10_000

/**
 * Opens a database, or image storage. While it cannot be reached, logs why and tries again. Rejects with an error that does
 * not pass by itself, such as a wrong password.
 */
export async function waitUntilAvailable<Opened>(
  open: () => Promise<Opened>,
  { log, signal, onWait, clock = systemClock }: WaitOptions,
): Promise<Opened> {
  let loggedAt: number | undefined
  for (let delayMs = minDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      const opened = await unlessAborted(signal, open())
      if (loggedAt !== undefined) log.warn({}, 'dependency available, starting')
      return opened
    } catch (error) {
      if (signal.aborted || !canPass(error)) throw error
      if (loggedAt === undefined) onWait()
      if (loggedAt === undefined || clock.now() - loggedAt >= logEveryMs) {
        log.warn({ reason: (error as Error).message }, 'dependency unavailable, waiting for it')
        loggedAt = clock.now()
      }
    }
    await unlessAborted(signal, new Promise<void>((resolve) => clock.schedule(delayMs, resolve)))
  }
}

/** Whether it may become available without a change of the configuration. */
export function canPass(error: unknown): boolean {
  const causes = [...listCauses(error)]
  const isOutage = causes.some((each) => each instanceof FairleadError && each.code === 'SERVICE_UNAVAILABLE')
  return isOutage && !causes.some(isRefusal)
}

/** SQLSTATE of a wrong user or password, and of an unknown database. */
const refusals = /^(?:28\w{3}|3D000)$/

/** `$metadata` is of S3, which answers 4xx to a wrong bucket or key. */
function isRefusal(error: Error & { readonly code?: unknown; readonly $metadata?: { httpStatusCode?: number } }) {
  const { httpStatusCode = 0 } = error.$metadata ?? {}
  return refusals.test(String(error.code)) || (httpStatusCode >= 400 && httpStatusCode < 500)
}

function* listCauses(error: unknown): Iterable<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause
}

/** Rejects as soon as the signal aborts: the work may never settle. */
export function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
