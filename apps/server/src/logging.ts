import { openSync } from 'node:fs'
import { ProviderError } from '@fairlead/core/provider'
import { type DestinationStream, destination, stdSerializers } from 'pino'

/** Where log lines go. */
export interface LogDestination extends DestinationStream {
  /** Has all that waits written at once. */
  flushSync(): void
}

/** A line may wait so long for others, in milliseconds: a write for each costs more than all else that a line costs. */
const longestWaitMs = 50
const enoughBytes = 32_768
const mostBytes = 65_536

/**
 * Writes log lines, many at a time, to a file's path or to a descriptor that is open; what still waits is written when
 * the process exits. Throws where the file can't be opened.
 *
 * pino's own destination puts all that waits together anew for each line: it gets those of a turn of the event loop as one.
 */
export function logDestination(dest: string | number): LogDestination {
  // Opened at once, so that nothing that waits for it can be lost.
  const fd = typeof dest === 'string' ? openSync(dest, 'a', 0o600) : dest
  const file = destination({
    fd,
    sync: false,
    minLength: enoughBytes,
    maxWrite: mostBytes,
    periodicFlush: longestWaitMs,
  })
  let lines: string[] = []

  function handOver(): void {
    if (lines.length > 0) file.write(lines.join(''))
    lines = []
  }

  function flushSync(): void {
    handOver()
    file.flushSync()
  }

  process.on('exit', flushSync)
  return {
    write(line) {
      if (lines.push(line) === 1) setImmediate(handOver)
    },
    flushSync,
  }
}

/**
 * An error as the log has it. What a provider tells of its upstream is no defect: its message says all, and an upstream that
 * is down makes thousands of them. Any other error has its stack.
 */
export function errorRecord(error: unknown): unknown {
  const record = stdSerializers.err(error as Error)
  if (!(error instanceof ProviderError)) return record
  const { stack: _stack, ...facts } = record
  return facts
}
