import { type Account, type Caller, type Credentials, accountName, authorize, identify } from './access.ts'
import type { Services } from './call.ts'
import type { Failure, Streaming, Success } from './envelope.ts'
import { FairleadError } from './errors.ts'
import { checkedKey, claimId, findClaim, fingerprintOf, replay } from './idempotency.ts'
import type { Found, Loader } from './loaders.ts'
import { type ChunkOf, type DataOf, type Operation, acceptedInput, canStream } from './operation.ts'
import { isQuotaLow } from './quota-events.ts'
import { runRead } from './run-read.ts'
import { runStream, runSubscription } from './run-stream.ts'
import { runWrite } from './run-write.ts'
import { openSettlement } from './settlement.ts'
import { validate } from './validate.ts'
import {
  type RunOptions,
  type Runtime,
  asIs,
  chargedAccount,
  openRun,
  toIdentified,
  type Run,
  unmeteredWriter,
} from './run-state.ts'
import { toFailure, toPublicError, replyWithFailure, checkOutput, toSuccess } from './reply.ts'

export type Reply<Op extends Operation> =
  | Success<DataOf<Op>>
  | Failure
  | ([ChunkOf<Op>] extends [never] ? never : Streaming<DataOf<Op>, ChunkOf<Op>>)

type Stream = NonNullable<Extract<Operation, { kind: 'inference' }>['stream']>

type AnyReply = Success<unknown> | Failure | Streaming<unknown, unknown>

/**
 * Runs an operation: authenticates, authorizes, validates, prepares, counts the request towards the burst limit, and then
 * runs it according to its kind.
 *
 * Errors become a `Failure`. Rejects only if the first argument is not an operation.
 *
 * @param raw the input, or a function that reads it, which is called only for authorized callers
 */
export async function runOperation<Op extends Operation>(
  runtime: Runtime,
  operation: Op,
  credentials: Credentials,
  raw: unknown,
  options?: RunOptions,
): Promise<Reply<Op>>
export async function runOperation(
  runtime: Runtime,
  operation: Operation,
  credentials: Credentials,
  raw: unknown,
  options: RunOptions = {},
): Promise<AnyReply> {
  if (typeof operation?.name !== 'string') {
    throw new TypeError('run: the first argument must be an operation, such as operations.generate')
  }
  const end = runtime.inFlight.begin()
  const run = openRun(runtime, operation, options)
  let services: Services | undefined
  try {
    // Most calls need to wait for neither: an `await` of a value costs two promises.
    const ready = runtime.ready()
    services = ready instanceof Promise ? await ready : ready
    const caller = identify(runtime.authenticator, credentials, operation.access)
    run.caller = 'kind' in caller ? caller : await caller
    if (run.caller.kind === 'account') options.onIdentified?.(toIdentified(run.caller))
    authorize(run.caller, operation.access)
    services = servicesFor(services, run.caller)
    const { authenticator } = runtime
    if (credentials.kind === 'bearer' && authenticator) {
      run.recheck = async () => {
        const isSubscription = operation.kind === 'subscription'
        const current = await authenticator.authenticate(
          credentials.token,
          isSubscription ? maxRecheckAgeMs : undefined,
        )
        authorize(current, operation.access)
        if (isSubscription) requireSameAccess(run.caller, current)
      }
    }
    const key = checkedKey(operation, options.idempotencyKey)
    const input = validate(acceptedInput(operation), typeof raw === 'function' ? await raw() : raw)
    if (typeof options.native === 'function') run.native = options.native()
    run.signal.throwIfAborted()
    if (key !== undefined) {
      run.claim = {
        id: claimId(run.caller, operation, key),
        fingerprint: fingerprintOf(run.native ? [input, run.native] : input),
        isLost: false,
      }
    }
    return await perform(runtime, services, run, input)
  } catch (error) {
    return await replyWithFailure(runtime, services, run, error)
  } finally {
    const watching = services && watchQuota(runtime, services, run)
    if (watching) await watching
    end()
  }
}

const bound = new WeakMap<Caller, { readonly services: Services; readonly own: Services }>()

/** The services of a caller's requests. Those of an account are kept for as long as its authentication is cached. */
function servicesFor(services: Services, caller: Caller): Services {
  const { stores } = services
  if (!stores.forAccount || caller.kind === 'embedded') return services
  const known = bound.get(caller)
  if (known?.services === services) return known.own
  const own = { ...services, stores: stores.forAccount(accountName(caller)) }
  bound.set(caller, { services, own })
  return own
}

/** A subscription is checked every four seconds, so that it ends within five on other nodes. */
const maxRecheckAgeMs = 1_000

/** What a subscription yields depends on the role and the scopes that its caller had when it began. */
function requireSameAccess(caller: Caller, current: Account): void {
  if (caller.kind !== 'account' || caller.role !== current.role) {
    throw new FairleadError('FORBIDDEN', 'The role of the user has changed. Open the stream again.')
  }
  if (!caller.scopes.every((scope) => current.scopes.includes(scope))) {
    throw new FairleadError('FORBIDDEN', 'The scopes of the API key have changed. Open the stream again.')
  }
}

/** Emits the quota events that are due. */
function watchQuota({ quotaWatch }: Runtime, { stores }: Services, run: Run): Promise<void> | undefined {
  const account = chargedAccount(run)
  if (!quotaWatch || !account || !run.limits || !isQuotaLow(run.limits)) return undefined
  return quotaWatch.check(stores, account, run.limits)
}

async function perform(
  runtime: Runtime,
  services: Services,
  run: Run,
  accepted: Record<string, unknown>,
): Promise<AnyReply> {
  const { operation } = run
  const { stream: wantsStream, ...others } = accepted
  const input = canStream(operation) ? others : accepted
  const stream = operation.kind === 'inference' && wantsStream === true ? operation.stream : undefined
  // Before `prepare`, so that a stored response is replayed even if its model was removed.
  const existing = run.claim && (await findClaim(services.stores, run.claim))
  if (existing) return replay(runtime, services, run, existing, stream)
  const writer = unmeteredWriter(run)
  if (writer) await countWrite(runtime, writer)
  const plan = operation.prepare ? await operation.prepare(services, run, input) : input
  const account = chargedAccount(run)
  const limit = account && runtime.requestsPerMinute[account.tier]
  if (account && operation.kind === 'inference') runtime.failureBudget.require(account.userId)
  if (account && limit !== undefined) await countBurst(runtime, run, account.userId, limit)
  try {
    return await dispatch(runtime, services, run, plan, stream)
  } catch (error) {
    if (!run.claim?.isLost) throw error
    const winner = await findClaim(services.stores, run.claim)
    if (!winner) throw error
    return replay(runtime, services, run, winner, stream)
  }
}

function dispatch(
  runtime: Runtime,
  services: Services,
  run: Run,
  plan: unknown,
  stream: Stream | undefined,
): Promise<AnyReply> {
  const { operation } = run
  switch (operation.kind) {
    case 'write':
      return runWrite(runtime, services, operation, run, plan)
    case 'read':
      return runRead(runtime, services, operation, run, plan)
    case 'subscription':
      return runSubscription(runtime, services, operation, run, plan)
    case 'inference':
      return stream
        ? runStream(runtime, services, stream, run, plan)
        : runSettled(runtime, services, operation, run, plan)
  }
}

/** Reserves a unit, runs the operation without an open transaction, and settles before it replies. */
async function runSettled(
  runtime: Runtime,
  services: Services,
  operation: Extract<Operation, { kind: 'inference' }>,
  run: Run,
  plan: unknown,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  const settlement = await openSettlement(runtime, services, run)
  if ('existing' in settlement) return replay(runtime, services, run, settlement.existing)
  try {
    const data = checkOutput(operation, await operation.run(services, run, plan))
    await settlement.succeed(data)
    return toSuccess(run, data)
  } catch (error) {
    const publicError = toPublicError(runtime.log, run, error)
    await settlement.fail(publicError)
    throw publicError
  }
}

const windowMs = 60_000

/**
 * Counts a metered run towards the burst limit of its user, which all credentials share. Throws `RATE_LIMIT_EXCEEDED`
 * beyond it.
 */
async function countBurst({ clock, rateLimiter }: Runtime, run: Run, userId: string, limit: number): Promise<void> {
  const { granted, remaining, resetMs } = await rateLimiter.take(userId, { limit, windowMs })
  run.burst = { limit, windowMs, remaining, resetAt: clock.now() + resetMs }
  if (granted) return
  const seconds = Math.ceil(resetMs / 1_000)
  throw new FairleadError(
    'RATE_LIMIT_EXCEEDED',
    `The limit of ${limit} requests per minute is exceeded. Try again in ${seconds} s.`,
    { retryAfterMs: resetMs },
  )
}

/**
 * Counts a change that costs no unit. Throws `RATE_LIMIT_EXCEEDED` beyond the limit of the account, before anything that
 * costs more, such as resolving the host name of a webhook.
 */
async function countWrite({ rateLimiter, writesPerMinute: limit }: Runtime, { userId }: Account): Promise<void> {
  const { granted, resetMs } = await rateLimiter.take(`writes of ${userId}`, { limit, windowMs })
  if (granted) return
  const seconds = Math.ceil(resetMs / 1_000)
  throw new FairleadError(
    'RATE_LIMIT_EXCEEDED',
    `The limit of ${limit} changes per minute is exceeded. Try again in ${seconds} s.`,
    { retryAfterMs: resetMs },
  )
}

/** The records in the order of their ids; undefined for those not found. */
export type LoaderReply<Data> =
  | { readonly success: true; readonly found: readonly (Found<Data> | undefined)[] }
  | Failure

/** Authenticates, authorizes, and loads records. Free of charge, because it is part of an operation that was charged. */
export async function runLoader<Data>(
  { ready, authenticator, clock, log, newId }: Runtime,
  loader: Loader<Data>,
  credentials: Credentials,
  ids: readonly string[],
  requestId = newId('req'),
): Promise<LoaderReply<Data>> {
  const at = clock.now()
  try {
    const services = await ready()
    const caller = await identify(authenticator, credentials, loader.access)
    authorize(caller, loader.access)
    const found = await loader.find(servicesFor(services, caller), { caller, at }, [...new Set(ids)])
    return { success: true, found: ids.map((id) => found.get(id)) }
  } catch (error) {
    return toFailure(toPublicError(log, { requestId }, error), { requestId, at, spell: asIs })
  }
}
