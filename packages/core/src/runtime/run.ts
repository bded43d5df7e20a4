import { type Credentials, authorize, identify } from './access.ts'
import { type Services } from './call.ts'
import { type Failure, type Streaming, type Success } from './envelope.ts'
import { FairleadError } from './errors.ts'
import { checkedKey, claimId, findClaim, fingerprintOf, keepOutcome, replay, takeClaim } from './idempotency.ts'
import type { Found, LookUp } from './loaders.ts'
import { type ChunkOf, type DataOf, type Operation, acceptedInput, canStream } from './operation.ts'
import { type ReservedUnit } from './quota.ts'
import { runStream } from './run-stream.ts'
import { billOf, openSettlement, reserveUnit, settleUnit } from './settlement.ts'
import { validate } from './validate.ts'
import { type RunOptions, type Runtime, asIs, chargedAccount, openRun, toIdentified, type Run } from './run-state.ts'
import { toFailure, toPublicError, refuse, checkOutput, toSuccess } from './reply.ts'

export type Reply<Op extends Operation> =
  | Success<DataOf<Op>>
  | Failure
  | ([ChunkOf<Op>] extends [never] ? never : Streaming<DataOf<Op>, ChunkOf<Op>>)

type Stream = NonNullable<Extract<Operation, { kind: 'inference' }>['stream']>

type AnyReply = Success<unknown> | Failure | Streaming<unknown, unknown>

/**
 * The way of every request: identify, authorize, validate, prepare, count it towards the burst limit, then as the kind
 * of operation asks.
 *
 * `raw` is the input as it came, or a function that reads it: nothing is read for a caller who may not ask.
 * Never rejects: what goes wrong is a `Failure` that may be shown to the caller.
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
  const run = openRun(runtime, operation, options)
  let services: Services | undefined
  try {
    services = await runtime.ready()
    run.caller = await identify(runtime.authenticator, credentials, operation.access)
    if (run.caller.kind === 'account') options.onIdentified?.(toIdentified(run.caller))
    authorize(run.caller, operation.access)
    const { authenticator } = runtime
    if (credentials.kind === 'bearer' && authenticator) {
      run.recheck = async () => authorize(await authenticator.authenticate(credentials.token), operation.access)
    }
    const key = checkedKey(operation, options.idempotencyKey)
    const input = validate(acceptedInput(operation), typeof raw === 'function' ? await raw() : raw)
    run.signal.throwIfAborted()
    if (key !== undefined) {
      run.claim = { id: claimId(run.caller, operation, key), fingerprint: fingerprintOf(input), isLost: false }
    }
    return await perform(runtime, services, run, input)
  } catch (error) {
    return refuse(runtime, services, run, error)
  }
}

async function perform(
  runtime: Runtime,
  services: Services,
  run: Run,
  accepted: Record<string, unknown>,
): Promise<AnyReply> {
  const { operation } = run
  const { stream: asked, ...others } = accepted
  const input = canStream(operation) ? others : accepted
  const stream = operation.kind === 'inference' && asked === true ? operation.stream : undefined
  // Looked for before anything is prepared: what was answered once is answered again though its model is gone.
  const standing = run.claim && (await findClaim(services.stores, run.claim))
  if (standing) return replay(runtime, services, run, standing, stream)
  const plan = operation.prepare ? await operation.prepare(services, run, input) : input
  await countBurst(runtime, run)
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
      return runSettled(runtime, services, operation, run, plan)
    case 'inference':
      return stream
        ? runStream(runtime, services, stream, run, plan)
        : runSettled(runtime, services, operation, run, plan)
  }
}

/** Claim, reservation, effect, events, usage and kept outcome in one transaction: all of them or none. */
async function runWrite(
  runtime: Runtime,
  services: Services,
  operation: Extract<Operation, { kind: 'write' }>,
  run: Run,
  plan: unknown,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  const { stores } = services
  let reservation: ReservedUnit | undefined
  try {
    const done = await stores.transact(async (tx) => {
      const standing = await takeClaim(runtime, tx, run)
      if (standing) return { standing }
      reservation = await reserveUnit(runtime, tx.counters, run)
      const data = checkOutput(operation, await operation.apply(tx, run, plan))
      await tx.outbox.add(run.events)
      await settleUnit(tx, run, billOf(runtime, run, reservation, { outcome: 'ok', charged: true }))
      await keepOutcome(runtime, tx, run, data)
      return { data }
    })
    if ('standing' in done) return await replay(runtime, services, run, done.standing)
    await finish(runtime, services, run)
    return toSuccess(run, done.data)
  } catch (error) {
    const shown = toPublicError(runtime.log, run, error)
    if (reservation) {
      // The reservation was rolled back with the rest: all that is left to keep is that it failed.
      run.limits = undefined
      const bill = billOf(runtime, run, undefined, { outcome: shown.code, charged: false })
      await runtime.pendingSettlements
        .write(() => stores.transact((tx) => settleUnit(tx, run, bill), { durable: false }))
        .catch((cause: unknown) =>
          runtime.log.error({ requestId: run.requestId, error: cause }, 'a failed request could not be recorded'),
        )
    }
    throw shown
  }
}

/** What the change brings with it outside the stores. The change itself stands by now. */
async function finish({ log }: Runtime, services: Services, { requestId, hooks }: Run): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook(services)
    } catch (error) {
      log.error({ requestId, error }, 'a change was kept, and what follows from it failed')
    }
  }
}

/** Reserves, works with no transaction open, and settles before the answer goes out. */
async function runSettled(
  runtime: Runtime,
  services: Services,
  operation: Extract<Operation, { kind: 'read' | 'inference' }>,
  run: Run,
  plan: unknown,
): Promise<Success<unknown> | Streaming<unknown, unknown>> {
  const settlement = await openSettlement(runtime, services, run)
  if ('standing' in settlement) return replay(runtime, services, run, settlement.standing)
  try {
    const data = checkOutput(operation, await operation.run(services, run, plan))
    await settlement.succeed(data)
    return toSuccess(run, data)
  } catch (error) {
    const shown = toPublicError(runtime.log, run, error)
    await settlement.fail(shown)
    throw shown
  }
}

const windowMs = 60_000

/**
 * Counts a metered run towards the burst limit of its account's tier; refused with `RATE_LIMIT_EXCEEDED`. All credentials
 * of a user count together.
 */
async function countBurst({ clock, rateLimiter, requestsPerMinute }: Runtime, run: Run): Promise<void> {
  const account = chargedAccount(run)
  const limit = account && requestsPerMinute[account.tier]
  if (!account || limit === undefined) return
  const { granted, remaining, resetMs } = await rateLimiter.take(account.userId, { limit, windowMs })
  run.burst = { limit, windowMs, remaining, resetAt: clock.now() + resetMs }
  if (granted) return
  const seconds = Math.ceil(resetMs / 1_000)
  throw new FairleadError(
    'RATE_LIMIT_EXCEEDED',
    `The limit of ${limit} requests a minute is reached. Try again in ${seconds} s.`,
    { retryAfterMs: resetMs },
  )
}

/** What was found under each id, in their order; or why nothing was looked up. */
export type LookUpReply<Data> =
  | { readonly success: true; readonly found: readonly (Found<Data> | undefined)[] }
  | Failure

/** Identifies and authorizes as for the operation, then finds. It costs no unit: it belongs to an answer that did. */
export async function runLookUp<Data>(
  { ready, authenticator, clock, log, newId }: Runtime,
  lookUp: LookUp<Data>,
  credentials: Credentials,
  ids: readonly string[],
  requestId = newId('req'),
): Promise<LookUpReply<Data>> {
  const at = clock.now()
  try {
    const services = await ready()
    const caller = await identify(authenticator, credentials, lookUp.access)
    authorize(caller, lookUp.access)
    const found = await lookUp.find(services, { caller, at }, [...new Set(ids)])
    return { success: true, found: ids.map((id) => found.get(id)) }
  } catch (error) {
    return toFailure(toPublicError(log, { requestId }, error), { requestId, at, spell: asIs })
  }
}
