import { openSync } from 'node:fs'
import { ProviderError } from '@fairlead/core/provider'
import { type DestinationStream, destination, stdSerializers } from 'pino'

/** The destination of log lines. */
export interface LogDestination extends DestinationStream {
  /** Writes all buffered lines at once. */
  flushSync(): void
}

/** How long a line is buffered, in milliseconds. Writing each line on its own costs more than everything else about it. */
const maxBufferMs = 50
const minWriteBytes = 32_768
const maxWriteBytes = 65_536

/**
 * Writes log lines in batches to a file path or an open descriptor. Buffered lines are written when the process exits.
 * Throws if the file cannot be opened.
 *
 * pino's destination concatenates its whole buffer for each line, so it receives the lines of one event loop turn as one.
 */
export function logDestination(dest: string | number): LogDestination {
  // Opened synchronously, so that no buffered line can be lost.
  const fd = typeof dest === 'string' ? openSync(dest, 'a', 0o600) : dest
  const file = destination({
    fd,
    sync: false,
    minLength: minWriteBytes,
    maxWrite: maxWriteBytes,
    periodicFlush: maxBufferMs,
  })
  let lines: string[] = []

  function passOn(): void {
    if (lines.length > 0) file.write(lines.join(''))
    lines = []
  }

  function flushSync(): void {
    passOn()
    file.flushSync()
  }

  process.on('exit', flushSync)
  return {
    write(line) {
      if (lines.push(line) === 1) setImmediate(passOn)
    },
    flushSync,
  }
}

/**
 * Serializes an error for the log. A failure of a provider has no stack: its message is enough, and an upstream that is
 * down causes thousands of them.
 */
export function errorRecord(error: unknown): unknown {
  const record = stdSerializers.err(error as Error)
  if (!(error instanceof ProviderError)) return record
  const { stack: _stack, ...facts } = record
  return facts
}
