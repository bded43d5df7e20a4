import type { Clock } from './clock.ts'
import { FairleadError } from './errors.ts'

/** Receives messages for the operator, with details that responses do not contain. */
export interface Log {
  /** A bug. The caller received `INTERNAL_ERROR` with the request id. */
  error(facts: Readonly<Record<string, unknown>>, message: string): void
  /** A problem outside of Fairlead, such as an unavailable provider or store. */
  warn(facts: Readonly<Record<string, unknown>>, message: string): void
  /**
   * Logs facts that should be kept, although nothing is wrong, such as the head of the audit log. Default: it is not
   * logged.
   */
  info?(facts: Readonly<Record<string, unknown>>, message: string): void
}

/** Writes errors and warnings to the console, for programs that configure no log. */
export const consoleLog: Log = {
  // oxlint-disable-next-line no-console -- bugs must be visible
  error: (facts, message) => console.error(`fairlead: ${message}`, facts),
  // oxlint-disable-next-line no-console -- and so must unavailable providers
  warn: (facts, message) => console.warn(`fairlead: ${message}`, facts),
}

const intervalMs = 10_000
/** There are few distinct messages. This bounds the memory in case one contains variable text. */
const maxLines = 100

/** Writes each distinct line about an unavailable dependency once in ten seconds, with the number of omitted lines. */
export function limitOutageLines(log: Log, { now }: Pick<Clock, 'now'>): Log {
  const lines = new Map<string, { readonly writtenAt: number; omitted: number }>()

  function limited(write: Log['warn']): Log['warn'] {
    return (facts, message) => {
      const { error } = facts
      if (!(error instanceof FairleadError) || error.code !== 'SERVICE_UNAVAILABLE') return write(facts, message)
      const name = `${message}: ${error.message}`
      const last = lines.get(name)
      // The absolute difference, because setting the clock back must not silence the log.
      if (last && Math.abs(now() - last.writtenAt) < intervalMs) return void (last.omitted += 1)
      if (lines.size >= maxLines) lines.clear()
      lines.set(name, { writtenAt: now(), omitted: 0 })
      write(last && last.omitted > 0 ? { ...facts, omitted: last.omitted } : facts, message)
    }
  }

  return {
    error: limited((facts, message) => log.error(facts, message)),
    warn: limited((facts, message) => log.warn(facts, message)),
    info: (facts, message) => log.info?.(facts, message),
  }
}

/**
 * Logs when a task that repeats begins to fail, and when it succeeds again, however often it runs in between.
 *
 * @param task completes "could not …", such as `claim webhook deliveries`
 */
export function createOutageLog(log: Log, task: string) {
  let isFailing = false
  return {
    failed(error: unknown): void {
      if (!isFailing) log.warn({ error }, `could not ${task}, retrying`)
      isFailing = true
    },
    succeeded(): void {
      if (isFailing) log.warn({}, `could ${task} again`)
      isFailing = false
    },
  }
}
