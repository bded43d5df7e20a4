/** Bytes that came and were not read yet; beyond it the sender has to wait. */
const mostUnread = 64 * 1024
/** So few are left when the sender goes on: to stop and start it for each piece costs more than the piece. */
const fewUnread = mostUnread / 2

/** What a reader may ask of the connection. */
export interface Flow {
  pause(): void
  resume(): void
  /** Ends the connection. */
  abort(): void
  /** Gives the upstream a moment to end the reply by itself. */
  awaitEnd(): void
}

type Waiting = { readonly resolve: (next: IteratorResult<Buffer>) => void; readonly reject: (error: unknown) => void }

/** The body of a reply, piece by piece, for one reader. One who reads slowly makes the sender wait. */
export class ReplyBody implements AsyncIterableIterator<Buffer, undefined> {
  readonly #flow: Flow
  readonly #unread: Buffer[] = []
  #unreadBytes = 0
  #isFull = false
  #waiting: Waiting | undefined
  #outcome: { readonly error?: unknown } | undefined
  #isLeft = false

  constructor(flow: Flow) {
    this.#flow = flow
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Whether the sender is made to wait: its silence is ours then. */
  get isFull(): boolean {
    return this.#isFull
  }

  push(piece: Buffer): void {
    if (this.#isLeft) {
      this.#flow.abort()
      return
    }
    if (this.#waiting) {
      this.#settle((waiting) => waiting.resolve({ done: false, value: piece }))
      return
    }
    this.#unread.push(piece)
    this.#unreadBytes += piece.length
    if (this.#unreadBytes <= mostUnread) return
    this.#isFull = true
    this.#flow.pause()
  }

  end(): void {
    this.#outcome ??= {}
    this.#settle((waiting) => waiting.resolve({ done: true, value: undefined }))
  }

  /** What came before is still read. */
  fail(error: unknown): void {
    this.#outcome ??= { error }
    this.#settle((waiting) => waiting.reject(error))
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const piece = this.#unread.shift()
    if (piece) {
      this.#unreadBytes -= piece.length
      if (this.#isFull && this.#unreadBytes <= fewUnread) {
        this.#isFull = false
        this.#flow.resume()
      }
      return Promise.resolve({ done: false, value: piece })
    }
    if (!this.#outcome) return new Promise((resolve, reject) => void (this.#waiting = { resolve, reject }))
    if ('error' in this.#outcome) return Promise.reject(this.#outcome.error)
    return Promise.resolve({ done: true, value: undefined })
  }

  /** Leaves early: the connection ends with it, and so does the upstream's work. */
  return(): Promise<IteratorResult<Buffer, undefined>> {
    if (!this.#outcome) {
      this.end()
      this.#flow.abort()
    }
    this.#unread.length = 0
    return Promise.resolve({ done: true, value: undefined })
  }

  /** Leaves after all that mattered. Where the upstream ends the reply in a moment, the connection is used again. */
  finish(): void {
    if (this.#outcome) return
    this.#isLeft = true
    this.#unread.length = 0
    this.#unreadBytes = 0
    this.#isFull = false
    this.#flow.resume()
    this.#flow.awaitEnd()
  }

  #settle(how: (waiting: Waiting) => void): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) how(waiting)
  }
}
