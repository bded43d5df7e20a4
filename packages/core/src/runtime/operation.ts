import * as z from 'zod'
import type { Loader } from './loaders.ts'
import type { Access } from './access.ts'
import type { OperationRun, Services } from './run/operation-run.ts'
import type { Estimate } from './budgets/estimate.ts'
import { type ErrorCode, errorCodes } from './errors.ts'
import type { ModelCallEvents } from './events/model-call-events.ts'
import type { RuntimeTransaction } from './stores/stores.ts'

/** The description of an operation. Adapters derive routes, GraphQL fields, and documents from it. */
export interface OperationFacts<Name extends string, Input extends z.ZodObject, Output extends z.ZodType> {
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
  /** Error codes beyond those that follow from kind, access, and metering; see `possibleErrors`. Default: none. */
  readonly errors?: readonly ErrorCode[]
  /** The relative cost of one call, which counts toward the limit of a GraphQL document. Default: 20 for actions, else 1. */
  readonly cost?: number
  /** Set if the operation is deprecated. It works until its sunset. */
  readonly deprecated?: Deprecation
}

export interface Deprecation {
  /** The date of deprecation, such as `2027-01-31`. */
  readonly since: string
  /** The date from which it may be removed. */
  readonly sunset: string
  /** The name of the operation to use instead. */
  readonly instead: string
}

/** A valid input, and what `prepare` has made of it: without one, the plan is the input. */
export interface Planned<Input = unknown, Plan = unknown> {
  readonly input: Input
  readonly plan: Plan
}

export interface ActionFacts<Output extends z.ZodType> {
  /** Emitted when a run is settled, while someone subscribes to them. Default: none. */
  readonly events?: ModelCallEvents
  /**
   * Whether a result is stored under the request's Idempotency-Key. One that is not has a warning, and the same request
   * then runs again. Default: always. Storing millions of numbers would hold the event loop.
   */
  readonly isKept?: (result: z.output<Output>) => boolean
}

export interface StreamFacts<Output extends z.ZodType, Chunk extends z.ZodType> {
  readonly chunk: Chunk
  /** Converts a whole result to chunks, for replays. */
  whole(result: z.output<Output>): readonly z.output<Chunk>[]
  /** The name of a chunk's server-sent event. Default: `chunk`. */
  eventOf?(chunk: z.output<Chunk>): string
}

export type Result<Output extends z.ZodType> = Promise<z.output<Output>>

export type StreamedResult<Output extends z.ZodType, Chunk extends z.ZodType> =
  | AsyncGenerator<z.output<Chunk>, z.output<Output>, undefined>
  | Promise<ChunkSource<z.output<Chunk>, z.output<Output>>>

/**
 * The parts of a stream: items, such as the events of a provider, and the chunks and the result that they amount to.
 * One iterator then reads from the items to the adapter.
 */
export interface ChunkSource<Chunk, Whole> {
  /** Closed with `return` if the stream ends before they do. */
  readonly items: AsyncIterator<unknown>
  /** The chunk for an item; undefined for one that shows nothing. */
  toChunk(item: unknown): Chunk | undefined
  /** The whole result, from what the iterator returned. Throws if the items are not complete. */
  result(end: unknown): Whole
}

/** A declared operation, as the runtime sees it: it passes on whatever `prepare` returns. */
interface Declared<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Given,
> extends OperationFacts<Name, Input, Output> {
  /** Never set. The type of the services that its functions take: a feature must provide them. */
  readonly needs?: (services: Given) => void
  prepare?(services: Services, call: OperationRun, input: unknown): unknown
}

export interface ReadOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Given = never,
> extends Declared<Name, Input, Output, Given> {
  readonly kind: 'read'
  run(services: Services, call: OperationRun, plan: unknown): Result<Output>
}

export interface WriteOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Given = never,
> extends Declared<Name, Input, Output, Given> {
  readonly kind: 'write'
  apply(tx: RuntimeTransaction, call: OperationRun, plan: unknown): Result<Output>
}

export interface ActionOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Chunk extends z.ZodType = z.ZodNever,
  Given = never,
>
  extends Declared<Name, Input, Output, Given>, ActionFacts<Output> {
  readonly kind: 'action'
  run(services: Services, call: OperationRun, planned: Planned): Result<Output>
  estimate?(services: Services, call: OperationRun, planned: Planned): Estimate
  /** The plan with a stored response, which costs nothing, for a call that a budget has no room for. Default: none. */
  findStored?(services: Services, call: OperationRun, planned: Planned): Promise<unknown>
  readonly stream?: StreamFacts<Output, Chunk> & {
    run(services: Services, call: OperationRun, planned: Planned): StreamedResult<Output, Chunk>
  }
  record?(tx: RuntimeTransaction, call: OperationRun, result: z.output<Output>): Promise<void>
}

export interface SubscriptionOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Given = never,
> extends Declared<Name, Input, Output, Given> {
  readonly kind: 'subscription'
  readonly output: Output
  readonly metered: false
  subscribe(services: Services, call: OperationRun, plan: unknown): AsyncGenerator<z.output<Output>, void, undefined>
}

/** An operation of a feature that has these services. Default: of any feature. */
export type Operation<Given = never> =
  | ReadOperation<string, z.ZodObject, z.ZodType, Given>
  | WriteOperation<string, z.ZodObject, z.ZodType, Given>
  | ActionOperation<string, z.ZodObject, z.ZodType, z.ZodType, Given>
  | SubscriptionOperation<string, z.ZodObject, z.ZodType, Given>

/** The schema of the caller's input: the declared input, with `stream` if the operation can stream. */
export function acceptedInput(operation: Operation): z.ZodObject {
  let accepted = acceptedInputs.get(operation)
  if (!accepted) {
    accepted = (canStream(operation) ? operation.input.extend({ stream: streamFlag }) : operation.input).strict()
    acceptedInputs.set(operation, accepted)
  }
  return accepted
}

export function operationCost({ kind, cost = kind === 'action' ? 20 : 1 }: Pick<Operation, 'kind' | 'cost'>): number {
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
      /** Whether a list can be paged from its end, with `last` and `before`. Default: true. */
      readonly backwards?: boolean
    }
  | {
      readonly mutation: string
      /** Default: a field with the result if it is a record or of an action, or else the fields of the result. */
      readonly payload?: MutationPayload
    }
  | { readonly subscription: string }

/** The payload type of a mutation whose operation returns a record with other fields, or only the id of a record. */
export interface MutationPayload {
  /** The name of the record's field. */
  readonly record: string
  /** The schema of the record. Default: the output of the loader. */
  readonly type?: z.ZodType
  /** Loads the record by the `id` of the result, unless the result has all of its fields. */
  readonly loader?: Loader<unknown>
  /** Fields of the result beside the record. Default: none. */
  readonly fields?: readonly string[]
}

/** Loads the records of `node(id:)` by the prefix of their id. All of one document are loaded together and cost one unit. */
export interface NodeSource {
  /** The part of the id before the underscore. */
  readonly prefix: string
  readonly loader: Loader<unknown>
}

const errorsOfKind = {
  read: [],
  write: [],
  action: ['CONTENT_REFUSED', 'RATE_LIMIT_EXCEEDED', 'PROVIDER_ERROR', 'PROVIDER_TIMEOUT', 'PROVIDER_UNAVAILABLE'],
  subscription: [],
} as const satisfies Record<Operation['kind'], readonly ErrorCode[]>

const commonErrors = [
  'INVALID_REQUEST',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]

/**
 * All error codes of an operation, in the order of the table, except for errors of the transport, such as
 * `PAYLOAD_TOO_LARGE`.
 */
export function possibleErrors(operation: Operation): readonly ErrorCode[] {
  const { kind, access, metered, errors = [] } = operation
  const found = new Set<ErrorCode>([...commonErrors, ...errorsOfKind[kind], ...errors])
  // A request can name a project that does not exist.
  if (!('anonymous' in access)) found.add('UNAUTHORIZED').add('FORBIDDEN').add('NOT_FOUND')
  if ((kind === 'write' || kind === 'subscription') && !('anonymous' in access)) found.add('RATE_LIMIT_EXCEEDED')
  if (metered) found.add('QUOTA_EXCEEDED').add('RATE_LIMIT_EXCEEDED')
  if (metered && kind === 'action') found.add('BUDGET_EXCEEDED')
  if (takesIdempotencyKey(operation)) found.add('CONFLICT').add('IDEMPOTENCY_KEY_REUSED')
  return errorCodes.filter((code) => found.has(code))
}

/** Whether the operation accepts an Idempotency-Key. */
export function takesIdempotencyKey({ kind, access, rest }: Operation): boolean {
  const isOfSignIn = 'anonymous' in access || rest?.path.startsWith('/auth/') === true
  return (kind === 'write' || kind === 'action') && !isOfSignIn
}
