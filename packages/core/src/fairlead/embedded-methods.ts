import {
  type EmbeddedOptions,
  type Method,
  type ResultStream,
  type StreamingMethod,
  type SubscriptionMethod,
  type WithMeta,
  withResult,
} from '../runtime/method.ts'
import type { Credentials } from '../runtime/access.ts'
import { canStream, type ChunkOf, type DataOf, type InputOf, type Operation } from '../runtime/operation.ts'
import { type Feature, isOperation, type OperationTree } from '../runtime/feature.ts'
import type { Reply } from '../runtime/run/run.ts'
import type { Failure } from '../runtime/run/envelope.ts'
import { FairleadError } from '../runtime/errors.ts'
import { causeOf } from '../runtime/run/reply.ts'

/** An operation as a method, with types inferred from its schemas. */
type MethodOf<Op extends Operation> = Op extends { readonly kind: 'subscription' }
  ? SubscriptionMethod<InputOf<Op>, DataOf<Op>>
  : [ChunkOf<Op>] extends [never]
    ? Method<InputOf<Op>, DataOf<Op>>
    : StreamingMethod<InputOf<Op>, DataOf<Op>, ChunkOf<Op>>

/** The operations of a feature as methods, under the same names. */
export type MethodsOf<Tree extends OperationTree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends Operation
    ? MethodOf<Tree[Name]>
    : { readonly [Verb in keyof Tree[Name]]: Tree[Name][Verb] extends Operation ? MethodOf<Tree[Name][Verb]> : never }
}

/** The methods of several features: by their own names where a feature has types for them. */
export type MethodsOfAll<Features extends readonly Feature[]> = Features extends readonly [
  Feature<infer First, infer Methods>,
  ...infer Others extends readonly Feature[],
]
  ? (unknown extends Methods ? MethodsOf<First> : Methods) & MethodsOfAll<Others>
  : unknown

export type RunOperation = (
  operation: Operation,
  credentials: Credentials,
  input: unknown,
  options?: EmbeddedOptions,
) => Promise<Reply<Operation>>

const embedded: Credentials = { kind: 'embedded' }

/**
 * Makes a method of every operation.
 *
 * @param taken the names that no operation or noun may have
 */
export function embeddedMethods(
  features: readonly Feature[],
  run: RunOperation,
  taken: readonly string[],
): Readonly<Record<string, unknown>> {
  const methods: Record<string, unknown> = {}
  for (const { name: feature, operations } of features) {
    for (const [name, entry] of Object.entries(operations)) {
      if (taken.includes(name) || name in methods) {
        throw new TypeError(`The feature "${feature}" cannot add "${name}": that name is taken.`)
      }
      methods[name] = isOperation(entry)
        ? toMethod(entry, run)
        : Object.fromEntries(Object.entries(entry).map(([verb, operation]) => [verb, toMethod(operation, run)]))
    }
  }
  return methods
}

function toMethod(operation: Operation, run: RunOperation) {
  if (operation.kind === 'subscription') return toSubscription(operation, run)
  const withMeta = async (input: unknown = {}, options: EmbeddedOptions = {}): Promise<WithMeta<unknown>> => {
    const reply = await run(operation, embedded, input, options)
    if (!reply.success) throw toError(reply, options)
    if ('events' in reply) {
      throw new FairleadError('INVALID_REQUEST', `To stream, call ${operation.name}.stream() instead.`)
    }
    return { data: toView(operation, reply.data), meta: reply.meta }
  }
  const method = async (input?: unknown, options?: EmbeddedOptions) => (await withMeta(input, options)).data
  const stream = (input: object, options: EmbeddedOptions = {}): ResultStream<unknown, unknown> => {
    const start = () => run(operation, embedded, { ...input, stream: true }, options)
    return withResult(readEvents(operation, start, options), ({ data }) => data)
  }
  return Object.assign(method, { withMeta }, canStream(operation) && { stream })
}

function toSubscription(operation: Operation, run: RunOperation) {
  return async function* (input: object = {}, options: EmbeddedOptions = {}): AsyncGenerator<unknown, void, undefined> {
    const reply = await run(operation, embedded, input, options)
    if (!reply.success) throw toError(reply, options)
    if (!('events' in reply)) throw new TypeError(`${operation.name} is not a subscription`)
    for await (const event of reply.events) {
      if (event.type === 'error') throw toError(event.reply, options)
      if (event.type === 'chunk') yield event.chunk
    }
  }
}

function toView({ view }: Operation, data: unknown): unknown {
  return view ? view(data as never) : data
}

async function* readEvents(
  operation: Operation,
  start: () => Promise<Reply<Operation>>,
  options: EmbeddedOptions,
): AsyncGenerator<unknown, WithMeta<unknown>, undefined> {
  const reply = await start()
  if (!reply.success) throw toError(reply, options)
  if (!('events' in reply)) return { data: toView(operation, reply.data), meta: reply.meta }
  for await (const event of reply.events) {
    if (event.type === 'done') return { data: toView(operation, event.reply.data), meta: event.reply.meta }
    if (event.type === 'error') throw toError(event.reply, options)
    yield event.chunk
  }
  throw options.signal?.reason ?? new Error('The stream ended without a result.')
}

function toError(failure: Failure, { signal }: EmbeddedOptions): unknown {
  const { error, retryAfterMs } = failure
  if (signal?.aborted) return signal.reason
  const { field: _field, issue: _issue, issues, ...facts } = error.details
  return new FairleadError(error.code, error.message, {
    issues,
    facts: facts as Record<string, string | number>,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    cause: causeOf(failure),
  })
}
