import { openSync, write, writeSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccessLogRecord, Log, Observer } from '@fairlead/core'
import { ProviderError } from '@fairlead/core/provider'
import { type DestinationStream, type Logger, stdSerializers } from 'pino'

export interface LogDestinationOptions {
  /** Lines that do not fit into a buffer of so many characters are dropped. Default: 4,194,304. */
  readonly maxBufferLength?: number
}

/** The destination of log lines. */
export interface LogDestination extends DestinationStream {
  /** Lines that could not be written, because nobody reads them or the disk is full. */
  readonly dropped: number
  /** Writes buffered lines at once, as far as they are read within a second. */
  flushSync(): void
  /**
   * Writes buffered lines, as far as they are read within a second.
   *
   * @returns false if the system still writes: then Node cannot exit, because it waits for that
   */
  close(): Promise<boolean>
}

/** How long a line is buffered, in milliseconds. Writing each line on its own costs more than everything else about it. */
const maxBufferMs = 50
/** Lines of this length are written at once. */
const minWriteLength = 32_768
/** How long to wait until a full pipe is tried again, in milliseconds. */
const retryMs = 50
/** How long the last lines may take, in milliseconds. */
const maxFlushMs = 1_000

/** Lines that are being written. */
interface Batch {
  readonly lines: number
  readonly length: number
  readonly bytes: Buffer
  readonly startedAt: number
  written: number
  /** Whether the pipe is full, so that nothing is being written until the next attempt. */
  isWaiting: boolean
}

/**
 * Writes log lines in batches to a file path or an open descriptor. Buffered lines are written when the process exits.
 * Throws if the file cannot be opened.
 *
 * Not pino's own destination, because sonic-boom 4.2.1 retries its last flush for ever if the pipe is closed.
 */
export function logDestination(
  dest: string | number,
  { maxBufferLength = 4_194_304 }: LogDestinationOptions = {},
): LogDestination {
  // Opened synchronously, so that no buffered line can be lost.
  const fd = typeof dest === 'string' ? openSync(dest, 'a', 0o600) : dest
  // Node makes a pipe non-blocking when it opens the stream. A blocked write would occupy a thread, and prevent the exit.
  if (fd === 1) void process.stdout
  let lines: string[] = []
  /** Of all lines, including those that are being written. */
  let length = 0
  let dropped = 0
  let batch: Batch | undefined
  /** Of the next batch, or of the next attempt to write the current one. */
  let timer: NodeJS.Timeout | undefined
  let onIdle: (() => void) | undefined

  function writeBatch(): void {
    clearTimeout(timer)
    timer = undefined
    batch = takeBatch()
    writeRest(batch)
  }

  function takeBatch(): Batch {
    const text = lines.join('')
    const count = lines.length
    lines = []
    return {
      lines: count,
      length: text.length,
      bytes: Buffer.from(text),
      startedAt: performance.now(),
      written: 0,
      isWaiting: false,
    }
  }

  function writeRest(current: Batch): void {
    current.isWaiting = false
    write(fd, current.bytes, current.written, (error, count) => {
      if (error?.code === 'EAGAIN') {
        current.isWaiting = true
        timer = setTimeout(writeRest, retryMs, current).unref()
        return
      }
      current.written += count ?? 0
      if (!error && current.written < current.bytes.length) return writeRest(current)
      if (error) dropped += current.lines
      length -= current.length
      batch = undefined
      if (lines.length > 0) writeBatch()
      else onIdle?.()
    })
  }

  function flushSync(): void {
    const now = performance.now()
    // A write that takes so long is blocked, and another one would be too.
    if (batch && !batch.isWaiting && now - batch.startedAt > maxFlushMs) return
    const latest = now + maxFlushMs
    if (batch?.isWaiting) {
      batch.written = writeUntil(fd, batch, latest)
      if (batch.written < batch.bytes.length) return
    }
    if (lines.length === 0) return
    const rest = takeBatch()
    length -= rest.length
    if (writeUntil(fd, rest, latest) < rest.bytes.length) dropped += rest.lines
  }

  process.on('exit', flushSync)
  return {
    get dropped() {
      return dropped
    },
    write(line) {
      if (length + line.length > maxBufferLength) {
        dropped += 1
        return
      }
      length += line.length
      lines.push(line)
      if (batch) return
      if (length >= minWriteLength) writeBatch()
      else timer ??= setTimeout(writeBatch, maxBufferMs).unref()
    },
    flushSync,
    async close() {
      if (!batch && lines.length > 0) writeBatch()
      if (batch) await settledWithin(maxFlushMs, (settle) => (onIdle = settle))
      // The rest cannot be written in time.
      clearTimeout(timer)
      lines = []
      // An attempt to write to a full pipe ends at once, unless a process that shared the pipe has exited: Node then makes it
      // blocking again.
      if (batch && !batch.isWaiting) await sleep(retryMs)
      return !batch || batch.isWaiting
    },
  }
}

/** Blocks the process until the bytes are written, the time is over, or writing fails. Returns how many are written. */
function writeUntil(fd: number, { bytes, written: from }: Batch, latest: number): number {
  let written = from
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > latest) break
      Atomics.wait(pause, 0, 0, retryMs)
    }
  }
  return written
}

const pause = new Int32Array(new SharedArrayBuffer(4))

function settledWithin(ms: number, start: (settle: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    start(() => {
      clearTimeout(timer)
      resolve()
    })
  })
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

/** Requested every few seconds, by machines. */
export const monitoringRoutes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Logs each request. @param fieldsOf further fields of a line, such as the ids of its trace. Default: none */
export function accessLog(
  logger: Pick<Logger, 'debug' | 'info' | 'error'>,
  fieldsOf?: (response: ServerResponse | undefined) => object,
): Observer {
  return {
    requestEnded(record, response) {
      logger[chooseLevel(record)](fieldsOf ? { ...record, ...fieldsOf(response) } : record, 'request completed')
    },
  }
}

function chooseLevel({ status, route }: AccessLogRecord): 'debug' | 'info' | 'error' {
  if (monitoringRoutes.has(route)) return 'debug'
  return status >= 500 ? 'error' : 'info'
}

/** The log of core, in the lines of the service. */
export function coreLog(logger: Logger): Log {
  return {
    error: ({ error, ...facts }, message) => logger.error({ ...facts, err: error }, message),
    warn: ({ error, ...facts }, message) => logger.warn({ ...facts, err: error }, message),
    info: (facts, message) => logger.info(facts, message),
  }
}
