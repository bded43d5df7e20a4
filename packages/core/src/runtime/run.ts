import { authorize } from '../access/authorize.ts'
import type { Credentials } from '../access/caller.ts'
import { identify } from '../access/identify.ts'
import type { Failure, Streaming, Success } from '../values/envelope.ts'
import { countBurst } from './count-burst.ts'
import { findStanding } from './run-claim.ts'
import { acceptedInput, canStream, type ChunkOf, type DataOf, type Operation } from './define-operation.ts'
import { checkedKey, claimId, fingerprintOf } from './idempotency-key.ts'
import { refuse } from './refuse.ts'
import { replay } from './replay.ts'
import { openRun, type Run, type RunOptions, toIdentified } from './run-state.ts'
import { runSettled } from './run-settled.ts'
import { runStream } from './run-stream.ts'
import { runWrite } from './run-write.ts'
import type { Runtime } from './runtime.ts'
import type { Services } from './services.ts'
import { validate } from './validate.ts'

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
  const standing = run.claim && (await findStanding(services.stores, run.claim))
  if (standing) return replay(runtime, services, run, standing, stream)
  const plan = operation.prepare ? await operation.prepare(services, run, input) : input
  await countBurst(runtime, run)
  try {
    return await dispatch(runtime, services, run, plan, stream)
  } catch (error) {
    if (!run.claim?.isLost) throw error
    const winner = await findStanding(services.stores, run.claim)
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
