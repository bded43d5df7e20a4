import { z } from 'zod'
import type { Loader } from './loaders.ts'
import type { Access } from './access.ts'
import type { Call, Services } from './run/call.ts'
import type { ErrorCode } from './errors.ts'
import type { ModelCallEvents } from './events/model-call-events.ts'
import type { RuntimeTransaction } from './stores/stores.ts'

/** The declaration of an operation. Adapters derive routes, GraphQL fields, and documents from it. */
interface Declaration<Name extends string, Input extends z.ZodObject, Output extends z.ZodType, Plan> {
  /** Unique, in camelCase. The label in metrics and usage records. */
  readonly name: Name
  /** One sentence for the API reference. */
  readonly summary: string
  readonly access: Access
  /** Whether each success is charged one unit of the monthly quota. With an access token, only actions are charged. */
  readonly metered: boolean
  /** Default: not available over REST. */
  readonly rest?: RestRoute
  /** Default: not available over GraphQL. */
  readonly graphql?: GraphqlField
  /** Field names in camelCase. Unknown fields are rejected. */
  readonly input: Input
  readonly output: Output
  /** The result as embedded methods return it, such as with getters. Default: as it is. */
  readonly view?: (result: never) => unknown
  /** Whether the results match `output` already, as those that core builds do. Default: false; they are validated. */
  readonly isChecked?: boolean
  /** Whether a success creates a record. The output, or a field of it, is the record and has an `id`. Default: false. */
  readonly creates?: boolean
  /** Whether the output is one page of a list and the input has the fields of `pageInput`. Default: false. */
  readonly paged?: boolean
  /** Whether the output is a record with a version, which callers can require with `If-Match`. Default: false. */
  readonly versioned?: boolean
  /** Error codes beyond those that follow from kind, access, and metering; see `errorsOf`. Default: none. */
  readonly errors?: readonly ErrorCode[]
  /** The relative cost of one call, which counts toward the limit of a GraphQL document. Default: 20 for actions, else 1. */
  readonly cost?: number
  /** Set if the operation is deprecated. It works until its sunset. */
  readonly deprecated?: Deprecation
  /** Makes all checks that need no work; its errors are free of charge. Default: the input is the plan. */
  prepare?(services: Services, call: Call, input: z.output<Input>): Plan | Promise<Plan>
}

export interface Deprecation {
  /** The date of deprecation, such as `2027-01-31`. */
  readonly since: string
  /** The date from which it may be removed. */
  readonly sunset: string
  /** The name of the operation to use instead. */
  readonly instead: string
}

export interface ReadOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Plan,
> extends Declaration<Name, Input, Output, Plan> {
  readonly kind: 'read'
  run(services: Services, call: Call, plan: Plan): Result<Output>
}

/**
 * Changes records. The claim of the Idempotency-Key, the change, its events, and its usage are one transaction, which any
 * error of `apply` rolls back. The unit is reserved before it, and refunded if it fails. `apply` must not await anything
 * but `tx`.
 */
export interface WriteOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Plan,
> extends Declaration<Name, Input, Output, Plan> {
  readonly kind: 'write'
  apply(tx: RuntimeTransaction, call: Call, plan: Plan): Result<Output>
}

/**
 * Waits for something outside, such as a provider, while no transaction is open. If it fails, the unit is refunded, unless the caller closed the
 * request after a provider was called, a stream had begun, or a provider's answer cannot be used.
 */
export interface ActionOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Plan,
  Chunk extends z.ZodType = z.ZodNever,
> extends Declaration<Name, Input, Output, Plan> {
  readonly kind: 'action'
  /** Emitted when a run is settled, while someone subscribes to them. Default: none. */
  readonly events?: ModelCallEvents
  run(services: Services, call: Call, plan: Plan): Result<Output>
  /** Streams the result. Callers request it with `stream: true`, a field that is added to the input. */
  readonly stream?: {
    readonly chunk: Chunk
    /**
     * Yields chunks, and returns the same result as `run`; or opens a source of both. Must reject soon after the call's
     * signal aborts, as calls through the router do: nothing else ends the wait for the next chunk.
     */
    run(
      services: Services,
      call: Call,
      plan: Plan,
    ):
      | AsyncGenerator<z.output<Chunk>, z.output<Output>, undefined>
      | Promise<ChunkSource<z.output<Chunk>, z.output<Output>>>
    /** Converts a whole result to chunks, for replays. */
    whole(result: z.output<Output>): readonly z.output<Chunk>[]
    /** The name of a chunk's server-sent event. Default: `chunk`. */
    eventOf?(chunk: z.output<Chunk>): string
  }
  /**
   * Whether a result is stored under the request's Idempotency-Key. One that is not has a warning, and the same request
   * then runs again. Default: always. Storing millions of numbers would hold the event loop.
   */
  isKept?(result: z.output<Output>): boolean
  /** Stores records that belong to the result, in the transaction that settles the run. */
  record?(tx: RuntimeTransaction, call: Call, result: z.output<Output>): Promise<void>
}

/**
 * What a stream is made of: items, such as the events of a provider, and the chunks and the result that they amount to. One
 * iterator then reads from the items to the adapter.
 */
export interface ChunkSource<Chunk, Whole> {
  /** Closed with `return` if the stream ends before they do. */
  readonly items: AsyncIterator<unknown>
  /** The chunk for an item; undefined for one that shows nothing. */
  toChunk(item: unknown): Chunk | undefined
  /** The whole result, from what the iterator returned. Throws if the items are not complete. */
  result(end: unknown): Whole
}

/** Streams items until the caller closes it, such as events as they happen. Free of charge. */
export interface SubscriptionOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Plan,
> extends Declaration<Name, Input, Output, Plan> {
  readonly kind: 'subscription'
  /** One item. Over REST, its `id` is that of the server-sent event, and `Last-Event-ID` sets the input field `after`, if there is one. */
  readonly output: Output
  readonly metered: false
  /** Must end, or reject, soon after the call's signal aborts. */
  subscribe(services: Services, call: Call, plan: Plan): AsyncGenerator<z.output<Output>, void, undefined>
}

type Result<Output extends z.ZodType> = Promise<z.output<Output>>

export type Operation =
  | ReadOperation<string, z.ZodObject, z.ZodType, unknown>
  | WriteOperation<string, z.ZodObject, z.ZodType, unknown>
  | ActionOperation<string, z.ZodObject, z.ZodType, unknown, z.ZodType>
  | SubscriptionOperation<string, z.ZodObject, z.ZodType, unknown>

/** Declares an operation that reads records. Add it to the `operations` of a feature. */
export function read<Name extends string, I extends z.ZodObject, O extends z.ZodType, Plan = z.output<I>>(
  declared: Omit<ReadOperation<Name, I, O, Plan>, 'kind'>,
): ReadOperation<Name, I, O, Plan> {
  return { kind: 'read', ...declared }
}

/** Declares an operation that changes records. */
export function write<Name extends string, I extends z.ZodObject, O extends z.ZodType, Plan = z.output<I>>(
  declared: Omit<WriteOperation<Name, I, O, Plan>, 'kind'>,
): WriteOperation<Name, I, O, Plan> {
  return { kind: 'write', ...declared }
}

/** Declares an operation that waits for the outside, such as a provider, or a database of your own. */
export function action<
  Name extends string,
  I extends z.ZodObject,
  O extends z.ZodType,
  Plan = z.output<I>,
  Chunk extends z.ZodType = z.ZodNever,
>(declared: Omit<ActionOperation<Name, I, O, Plan, Chunk>, 'kind'>): ActionOperation<Name, I, O, Plan, Chunk> {
  return { kind: 'action', ...declared }
}

/** Declares an operation that streams items until the caller closes it. */
export function subscription<Name extends string, I extends z.ZodObject, O extends z.ZodType, Plan = z.output<I>>(
  declared: Omit<SubscriptionOperation<Name, I, O, Plan>, 'kind'>,
): SubscriptionOperation<Name, I, O, Plan> {
  return { kind: 'subscription', ...declared }
}

/** The schema of the caller's input: the declared input, with `stream` if the operation can stream. */
export function acceptedInput(operation: Operation): z.ZodObject {
  let accepted = acceptedInputs.get(operation)
  if (!accepted) {
    accepted = (canStream(operation) ? operation.input.extend({ stream: streamFlag }) : operation.input).strict()
    acceptedInputs.set(operation, accepted)
  }
  return accepted
}

export function costOf({ kind, cost = kind === 'action' ? 20 : 1 }: Pick<Operation, 'kind' | 'cost'>): number {
  return cost
}

export function canStream(operation: Operation): boolean {
  return operation.kind === 'action' && operation.stream !== undefined
}

const acceptedInputs = new WeakMap<Operation, z.ZodObject>()
const streamFlag = z.boolean().default(false).describe('Whether to stream the response in chunks.')

/** The input of an operation. Arrays may be readonly, and optional fields undefined. */
export type InputOf<Op extends Operation> = Accepted<z.input<Op['input']>>

type Accepted<Value> = Value extends readonly (infer Entry)[]
  ? readonly Accepted<Entry>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Accepted<Value[Field]> | (undefined extends Value[Field] ? undefined : never) }
    : Value

export type DataOf<Op extends Operation> = z.output<Op['output']>
/** The chunks of an operation, or the items of a subscription; never if it cannot stream. */
export type ChunkOf<Op> = Op extends { readonly kind: 'subscription'; readonly output: infer Item extends z.ZodType }
  ? z.output<Item>
  : Op extends { readonly stream?: { readonly chunk: infer Chunk extends z.ZodType } }
    ? z.output<Chunk>
    : never

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RestRoute {
  readonly method: RestMethod
  /** Without a prefix. The segment `{name}` becomes the input field `name`. */
  readonly path: `/${string}`
  /** Maximum size of the body in bytes, unless the service sets a limit for all routes. Default: 1 MiB. */
  readonly maxBodyBytes?: number
}

/** The GraphQL root field of an operation. An operation that can stream also has the subscription `<mutation>Stream`. */
export type GraphqlField =
  | {
      readonly query: string
      /** How `node(id:)` loads the records that the operation returns. Default: it cannot load them. */
      readonly node?: NodeSource
    }
  | {
      readonly mutation: string
      /** Default: the result of the operation. */
      readonly payload?: MutationPayload
    }
  | { readonly subscription: string }

/** A payload type for a mutation, if the result of its operation is not the record itself. */
export interface MutationPayload {
  /** The field of the record. The record is loaded by the `id` of the result, unless the result has all of its fields. */
  readonly record: string
  readonly loader: Loader<unknown>
  /** Fields of the result beside the record. Default: none. */
  readonly fields?: readonly string[]
}

/** Loads the records of `node(id:)` by the prefix of their id. All of one document are loaded together and cost one unit. */
export interface NodeSource {
  /** The part of the id before the underscore. */
  readonly prefix: string
  readonly loader: Loader<unknown>
}
