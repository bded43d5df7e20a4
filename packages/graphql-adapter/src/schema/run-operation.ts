import type { Meta, Operation, Reply, RunOptions, Success } from '@fairlead/core'
import type { FairleadCore, OpenCall, ReadRequest } from '@fairlead/core/adapter'
import { tagsFrom } from '@fairlead/http'
import type { GraphqlContext } from '../context.ts'
import { toGraphqlError } from '../errors.ts'
import type { Dynamic } from './projection.ts'
import { spellUnions } from './unions.ts'

/** Longer JSON would hold the event loop, because a GraphQL response is written at once. */
const maxResultBytes = 2_500_000

/** The options that a field passes to an operation besides its input. */
export type FieldOptions = Pick<RunOptions, 'idempotencyKey' | 'ifMatch' | 'spell' | 'firstChunkMs'>

/** The `meta` of a model call's result. */
export type CallMeta = Meta & { readonly replayed: boolean }

export type Begun = Exclude<Reply<Operation>, { readonly success: false }>

/** Runs an operation for a field, whose input may be a function that reads it. Rejects with a `GraphQLError`. */
export async function begin(
  context: GraphqlContext,
  operation: Operation,
  input: unknown,
  options: FieldOptions = {},
): Promise<Begun> {
  const { core, credentials, requestId, address, userAgent, tags, signal } = context
  const run: FairleadCore['run'] = core.run
  const onCall = (call: OpenCall) => void context.outcome.calls.push(call)
  const spell = (field: string) => spellUnions(operation.input, field)
  const runOptions: RunOptions = {
    spell,
    maxResultBytes,
    requestId,
    address,
    userAgent,
    signal,
    onCall,
    ...options,
  }
  const read = (): ReadRequest => ({
    input: typeof input === 'function' ? input() : input,
    tags: tags === undefined ? undefined : tagsFrom(tags),
  })
  const reply: Reply<Operation> = await run(operation, await credentials, read, runOptions)
  noteLimits(context, reply)
  if (!reply.success) throw toGraphqlError(reply)
  return reply
}

/**
 * Runs an operation to its end. The result of a versioned record has its version, the result of a model call its
 * `meta`.
 */
export async function runOperation(
  context: GraphqlContext,
  operation: Operation,
  input: unknown,
  options?: FieldOptions,
): Promise<Dynamic> {
  const reply = await begin(context, operation, input, options)
  if ('events' in reply) throw new Error(`${operation.name} streamed although the field did not request it`)
  return toResult(operation, reply)
}

/** The value of an operation's field. */
export function toResult(operation: Operation, { data, meta, version, replayed }: Success<unknown>): Dynamic {
  if (operation.kind === 'action') return { ...(data as object), meta: { ...meta, replayed: replayed ?? false } }
  return version === undefined ? data : { ...(data as object), version }
}

/** A refusal has the current limits. Of concurrent successes, the one with the fewest units left is the latest. */
function noteLimits({ outcome }: GraphqlContext, { success, limits, burst }: Reply<Operation>): void {
  if (burst && burst.remaining <= (outcome.burst?.remaining ?? Infinity)) outcome.burst = burst
  if (!limits) return
  const before = outcome.limits
  const isStale = success && before && before.resetAt === limits.resetAt && before.remaining < limits.remaining
  if (!isStale) outcome.limits = limits
}
