import type { StreamEvent } from './envelope.ts'
import { FairleadError } from '../errors.ts'
import type { ChunkSource, Operation } from '../operation.ts'
import { checkOutput, replyWithFailure, toSuccess } from './reply.ts'
import type { OperationCall, Runtime } from './runtime.ts'
import { settle, settleFailure, settleOrQueue } from './settlement.ts'
import { closeIterator } from './task.ts'

type Stream = NonNullable<Extract<Operation, { kind: 'action' }>['stream']>
type Source = ChunkSource<unknown, unknown>
type Delivered = IteratorResult<StreamEvent<unknown, unknown>, undefined>

const asIs = (value: unknown) => value
const over: Delivered = { done: true, value: undefined }

/**
 * The one iterator from the items of a stream to its adapter. It settles the run once: with the first that happens of its
 * end, a failure, and its close by the reader or the caller, even if no one reads it.
 */
export class StreamDelivery implements AsyncIterableIterator<StreamEvent<unknown, unknown>, undefined, undefined> {
  readonly #runtime: Runtime
  readonly #call: OperationCall
  #source: Source | undefined = undefined
  /** The first chunk, until it is read. */
  #first: Promise<IteratorResult<unknown, unknown>> | undefined = undefined
  #beginning: Promise<unknown> | undefined = undefined
  #isOver = false
  #settling: Promise<unknown> | undefined = undefined

  constructor(runtime: Runtime, call: OperationCall) {
    this.#runtime = runtime
    this.#call = call
  }

  /** Resolves with the first chunk. Rejects, and settles the run, if there is none. */
  async begin(stream: Stream, plan: unknown): Promise<void> {
    this.#first = this.#readFirst(stream, plan)
    this.#beginning = this.#first
    await this.#first
    this.#beginning = undefined
    this.#call.follow(this)
  }

  async next(): Promise<Delivered> {
    if (this.#isOver) return over
    try {
      const first = this.#first
      this.#first = undefined
      if (!first) this.#call.throwIfAborted()
      const next = await (first ?? this.#read())
      if (!next.done) return { done: false, value: { type: 'chunk', chunk: next.value } }
      const data = checkOutput(this.#call.operation, this.#source!.result(next.value))
      await this.#settle(() => this.#succeed(data))
      return this.#last({ type: 'done', reply: toSuccess(this.#call, data) })
    } catch (error) {
      await this.#breakOff()
      return this.#last({
        type: 'error',
        reply: await replyWithFailure(this.#runtime, this.#call, error),
      })
    }
  }

  /** Ends the work as soon as the reader leaves, even while `next` is pending or before it was called. */
  async return(): Promise<Delivered> {
    if (this.#isOver) return over
    this.#isOver = true
    this.#call.abort(new FairleadError('SERVICE_UNAVAILABLE', 'Client closed the stream.'))
    this.#call.end()
    // A stream that has not begun fails, and is not charged.
    await this.#beginning?.catch(() => {})
    await this.#breakOff()
    return over
  }

  /** The call was aborted after the stream had begun. */
  abort(): void {
    closeIterator(this.#source?.items)
    void this.#breakOff()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #readFirst(stream: Stream, plan: unknown): Promise<IteratorResult<unknown, unknown>> {
    const call = this.#call
    try {
      const first = await call.race(this.#open(stream, plan))
      if (!first.done) call.firstChunkAt = this.#runtime.clock.now()
      return first
    } catch (error) {
      const publicError = await this.#settle(() => settleFailure(this.#runtime, call, error))
      call.close()
      throw publicError
    }
  }

  async #open(stream: Stream, plan: unknown): Promise<IteratorResult<unknown, unknown>> {
    const opened = stream.run(this.#call.services, this.#call, plan)
    // Of a generator, the items are the chunks, and the end is the result.
    this.#source = opened instanceof Promise ? await opened : { items: opened, toChunk: asIs, result: asIs }
    return this.#read()
  }

  /** The next item that shows something. */
  async #read(): Promise<IteratorResult<unknown, unknown>> {
    const source = this.#source!
    const { items } = source
    for (;;) {
      const next = await items.next()
      if (next.done) return next
      const chunk = source.toChunk(next.value)
      if (chunk !== undefined) return { done: false, value: chunk }
    }
  }

  #last(event: StreamEvent<unknown, unknown>): Delivered {
    this.#isOver = true
    this.#call.close()
    return { done: false, value: event }
  }

  /** If the result cannot be stored, the stream is settled as one that broke off. */
  async #succeed(data: unknown): Promise<void> {
    try {
      await settle(this.#runtime, this.#call, data)
    } catch (error) {
      await this.#settlePartial()
      throw error
    }
  }

  /** Never rejects. */
  #breakOff(): Promise<unknown> {
    return this.#settle(() => this.#settlePartial()).catch(() => {})
  }

  #settlePartial(): Promise<void> {
    return settleOrQueue(this.#runtime, this.#call, { outcome: 'partial', charged: true })
  }

  /** Settles the run once, in the way that comes first. */
  #settle(how: () => Promise<unknown>): Promise<unknown> {
    return (this.#settling ??= how().finally(() => {
      this.#call.report(this.#runtime.observer)
      this.#runtime.inFlight.end()
    }))
  }
}
