import { releaseLimits } from './admission.ts'
import type { Failure, StreamEvent } from './envelope.ts'
import { FairleadError } from '../errors.ts'
import type { ChunkSource } from '../operation.ts'
import { checkOutput, replyWithFailure, toPublicError, toSuccess } from './reply.ts'
import type { OperationCall, Reserved, Runtime, Stream } from './runtime.ts'
import { settle, settleFailure, settleOrQueue } from './settlement.ts'
import { ended, PolledIterator, polled } from '../polled.ts'
import { closeIterator } from './task.ts'

type Source = ChunkSource<unknown, unknown>
type Delivered = IteratorResult<StreamEvent<unknown, unknown>, undefined>

const asIs = (value: unknown) => value

/**
 * The one iterator from the items of a stream to its adapter. It settles the run once: with the first that happens of its
 * end, a failure, and its close by the reader or the caller, even if no one reads it.
 */
export class StreamDelivery extends PolledIterator<StreamEvent<unknown, unknown>> {
  readonly #runtime: Runtime
  readonly #call: OperationCall
  readonly #reserved: Reserved
  #source: Source | undefined = undefined
  #items: PolledIterator<unknown, unknown> | undefined = undefined
  /** The first chunk, until it is read. */
  #first: IteratorResult<unknown, unknown> | undefined = undefined
  /** Until the stream has begun or failed. Never rejects. */
  #beginning: Promise<Failure | undefined> | undefined = undefined
  #ending: Promise<void> | undefined = undefined
  /** The last event, until it is read. */
  #last: Delivered | undefined = undefined
  #isOver = false
  #settling: Promise<Failure | undefined> | undefined = undefined

  constructor(runtime: Runtime, call: OperationCall, reserved: Reserved) {
    super()
    this.#runtime = runtime
    this.#call = call
    this.#reserved = reserved
  }

  /** Resolves once the first chunk can be read. Resolves with a failure, which is settled, if there is none. */
  async begin(stream: Stream): Promise<Failure | undefined> {
    this.#beginning = this.#readFirst(stream)
    const failure = await this.#beginning
    this.#beginning = undefined
    if (failure) this.#end({ type: 'error', reply: failure })
    else this.#call.follow(this)
    return failure
  }

  poll(): Delivered | undefined {
    if (this.#isOver) return ended
    if (this.#last) {
      this.#isOver = true
      return this.#last
    }
    if (this.#beginning || this.#ending) return undefined
    try {
      const next = this.#next()
      if (!next) return undefined
      if (!next.done) return { done: false, value: { type: 'chunk', chunk: next.value } }
      this.#ending = this.#complete(next.value)
    } catch (error) {
      this.#ending = this.#fail(error)
    }
    return undefined
  }

  ready(): Promise<unknown> {
    return this.#ending ?? this.#beginning ?? this.#items?.ready() ?? Promise.resolve()
  }

  /** Ends the work as soon as the reader leaves, even while `next` is pending or before it was called. */
  async return(): Promise<Delivered> {
    if (this.#isOver) return ended
    this.#isOver = true
    this.#call.leave(new FairleadError('SERVICE_UNAVAILABLE', 'Client closed the stream.'))
    this.#call.end()
    // A stream that has not begun fails.
    await this.#beginning
    await this.#recordPartialUsage()
    return ended
  }

  /** The call was aborted after the stream had begun. */
  abort(reason: unknown): void {
    closeIterator(this.#items)
    void this.#recordPartialUsage(reason instanceof FairleadError ? reason : undefined)
  }

  async #readFirst(stream: Stream): Promise<Failure | undefined> {
    const call = this.#call
    try {
      const first = await call.race(this.#open(stream))
      if (!first.done) call.firstChunkAt = this.#runtime.clock.now()
      this.#first = first
      return undefined
    } catch (error) {
      return this.#settle(() => settleFailure(this.#runtime, call, this.#reserved, error))
    }
  }

  async #open(stream: Stream): Promise<IteratorResult<unknown, unknown>> {
    const opened = stream.run(this.#call.services, this.#call, this.#reserved)
    // Of a generator, the items are the chunks, and the end is the result.
    const source = opened instanceof Promise ? await opened : { items: opened, toChunk: asIs, result: asIs }
    const items = polled<unknown, unknown>(source.items)
    this.#source = source
    this.#items = items
    for (;;) {
      const first = this.#read(items, source)
      if (first) return first
      await items.ready()
    }
  }

  #next(): IteratorResult<unknown, unknown> | undefined {
    const first = this.#first
    this.#first = undefined
    if (first) return first
    this.#call.throwIfAborted()
    return this.#read(this.#items!, this.#source!)
  }

  /** The next chunk. Undefined if none has arrived. */
  #read(items: PolledIterator<unknown, unknown>, source: Source): IteratorResult<unknown, unknown> | undefined {
    for (;;) {
      const next = items.poll()
      if (!next || next.done) return next
      const chunk = source.toChunk(next.value)
      if (chunk !== undefined) return { done: false, value: chunk }
    }
  }

  async #complete(end: unknown): Promise<void> {
    try {
      const data = checkOutput(this.#call.operation, this.#source!.result(end))
      const failure = await this.#settle(() => this.#succeed(data))
      this.#end(failure ? { type: 'error', reply: failure } : { type: 'done', reply: toSuccess(this.#call, data) })
    } catch (error) {
      await this.#fail(error)
    }
  }

  async #fail(error: unknown): Promise<void> {
    const publicError = toPublicError(this.#runtime.log, this.#call, error)
    await this.#recordPartialUsage(publicError)
    this.#end({ type: 'error', reply: await replyWithFailure(this.#runtime, this.#call, publicError) })
  }

  #end(event: StreamEvent<unknown, unknown>): void {
    this.#last = { done: false, value: event }
    this.#ending = undefined
    this.#call.close()
  }

  /** If the result cannot be stored, the stream is settled as one that broke off. */
  async #succeed(data: unknown): Promise<Failure | undefined> {
    try {
      await settle(this.#runtime, this.#call, this.#reserved, data)
      return undefined
    } catch (error) {
      const publicError = toPublicError(this.#runtime.log, this.#call, error)
      await this.#settlePartial(publicError)
      return replyWithFailure(this.#runtime, this.#call, publicError)
    }
  }

  /** Never rejects. */
  #recordPartialUsage(error?: FairleadError): Promise<unknown> {
    return this.#settle(() => this.#settlePartial(error)).catch(() => {})
  }

  async #settlePartial(error: FairleadError | undefined): Promise<undefined> {
    const noted = this.#call.unfinished?.recordPartialUsage()
    if (noted instanceof Promise) await noted
    await settleOrQueue(this.#runtime, this.#call, this.#reserved, { outcome: 'partial', charged: true, error })
  }

  /** Settles the run once, in the way that comes first. Resolves with the reply to a failure. */
  #settle(how: () => Promise<Failure | undefined>): Promise<Failure | undefined> {
    return (this.#settling ??= how().finally(() => {
      if (this.#call.held) releaseLimits(this.#runtime, this.#call, this.#call.held)
      this.#call.report(this.#runtime.observer)
      this.#call.inFlight.end()
    }))
  }
}
