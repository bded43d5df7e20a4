import type { Clock } from './clock.ts'
import { FairleadError } from './errors.ts'

/** Where core tells the operator what no caller may see. */
export interface Log {
  /** A defect of ours: the caller saw `INTERNAL_ERROR` and the request id. */
  error(facts: Readonly<Record<string, unknown>>, message: string): void
  /** Something outside went wrong, such as a provider. */
  warn(facts: Readonly<Record<string, unknown>>, message: string): void
}

export const silentLog: Log = { error: () => {}, warn: () => {} }

/** Writes errors to standard error, and no warnings. */
export const stderrLog: Log = {
  // oxlint-disable-next-line no-console -- a program that configures no log still has to hear of defects
  error: (facts, message) => console.error(`fairlead: ${message}`, facts),
  warn: () => {},
}

const intervalMs = 10_000
/** Messages are few and fixed; this bounds the memory should one ever vary. */
const maxLines = 100

/**
 * A log that writes each line about an unavailable dependency at most once in ten seconds, with the number of lines that
 * it omitted: during an outage every request would write one.
 */
export function limitOutageLines(log: Log, { now }: Pick<Clock, 'now'>): Log {
  const lines = new Map<string, { readonly writtenAt: number; omitted: number }>()

  function limited(write: Log['warn']): Log['warn'] {
    return (facts, message) => {
      const { error } = facts
      if (!(error instanceof FairleadError) || error.code !== 'SERVICE_UNAVAILABLE') return write(facts, message)
      const name = `${message}: ${error.message}`
      const last = lines.get(name)
      // A clock that was set back must not silence the log.
      if (last && Math.abs(now() - last.writtenAt) < intervalMs) return void (last.omitted += 1)
      if (lines.size >= maxLines) lines.clear()
      lines.set(name, { writtenAt: now(), omitted: 0 })
      write(last && last.omitted > 0 ? { ...facts, omitted: last.omitted } : facts, message)
    }
  }

  return {
    error: limited((facts, message) => log.error(facts, message)),
    warn: limited((facts, message) => log.warn(facts, message)),
  }
}
