import { AccessWatch } from './access-watch.ts'
import type { Credentials } from '../access.ts'
import { holdEventStream, releaseLimits, reserve } from './admission.ts'
import type { AnyReply, StreamEvent, Streaming } from './envelope.ts'
import { FairleadError } from '../errors.ts'
import { replay } from './idempotency.ts'
import type { Operation } from '../operation.ts'
import { checkOutput, metaOf, replyWithFailure, toPublicError } from './reply.ts'
import type { OperationCall, Prepared, Runtime, Stream } from './runtime.ts'
import { StreamDelivery } from './stream-delivery.ts'

type Events = AsyncGenerator<StreamEvent<unknown, unknown>, void, undefined>

/** Proxies and clients time out on a response that sends nothing for too long. */
const defaultFirstChunkMs = 5_000

/**
 * Begins the stream with the first chunk, or after `firstChunkMs` without one. A failure before the first chunk is free of
 * charge: an ordinary failure, or an `error` event if the stream has begun. From the first chunk on, the unit is charged.
 * The run is settled once: when the stream ends, fails, or is closed, even if no one reads it. It has no time limit of its
 * own, because the router limits how long each item may take.
 */
export async function runStream(
  runtime: Runtime,
  stream: Stream,
  call: OperationCall,
  credentials: Credentials,
  prepared: Prepared,
): Promise<AnyReply> {
  const reserved = await reserve(runtime, call, prepared)
  if ('existing' in reserved) return replay(runtime, call, reserved.existing, prepared.accepted)
  call.inFlight.begin()
  const delivery = new StreamDelivery(runtime, call, reserved)
  const failure = await settledOrLate(delivery.begin(stream), runtime, call)
  if (failure) return failure
  AccessWatch.start(runtime, call, credentials)
  return {
    success: true,
    events: delivery,
    meta: metaOf(call),
    ...(call.limits && { limits: call.limits }),
    ...(call.burst && { burst: call.burst }),
  }
}

/** A longer subscription is ended. Its caller opens it again after the last item it received. */
const maxSubscriptionMs = 86_400_000

/** Streams the items of a subscription until the caller closes it, its access ends, or the service shuts down. */
export async function runSubscription(
  runtime: Runtime,
  operation: Extract<Operation, { kind: 'subscription' }>,
  call: OperationCall,
  credentials: Credentials,
  plan: unknown,
): Promise<Streaming<unknown, unknown>> {
  const { deadlines, subscriptions } = runtime
  await holdEventStream(runtime, call)
  const items = operation.subscribe(call.services, call, plan)

  async function* deliverItems(): Events {
    try {
      for await (const item of items) yield { type: 'chunk', chunk: checkOutput(operation, item) }
      call.throwIfAborted()
    } catch (error) {
      const publicError = toPublicError(runtime.log, call, error)
      yield { type: 'error', reply: await replyWithFailure(runtime, call, publicError) }
    } finally {
      subscriptions.delete(call)
      deadlines.remove(call)
      call.close()
      call.report(runtime.observer)
    }
  }

  subscriptions.add(call)
  deadlines.set(call, maxSubscriptionMs)
  AccessWatch.start(runtime, call, credentials)
  const { held } = call
  if (held) call.follow({ abort: () => releaseLimits(runtime, call, held) })
  return { success: true, events: endOnReturn(deliverItems(), call), meta: metaOf(call) }
}

/** Settles as the work does, or resolves when the stream has waited long enough for its first chunk. */
function settledOrLate<Result>(
  work: Promise<Result>,
  { deadlines }: Runtime,
  { options }: OperationCall,
): Promise<Result | undefined> {
  const { firstChunkMs = defaultFirstChunkMs } = options
  return new Promise((resolve, reject) => {
    if (firstChunkMs === 0) resolve(undefined)
    const timeout = deadlines.after(firstChunkMs, () => resolve(undefined))
    work.then(resolve, reject).finally(() => deadlines.remove(timeout))
  })
}

/** Ends the work as soon as the reader calls `return`, even while `next` is pending or before it was called. */
function endOnReturn(events: Events, call: OperationCall): AsyncIterableIterator<StreamEvent<unknown, unknown>> {
  return {
    next: () => events.next(),
    return() {
      call.abort(new FairleadError('SERVICE_UNAVAILABLE', 'Client closed the stream.'))
      return events.return()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
