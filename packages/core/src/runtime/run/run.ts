import { countRequest, countWrite, holdLimits, releaseLimits, reserve } from './admission.ts'
import { type Caller, type Credentials, accountName, authorize, identify } from '../access.ts'
import { OperationRun, type Services, asIs, chargedAccount, unmeteredWriter } from './operation-run.ts'
import type { AnyReply, Failure, Streaming, Success } from './envelope.ts'
import { checkedKey, claimId, findClaim, fingerprintOf, replay } from './idempotency.ts'
import { requireNetwork } from '../key-limits.ts'
import type { Found, Loader } from '../loaders.ts'
import { type ChunkOf, type DataOf, type Operation, acceptedInput } from '../operation.ts'
import { isQuotaLow } from '../quota/quota-events.ts'
import { checkOutput, replyWithFailure, toFailure, toPublicError, toSuccess } from './reply.ts'
import { runRead, runWrite } from './run-records.ts'
import { runStream, runSubscription } from './run-stream.ts'
import type { ReadRequest, RunOptions } from './run-options.ts'
import type { Accepted, OperationCall, Prepared, Runtime } from './runtime.ts'
import { recordRejection } from './settled-run.ts'
import { settle, settleFailure } from './settlement.ts'
import { checkedTags } from '../schema/tags.ts'
import { validate } from '../schema/validate.ts'

export type Reply<Op extends Operation> =
  | Success<DataOf<Op>>
  | Failure
  | ([ChunkOf<Op>] extends [never] ? never : Streaming<DataOf<Op>, ChunkOf<Op>>)

type ReadInput = () => ReadRequest | Promise<ReadRequest>

type Action = Extract<Operation, { kind: 'action' }>

/**
 * Runs an operation: authenticates, authorizes, validates, prepares, counts the request toward the burst limit, and then
 * runs it according to its kind.
 *
 * Errors become a `Failure`. Rejects only if the first argument is not an operation.
 *
 * @param raw the input, or a function that reads the request, which is called only for authorized callers
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
  const { inFlight } = runtime.configuration
  const call = new OperationRun(runtime.clock, runtime.newId, inFlight, operation, options)
  let accepted: Accepted | undefined
  let isOpen = false
  inFlight.begin()
  try {
    // Most calls need to wait for none of these: an `await` of a value costs two promises.
    const ready = runtime.ready()
    call.services = ready instanceof Promise ? await ready : ready
    const caller = identify(runtime.authenticator, credentials, operation.access)
    call.caller = 'kind' in caller ? caller : await caller
    authorize(call.caller, operation.access, operation.kind)
    if (call.caller.kind === 'account' && call.caller.limits) {
      requireNetwork(call.caller.limits, call.caller.credential.kind, call.address)
    }
    call.services = servicesFor(call.services, call.caller)
    const { idempotencyKey: sent } = options
    const key = sent === undefined ? undefined : checkedKey(operation, sent)
    const { native, tags, metadata } = options
    const read = typeof raw === 'function' ? (raw as ReadInput)() : { input: raw, native, tags, metadata }
    accepted = accept(call, read instanceof Promise ? await read : read, key)
    // Before `prepare`, so that a stored response is replayed even if its model was removed.
    const existing = accepted.claim && (await findClaim(call, accepted.claim))
    if (existing) return await replay(runtime, call, existing, accepted)
    const writer = unmeteredWriter(call)
    if (writer) await countWrite(runtime, writer)
    const prepared: unknown = operation.prepare
      ? operation.prepare(call.services, call, accepted.input)
      : accepted.input
    const { input } = accepted
    const plan = prepared instanceof Promise ? await prepared : prepared
    const run = { accepted, input, plan }
    const account = chargedAccount(call)
    if (account && operation.kind === 'action') runtime.failureBudget.require(account.userId)
    if (account && (account.limits || runtime.requestsPerMinute[account.tier] !== undefined)) {
      await countRequest(runtime, call, account)
    }
    if (account?.limits) await holdLimits(runtime, call, account.limits, run)
    const reply = await runPrepared(runtime, call, credentials, run)
    isOpen = 'events' in reply && !reply.replayed
    if (!accepted.claim?.isLost) return reply
    const winner = await findClaim(call, accepted.claim)
    return winner ? await replay(runtime, call, winner, accepted) : reply
  } catch (error) {
    const publicError = toPublicError(runtime.log, call, error)
    if (call.outcome === 'ok') recordRejection(runtime, call, accepted, publicError)
    return await replyWithFailure(runtime, call, publicError)
  } finally {
    const watching = watchQuota(runtime, call)
    if (watching) await watching
    if (!isOpen) {
      if (call.held) releaseLimits(runtime, call, call.held)
      call.end()
      call.report(runtime.observer)
    }
    inFlight.end()
  }
}

/** Checks what was read of a request whose caller may run the operation. */
function accept(
  call: OperationCall,
  { input, native, tags, metadata }: ReadRequest,
  key: string | undefined,
): Accepted {
  const { operation, caller } = call
  const sent = validate(acceptedInput(operation), input)
  call.native = native
  const ofRequest = metadata !== undefined && takesTags(caller) ? { ...metadata, ...tags } : tags
  const checked = ofRequest && checkedTags(ofRequest)
  call.throwIfAborted()
  const stream = operation.kind === 'action' ? operation.stream : undefined
  const { stream: wantsStream, ...others } = sent
  const fingerprint = key === undefined ? '' : fingerprintOf(native ? [sent, native] : sent)
  return {
    input: stream ? others : sent,
    stream: wantsStream === true ? stream : undefined,
    tags: checked,
    claim: key === undefined ? undefined : { id: claimId(caller, operation, key), fingerprint, isLost: false },
  }
}

/** Whether the API key of the caller takes tags from the metadata of requests. */
function takesTags(caller: Caller): boolean {
  if (caller.kind !== 'account') return false
  return caller.limits?.find(({ keyId }) => keyId === caller.credential.id)?.tagsFromMetadata === true
}

function runPrepared(
  runtime: Runtime,
  call: OperationCall,
  credentials: Credentials,
  prepared: Prepared,
): Promise<AnyReply> {
  const { operation } = call
  switch (operation.kind) {
    case 'write':
      return runWrite(runtime, operation, call, prepared)
    case 'read':
      return runRead(runtime, operation, call, prepared)
    case 'subscription':
      return runSubscription(runtime, operation, call, credentials, prepared.plan)
    case 'action':
      return prepared.accepted.stream
        ? runStream(runtime, prepared.accepted.stream, call, credentials, prepared)
        : runAction(runtime, operation, call, prepared)
  }
}

/** Reserves a unit, runs the operation without an open transaction, and settles before it replies. */
async function runAction(
  runtime: Runtime,
  operation: Action,
  call: OperationCall,
  prepared: Prepared,
): Promise<AnyReply> {
  const reserved = await reserve(runtime, call, prepared)
  if ('existing' in reserved) return replay(runtime, call, reserved.existing, prepared.accepted)
  try {
    const data = checkOutput(operation, await operation.run(call.services, call, reserved))
    await settle(runtime, call, reserved, data)
    return toSuccess(call, data)
  } catch (error) {
    return settleFailure(runtime, call, reserved, error)
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

function watchQuota({ quotaWatch }: Runtime, call: OperationCall): Promise<void> | undefined {
  const account = chargedAccount(call)
  if (!quotaWatch || !account || !call.limits || !isQuotaLow(call.limits)) return undefined
  return quotaWatch.check(call.services.stores, account, call.limits)
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
