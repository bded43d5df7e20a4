import type { Credentials } from './runtime/access.ts'
import { canStream, type ChunkOf, type DataOf, type InputOf, type Operation } from './runtime/operation.ts'
import { type Feature, isOperation, type OperationTree } from './runtime/feature.ts'
import type { Reply } from './runtime/run.ts'
import type { Failure, Meta } from './runtime/envelope.ts'
import { FairleadError } from './runtime/errors.ts'
import { causeOf } from './runtime/reply.ts'

export interface EmbeddedOptions {
  /** Ends the work early; the method then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Runs the operation once, however often the same input is sent under this key within 24 hours. */
  readonly idempotencyKey?: string
}

/** A result with everything that Fairlead knows about the call. */
export interface WithMeta<Data> {
  readonly data: Data
  /** Request id, provider, attempts, cost in US dollars, warnings, and the cursor of the next page of a list. */
  readonly meta: Meta
}

/** The chunks of a streamed result. Its return value, after the last chunk, is the result as a whole. */
export interface ResultStream<Chunk, Data> extends AsyncGenerator<Chunk, Data, undefined> {
  /** Resolves with the whole result once the stream has ended, and discards the chunks that were not read before. */
  result(): Promise<WithMeta<Data>>
}

/**
 * An operation as a method: resolves with its data, or rejects with `FairleadError`.
 *
 * @example
 *   const { content } = await fairlead.generate({ model: 'scribe', prompt: 'Write a haiku about rain' })
 * @example
 *   const { data, meta } = await fairlead.generate.withMeta({ model: 'scribe', prompt: 'Write a haiku about rain' })
 *   console.log(data.content, meta.provider, meta.costUsd, meta.warnings)
 * @example
 *   const stream = fairlead.generate.stream({ model: 'scribe', prompt: 'Name ideas for a coffee shop' })
 *   for await (const chunk of stream) process.stdout.write(chunk.content)
 *   const { data } = await stream.result()
 *   console.log(data.usage.totalTokens, data.finishReason)
 */
export type Method<Op extends Operation> = Call<Op, DataOf<Op>> & {
  /** Resolves with the data and the metadata of the call. */
  readonly withMeta: Call<Op, WithMeta<DataOf<Op>>>
} & ([ChunkOf<Op>] extends [never]
    ? unknown
    : {
        /** Yields the result in chunks. `break` cancels the call. */
        stream(input: InputOf<Op>, options?: EmbeddedOptions): ResultStream<ChunkOf<Op>, DataOf<Op>>
      })

type Call<Op extends Operation, Result> =
  {} extends InputOf<Op>
    ? (input?: InputOf<Op>, options?: EmbeddedOptions) => Promise<Result>
    : (input: InputOf<Op>, options?: EmbeddedOptions) => Promise<Result>

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
  const withMeta = async (input: unknown = {}, options: EmbeddedOptions = {}): Promise<WithMeta<unknown>> => {
    const reply = await run(operation, embedded, input, options)
    if (!reply.success) throw toError(reply, options)
    if ('events' in reply) {
      throw new FairleadError('INVALID_REQUEST', `To stream, call ${operation.name}.stream() instead.`)
    }
    return { data: reply.data, meta: reply.meta }
  }
  const method = async (input?: unknown, options?: EmbeddedOptions) => (await withMeta(input, options)).data
  return Object.assign(method, { withMeta }, canStream(operation) && { stream: toStream(operation, run) })
}

function toStream(operation: Operation, run: RunOperation) {
  return (input: object, options: EmbeddedOptions = {}): ResultStream<unknown, unknown> => {
    let whole: WithMeta<unknown> | undefined
    let failure: unknown = new Error('The stream was closed before its end.')

    async function* read(): AsyncGenerator<unknown, unknown, undefined> {
      try {
        whole = yield* readEvents(await run(operation, embedded, { ...input, stream: true }, options), options)
        return whole.data
      } catch (error) {
        failure = error
        throw error
      }
    }

    const chunks = read()
    return Object.assign(chunks, {
      async result(): Promise<WithMeta<unknown>> {
        while (!(await chunks.next()).done);
        if (!whole) throw failure
        return whole
      },
    })
  }
}

async function* readEvents(
  reply: Reply<Operation>,
  options: EmbeddedOptions,
): AsyncGenerator<unknown, WithMeta<unknown>, undefined> {
  if (!reply.success) throw toError(reply, options)
  if (!('events' in reply)) return { data: reply.data, meta: reply.meta }
  for await (const event of reply.events) {
    if (event.type === 'done') return { data: event.reply.data, meta: event.reply.meta }
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
