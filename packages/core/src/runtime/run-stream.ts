import { type Deadline, setDeadline } from './deadline.ts'
import type { Clock } from './clock.ts'
import type { StreamEvent, Streaming, Success } from './envelope.ts'
import { FairleadError } from './errors.ts'
import type { Operation } from './operation.ts'
import { openSettlement, type Settlement } from './settlement.ts'
import { replay } from './idempotency.ts'
import type { Services } from './call.ts'
import { checkOutput, toPublicError, replyWithFailure, metaOf, toSuccess } from './reply.ts'
import type { Runtime, Run } from './run-state.ts'

type InferenceOperation = Extract<Operation, { kind: 'inference' }>
type Chunks = AsyncGenerator<unknown, unknown, undefined>
type Events = AsyncGenerator<StreamEvent<unknown, unknown>, void, undefined>

/**
 * Begins the stream with the first chunk, or after `firstChunkMs` without one. A failure before the first chunk is free of
 * charge: an ordinary failure, or an `error` event if the stream has begun. From the first chunk on, the unit is charged.
 * The run is settled once: when the stream ends, fails, or is closed, even if no one reads it. It has no time limit of its
 * own, because the router limits how long each item may take.
 */
export async function runStream(
  runtime: Runtime,
  services: Services,
  stream: NonNullable<InferenceOperation['stream']>,
  run: Run,
  plan: unknown,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  const settlement = await openSettlement(runtime, services, run)
  if ('existing' in settlement) return replay(runtime, services, run, settlement.existing, stream)
  const lifetime = setDeadline(runtime.clock, Infinity, run.signal, streamEnded)
  const chunks = stream.run(services, { ...run, signal: lifetime.signal }, plan)
  const first = firstOf(chunks, runtime, run, settlement, lifetime)
  const begun = first.then(() =>
    whenAborted(lifetime.signal, () => {
      void chunks.return(undefined).catch(() => {})
      void settlement.breakOff()
    }),
  )
  await settledOrLate(begun, runtime.clock, run.firstChunkMs)
  watchAccess(runtime, run, lifetime, recheckEveryMs)
  return {
    success: true,
    events: endOnReturn(deliver(first, chunks, { runtime, services, run, settlement, lifetime }), lifetime),
    meta: metaOf(run),
    ...(run.limits && { limits: run.limits }),
    ...(run.burst && { burst: run.burst }),
  }
}

/** A longer subscription is ended. Its caller opens it again after the last item it received. */
const maxSubscriptionMs = 86_400_000

/** Streams the items of a subscription until the caller closes it, its access ends, or the service shuts down. */
export async function runSubscription(
  runtime: Runtime,
  services: Services,
  operation: Extract<Operation, { kind: 'subscription' }>,
  run: Run,
  plan: unknown,
): Promise<Streaming<unknown, unknown>> {
  const { clock, subscriptions } = runtime
  const lifetime = setDeadline(clock, maxSubscriptionMs, run.signal, streamEnded)
  const end = () => lifetime.end(streamEnded())
  const items = operation.subscribe(services, { ...run, signal: lifetime.signal }, plan)

  async function* deliverItems(): Events {
    try {
      for await (const item of items) yield { type: 'chunk', chunk: checkOutput(operation, item) }
      lifetime.signal.throwIfAborted()
    } catch (error) {
      yield { type: 'error', reply: await replyWithFailure(runtime, services, run, error) }
    } finally {
      subscriptions.delete(end)
      lifetime.end()
    }
  }

  subscriptions.add(end)
  watchAccess(runtime, run, lifetime, recheckSubscriptionEveryMs)
  return { success: true, events: endOnReturn(deliverItems(), lifetime), meta: metaOf(run) }
}

function streamEnded(): FairleadError {
  return new FairleadError('SERVICE_UNAVAILABLE', 'The service ended the stream. Open it again.', {
    retryAfterMs: 1_000,
  })
}

/** Settles as the work does, or resolves after `ms` milliseconds. */
function settledOrLate(work: Promise<void>, clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (ms === 0) resolve()
    const cancel = clock.schedule(ms, resolve)
    work.then(resolve, reject).finally(cancel)
  })
}

async function firstOf(
  chunks: Chunks,
  { clock, log }: Runtime,
  run: Run,
  settlement: Settlement,
  lifetime: Deadline,
): Promise<IteratorResult<unknown, unknown>> {
  try {
    const first = await lifetime.race(chunks.next())
    if (!first.done) run.firstChunkAt = clock.now()
    return first
  } catch (error) {
    lifetime.end()
    const publicError = toPublicError(log, run, error)
    await settlement.fail(publicError)
    throw publicError
  }
}

interface Delivery {
  readonly runtime: Runtime
  readonly services: Services
  readonly run: Run
  readonly settlement: Settlement
  readonly lifetime: Deadline
}

async function* deliver(
  first: Promise<IteratorResult<unknown, unknown>>,
  chunks: Chunks,
  { runtime, services, run, settlement, lifetime }: Delivery,
): Events {
  try {
    let next = await first
    for (; !next.done; next = await chunks.next()) {
      yield { type: 'chunk', chunk: next.value }
      lifetime.signal.throwIfAborted()
    }
    const data = checkOutput(run.operation, next.value)
    await settlement.succeed(data)
    yield { type: 'done', reply: toSuccess(run, data) }
  } catch (error) {
    await settlement.breakOff()
    yield { type: 'error', reply: await replyWithFailure(runtime, services, run, error) }
  } finally {
    lifetime.end()
    await settlement.breakOff()
  }
}

/** Ends the work as soon as the reader calls `return`, even while `next` is pending or before it was called. */
function endOnReturn(events: Events, lifetime: Deadline): AsyncIterableIterator<StreamEvent<unknown, unknown>> {
  return {
    next: () => events.next(),
    return() {
      lifetime.end(new FairleadError('SERVICE_UNAVAILABLE', 'Client closed the stream.'))
      return events.return()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** How often the caller's credentials are checked again during a stream. */
const recheckEveryMs = 15_000
/** A subscription can last a day and yields other users' records, so it ends sooner. */
const recheckSubscriptionEveryMs = 4_000

/** Ends the stream if the caller's credentials are revoked or the user is suspended: at once if this node did that. */
function watchAccess({ clock, authenticator }: Runtime, run: Run, lifetime: Deadline, everyMs: number): void {
  const { recheck, caller } = run
  if (!recheck) return
  const check = async () => {
    try {
      await recheck()
    } catch (error) {
      // An unavailable store does not mean that the credentials are invalid.
      if (error instanceof FairleadError && accessErrors.has(error.code)) return lifetime.end(error)
    }
    if (!lifetime.signal.aborted) wait()
  }
  let cancel: () => void = () => {}
  const wait = () => {
    cancel()
    cancel = clock.schedule(everyMs, () => void check())
  }
  const unwatch = caller.kind === 'account' ? authenticator?.onChange?.(caller, () => void check()) : undefined
  whenAborted(lifetime.signal, () => {
    cancel()
    unwatch?.()
  })
  if (!lifetime.signal.aborted) wait()
}

const accessErrors: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'FORBIDDEN'])

function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act, { once: true })
}
