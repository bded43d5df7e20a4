import { type Account, authorize } from '../access.ts'
import type { StreamEvent, Streaming, Success } from './envelope.ts'
import { FairleadError } from '../errors.ts'
import { replay } from './idempotency.ts'
import { requireNetwork } from '../key-limits.ts'
import type { Operation } from '../operation.ts'
import { checkOutput, metaOf, replyWithFailure } from './reply.ts'
import type { OperationCall, Runtime } from './runtime.ts'
import { reserve } from './settlement.ts'
import { StreamDelivery } from './stream-delivery.ts'
import { Task } from './task.ts'

type Action = Extract<Operation, { kind: 'action' }>
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
  stream: NonNullable<Action['stream']>,
  call: OperationCall,
  plan: unknown,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  const existing = await reserve(runtime, call, plan)
  if (existing) return replay(runtime, call, existing, stream)
  call.inFlight.begin()
  const delivery = new StreamDelivery(runtime, call)
  await settledOrLate(delivery.begin(stream, plan), runtime, call)
  AccessWatch.start(runtime, call, recheckEveryMs)
  call.isOpen = true
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
  plan: unknown,
): Promise<Streaming<unknown, unknown>> {
  const { deadlines, subscriptions } = runtime
  const items = operation.subscribe(call.services, call, plan)

  async function* deliverItems(): Events {
    try {
      for await (const item of items) yield { type: 'chunk', chunk: checkOutput(operation, item) }
      call.throwIfAborted()
    } catch (error) {
      yield { type: 'error', reply: await replyWithFailure(runtime, call, error) }
    } finally {
      subscriptions.delete(call)
      deadlines.remove(call)
      call.close()
      call.report(runtime.observer)
    }
  }

  subscriptions.add(call)
  deadlines.set(call, maxSubscriptionMs)
  AccessWatch.start(runtime, call, recheckSubscriptionEveryMs)
  call.isOpen = true
  return { success: true, events: endOnReturn(deliverItems(), call), meta: metaOf(call) }
}

/** Settles as the work does, or resolves when the stream has waited long enough for its first chunk. */
function settledOrLate(work: Promise<void>, { deadlines }: Runtime, { options }: OperationCall): Promise<void> {
  const { firstChunkMs = defaultFirstChunkMs } = options
  return new Promise((resolve, reject) => {
    if (firstChunkMs === 0) resolve()
    const timeout = deadlines.after(firstChunkMs, resolve)
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

/** How often the caller's credentials are checked again during a stream. */
const recheckEveryMs = 15_000
/** A subscription can last a day and yields other users' records, so it ends sooner. */
const recheckSubscriptionEveryMs = 4_000
/** A subscription is checked every four seconds, so that it ends within five on other nodes. */
const maxRecheckAgeMs = 1_000

/** Ends the stream if the caller's credentials are revoked or the user is suspended: at once if this node did that. */
class AccessWatch extends Task {
  readonly #runtime: Runtime
  readonly #call: OperationCall
  readonly #everyMs: number
  #unwatch: (() => void) | undefined = undefined

  /** Nothing is watched without a token, which alone can be revoked. */
  static start(runtime: Runtime, call: OperationCall, everyMs: number): void {
    if (call.credentials === undefined || !runtime.authenticator) return
    const watch = new AccessWatch(runtime, call, everyMs)
    runtime.deadlines.set(watch, everyMs)
    if (call.caller.kind === 'account') {
      watch.#unwatch = runtime.authenticator.onChange?.(call.caller, () => void watch.#check())
    }
    call.follow(watch)
  }

  private constructor(runtime: Runtime, call: OperationCall, everyMs: number) {
    super()
    this.#runtime = runtime
    this.#call = call
    this.#everyMs = everyMs
  }

  /** The stream has ended. */
  override abort(reason: unknown): void {
    super.abort(reason)
    this.#runtime.deadlines.remove(this)
    this.#unwatch?.()
  }

  override expire(): void {
    void this.#check()
  }

  async #check(): Promise<void> {
    try {
      await this.#recheck()
    } catch (error) {
      // An unavailable store does not mean that the credentials are invalid.
      if (error instanceof FairleadError && accessErrors.has(error.code)) return this.#call.abort(error)
    }
    if (!this.aborted) this.#runtime.deadlines.set(this, this.#everyMs)
  }

  async #recheck(): Promise<void> {
    const { operation, caller, credentials } = this.#call
    const { token = '', project } = credentials ?? {}
    const isSubscription = operation.kind === 'subscription'
    const maxAgeMs = isSubscription ? maxRecheckAgeMs : undefined
    const current = await this.#runtime.authenticator!.authenticate(token, maxAgeMs, project)
    authorize(current, operation.access, operation.kind)
    if (current.limits) requireNetwork(current.limits, current.credential.kind, this.#call.address)
    // What a subscription yields depends on the role and the scopes that its caller had when it began.
    if (isSubscription) requireSameAccess(caller, current)
  }
}

const accessErrors: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'])

function requireSameAccess(caller: OperationCall['caller'], current: Account): void {
  if (caller.kind !== 'account' || caller.role !== current.role) {
    throw new FairleadError('FORBIDDEN', 'The role of the user has changed. Open the stream again.')
  }
  if (!caller.scopes.every((scope) => current.scopes.includes(scope))) {
    throw new FairleadError('FORBIDDEN', 'The scopes of the API key have changed. Open the stream again.')
  }
}
