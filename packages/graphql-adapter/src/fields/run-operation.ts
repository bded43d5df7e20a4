import type { FairleadCore, IdentifiedCaller, Meta, Operation, Reply, RunOptions, Success } from '@fairlead/core'
import type { GraphqlContext } from '../context.ts'
import { toGraphqlError } from '../error-extensions.ts'
import type { Dynamic } from '../projection/dynamic.ts'

/** What a field says to an operation beside its input. */
export type FieldOptions = Pick<RunOptions, 'idempotencyKey' | 'ifMatch' | 'spell' | 'firstChunkMs'>

/** What a model call's result tells of the call. */
export type CallMeta = Meta & { readonly replayed: boolean }

export type Begun = Exclude<Reply<Operation>, { readonly success: false }>

/** Runs an operation for a field; rejects with what the caller may read. */
export async function begin(
  context: GraphqlContext,
  operation: Operation,
  input: unknown,
  options: FieldOptions = {},
): Promise<Begun> {
  const { core, credentials, requestId, address, signal } = context
  const run: FairleadCore['run'] = core.run
  const onIdentified = (caller: IdentifiedCaller) => void (context.outcome.caller = caller)
  const told: RunOptions = { requestId, address, signal, onIdentified, ...options }
  const reply: Reply<Operation> = await run(operation, await credentials, input, told)
  noteLimits(context, reply)
  if (!reply.success) throw toGraphqlError(reply)
  return reply
}

/** Runs an operation to its end. A record is answered with its version, a model call's result with what is known of the call. */
export async function runOperation(
  context: GraphqlContext,
  operation: Operation,
  input: unknown,
  options?: FieldOptions,
): Promise<Dynamic> {
  const reply = await begin(context, operation, input, options)
  if ('events' in reply) throw new Error(`${operation.name} answered with a stream that nobody asked for`)
  return shown(operation, reply)
}

/** The whole answer of an operation, for the fields of its type. */
export function shown(operation: Operation, { data, meta, version, replayed }: Success<unknown>): Dynamic {
  if (operation.kind === 'inference') return { ...(data as object), meta: { ...meta, replayed: replayed ?? false } }
  return version === undefined ? data : { ...(data as object), version }
}

/** A refusal knows where the caller stands after it; of the successes, the one that left least does. */
function noteLimits({ outcome }: GraphqlContext, { success, limits, burst }: Reply<Operation>): void {
  if (burst && burst.remaining <= (outcome.burst?.remaining ?? Infinity)) outcome.burst = burst
  if (!limits) return
  const before = outcome.limits
  const stale = success && before && before.resetAt === limits.resetAt && before.remaining < limits.remaining
  if (!stale) outcome.limits = limits
}
