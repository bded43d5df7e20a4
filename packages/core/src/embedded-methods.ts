import type { Credentials } from './runtime/access.ts'
import { canStream, type ChunkOf, type DataOf, type InputOf, type Operation } from './runtime/operation.ts'
import { type Feature, isOperation, type OperationTree } from './runtime/feature.ts'
import type { Reply } from './runtime/run.ts'
import type { Failure } from './runtime/envelope.ts'
import { FairleadError } from './runtime/errors.ts'
import { causeOf } from './runtime/reply.ts'

export interface EmbeddedOptions {
  /** Ends the work early; the method then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Runs the operation once, however often the same input is sent under this key within 24 hours. */
  readonly idempotencyKey?: string
}

/** An operation as a method: resolves with its data, or rejects with `FairleadError`. */
export type Method<Op extends Operation> = Call<Op> &
  ([ChunkOf<Op>] extends [never]
    ? unknown
    : {
        /** Yields chunks, and returns what the method itself resolves with. */
        stream(input: InputOf<Op>, options?: EmbeddedOptions): AsyncGenerator<ChunkOf<Op>, DataOf<Op>, undefined>
      })

type Call<Op extends Operation> =
  {} extends InputOf<Op>
    ? (input?: InputOf<Op>, options?: EmbeddedOptions) => Promise<DataOf<Op>>
    : (input: InputOf<Op>, options?: EmbeddedOptions) => Promise<DataOf<Op>>

/** The operations of a feature as methods, under the same names. */
export type MethodsOf<Tree extends OperationTree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends Operation
    ? Method<Tree[Name]>
    : { readonly [Verb in keyof Tree[Name]]: Tree[Name][Verb] extends Operation ? Method<Tree[Name][Verb]> : never }
}

/** The methods of several features. */
export type MethodsOfAll<Features extends readonly Feature[]> = Features extends readonly [
  Feature<infer First>,
  ...infer Others extends readonly Feature[],
]
  ? MethodsOf<First> & MethodsOfAll<Others>
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
  const method = async (input: unknown = {}, options: EmbeddedOptions = {}): Promise<unknown> => {
    const reply = await run(operation, embedded, input, options)
    if (!reply.success) throw toError(reply, options)
    if ('events' in reply) {
      throw new FairleadError('INVALID_REQUEST', `To stream, call ${operation.name}.stream() instead.`)
    }
    return reply.data
  }
  return canStream(operation) ? Object.assign(method, { stream: toStream(operation, run) }) : method
}

function toStream(operation: Operation, run: RunOperation) {
  return async function* (input: object, options: EmbeddedOptions = {}): AsyncGenerator<unknown, unknown, undefined> {
    const reply = await run(operation, embedded, { ...input, stream: true }, options)
    if (!reply.success) throw toError(reply, options)
    if (!('events' in reply)) return reply.data
    for await (const event of reply.events) {
      if (event.type === 'done') return event.reply.data
      if (event.type === 'error') throw toError(event.reply, options)
      yield event.chunk
    }
    throw options.signal?.reason ?? new Error('the stream ended without a result')
  }
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
