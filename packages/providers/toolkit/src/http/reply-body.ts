import { type Clock, ended, PolledIterator, ProviderError } from '@fairlead/core/provider'

/** Unread bytes above which the sender is paused. */
const maxUnread = 64 * 1024
/** Unread bytes at which it resumes. Pausing for each chunk would cost more than the chunk. */
const resumeBelow = maxUnread / 2

/** How a reader controls the connection. */
export interface ConnectionControl {
  pause(): void
  resume(): void
  /** Ends the connection. */
  abort(): void
  /** Gives the upstream a moment to end the reply. */
  awaitEnd(): void
}

/** The body of a reply, chunk by chunk, for one reader, with backpressure. */
export class ReplyBody extends PolledIterator<Buffer> {
  readonly #connection: ConnectionControl
  readonly #unread: Buffer[] = []
  #unreadBytes = 0
  #isFull = false
  #waiting: Promise<void> | undefined
  #wake = () => {}
  #outcome: { readonly error?: unknown } | undefined
  #isLeft = false

  constructor(connection: ConnectionControl) {
    super()
    this.#connection = connection
  }

  /** Whether the sender is paused, so that its silence is no timeout. */
  get isFull(): boolean {
    return this.#isFull
  }

  push(piece: Buffer): void {
    if (this.#isLeft) {
      this.#connection.abort()
      return
    }
    this.#unread.push(piece)
    this.#unreadBytes += piece.length
    this.#arrived()
    if (this.#unreadBytes <= maxUnread) return
    this.#isFull = true
    this.#connection.pause()
  }

  end(): void {
    this.#outcome ??= {}
    this.#arrived()
  }

  /** Bytes that arrived before are still read. */
  fail(error: unknown): void {
    this.#outcome ??= { error }
    this.#arrived()
  }

  poll(): IteratorResult<Buffer, undefined> | undefined {
    const piece = this.#unread.shift()
    if (piece) {
      this.#unreadBytes -= piece.length
      if (this.#isFull && this.#unreadBytes <= resumeBelow) {
        this.#isFull = false
        this.#connection.resume()
      }
      return { done: false, value: piece }
    }
    if (!this.#outcome) return undefined
    if ('error' in this.#outcome) throw this.#outcome.error
    return ended
  }

  /** The first bytes that have arrived and were not read. */
  peek(): Buffer | undefined {
    return this.#unread[0]
  }

  /** The whole body, if it has arrived, and in one piece of at most so many bytes. */
  takeWhole(maxBytes: number): Buffer | undefined {
    const piece = this.#unread[0]
    const hasEnded = this.#outcome && !('error' in this.#outcome)
    if (!hasEnded || !piece || this.#unread.length > 1 || piece.length > maxBytes) return undefined
    this.#unread.length = 0
    return piece
  }

  ready(): Promise<void> {
    if (this.#unread.length > 0 || this.#outcome) return Promise.resolve()
    return (this.#waiting ??= new Promise((resolve) => (this.#wake = resolve)))
  }

  /** Abandons the body and closes the connection, which ends the upstream's work. */
  return(): Promise<IteratorResult<Buffer, undefined>> {
    if (!this.#outcome) {
      this.end()
      this.#connection.abort()
    }
    this.#unread.length = 0
    return Promise.resolve(ended)
  }

  /** Stops reading after the last event. If the upstream then ends the reply soon, the connection is reused. */
  finish(): void {
    if (this.#outcome) return
    this.#isLeft = true
    this.#unread.length = 0
    this.#unreadBytes = 0
    this.#isFull = false
    this.#connection.resume()
    this.#connection.awaitEnd()
  }

  #arrived(): void {
    this.#waiting = undefined
    this.#wake()
  }
}

/** The form of a reply by its first bytes. */
export type ReplyForm = 'events' | 'json' | 'other'

const fieldStarts = ['data:', 'event:', 'id:', 'retry:', ':']
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])
const longestField = 8

/** The form of a reply by its first bytes, whatever its headers say. Undefined if they are only space, or a byte order mark. */
export function sniffForm(bytes: Buffer): ReplyForm | undefined {
  let start = 0
  while (blanks.has(bytes[start]!)) start++
  if (start === bytes.length) return undefined
  const first = bytes.toString('latin1', start, start + longestField)
  if (first.startsWith('{') || first.startsWith('[')) return 'json'
  return fieldStarts.some((field) => first.startsWith(field) || field.startsWith(first)) ? 'events' : 'other'
}

const noConnection: ConnectionControl = { pause() {}, resume() {}, abort() {}, awaitEnd() {} }

/** A body that has arrived. */
export function createBody(bytes: Buffer): ReplyBody {
  const body = new ReplyBody(noConnection)
  body.push(bytes)
  body.end()
  return body
}

/** The whole body. A body of more than `maxBytes` is abandoned. */
export async function readBytes(body: ReplyBody, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for (;;) {
    const { done, value } = body.poll() ?? (await body.next())
    if (done) break
    size += value.length
    if (size > maxBytes) {
      void body.return()
      throw new ProviderError('give_up', `the reply has more than ${maxBytes} bytes`)
    }
    pieces.push(value)
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)
}

const maxSampleBytes = 64 * 1024
const maxSampleMs = 5_000

/**
 * The beginning of a body, for messages: what arrives before it breaks off, and within five seconds.
 */
export async function readSome(body: ReplyBody, clock: Clock): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  const cancel = clock.schedule(maxSampleMs, () => void body.return())
  try {
    for await (const piece of body) {
      pieces.push(piece)
      size += piece.length
      if (size >= maxSampleBytes) break
    }
  } catch {
    // A part of the body is enough.
  } finally {
    cancel()
  }
  return Buffer.concat(pieces).subarray(0, maxSampleBytes)
}
