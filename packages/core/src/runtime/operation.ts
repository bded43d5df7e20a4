import { z } from 'zod'
import type { LookUp } from './loaders.ts'
import type { Access } from './access.ts'
import type { Call, Services } from './call.ts'
import { type ErrorCode, errorCodes } from './errors.ts'
import type { RuntimeTransaction } from './stores.ts'

/** What every operation declares, whatever its kind; adapters and documents are projections of it. */
interface Declaration<Name extends string, Input extends z.ZodObject, Output extends z.ZodType> {
  /** Unique, camelCase: the embedded method, the GraphQL root field, the label in metrics. */
  readonly name: Name
  /** One sentence for the documents. */
  readonly summary: string
  readonly access: Access
  /** Whether a unit of the monthly quota is charged for each success. */
  readonly metered: boolean
  /** Default: REST does not offer it. */
  readonly rest?: RestRoute
  /** Default: GraphQL does not offer it. */
  readonly graphql?: GraphqlField
  /** camelCase; unknown fields are refused. */
  readonly input: Input
  readonly output: Output
  /** Whether a success makes a record; it is the output, or a field of it, and has an `id`. Default: false. */
  readonly creates?: boolean
  /** Whether a success is one page of a list, and takes the fields of `pageInput`. Default: false. */
  readonly paged?: boolean
  /** Whether a success tells the version of its record, and a caller may ask for just that one. Default: false. */
  readonly versioned?: boolean
  /** How it may be refused beside what its kind, access and metering bring: see `errorsOf`. Default: no other way. */
  readonly errors?: readonly ErrorCode[]
  /** The work of one call, where a simple look-up is 1: a GraphQL document is limited by the sum. Default: 20 for inference, else 1. */
  readonly cost?: number
  /** Set where callers should stop using it: it works until its sunset. */
  readonly deprecated?: Deprecation
}

/** The end of an operation, announced. */
export interface Deprecation {
  /** The day from which it counts as deprecated: `2027-01-31`. */
  readonly since: string
  /** The day from which it may be gone. */
  readonly sunset: string
  /** What does its work from then on: the name of an operation. */
  readonly instead: string
}

/**
 * Looks something up.
 *
 * `prepare` finds everything that can be refused without doing the work; what it throws is free of charge. What it
 * returns is the plan that `run` gets; without it, `run` gets the input.
 */
export interface ReadOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Plan,
> extends Declaration<Name, Input, Output> {
  readonly kind: 'read'
  prepare?(services: Services, call: Call, input: z.output<Input>): Plan | Promise<Plan>
  run(services: Services, call: Call, plan: Plan): Result<Output>
}

/**
 * Changes records. Reserving, the change, its events and its usage are one transaction; whatever `apply` throws rolls all
 * of it back. Nothing but `tx` may be awaited in `apply`.
 */
export interface WriteOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Plan,
> extends Declaration<Name, Input, Output> {
  readonly kind: 'write'
  prepare?(services: Services, call: Call, input: z.output<Input>): Plan | Promise<Plan>
  apply(tx: RuntimeTransaction, call: Call, plan: Plan): Result<Output>
}

/** Asks a provider. No transaction is open meanwhile; the unit is given back unless the answer is a success. */
export interface InferenceOperation<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Plan,
  Chunk extends z.ZodType = z.ZodNever,
> extends Declaration<Name, Input, Output> {
  readonly kind: 'inference'
  prepare?(services: Services, call: Call, input: z.output<Input>): Plan | Promise<Plan>
  run(services: Services, call: Call, plan: Plan): Result<Output>
  /** How to answer piece by piece. Callers ask for it with `stream: true`, a field that is added to the input. */
  readonly stream?: {
    readonly chunk: Chunk
    /**
     * Yields chunks and returns the same result as `run` would. Rejects soon after the call's signal aborts, as what it
     * asks of the router does: nothing else ends the wait for its next chunk.
     */
    run(services: Services, call: Call, plan: Plan): AsyncGenerator<z.output<Chunk>, z.output<Output>, undefined>
    /** A whole result as one chunk, for a caller that gets it again. */
    whole(result: z.output<Output>): z.output<Chunk>
  }
  /** Keeps records that belong to the result, in the transaction that settles it. */
  record?(tx: RuntimeTransaction, call: Call, result: z.output<Output>): Promise<void>
}

type Result<Output extends z.ZodType> = Promise<z.output<Output>>

/** Any operation, where its types don't matter. */
export type Operation =
  | ReadOperation<string, z.ZodObject, z.ZodType, unknown>
  | WriteOperation<string, z.ZodObject, z.ZodType, unknown>
  | InferenceOperation<string, z.ZodObject, z.ZodType, unknown, z.ZodType>

/** Declares an operation. It is wired nowhere: the runtime runs it, and adapters read what it says of itself. */
export function defineOperation<Name extends string, I extends z.ZodObject, O extends z.ZodType, Plan = z.output<I>>(
  operation: ReadOperation<Name, I, O, Plan>,
): ReadOperation<Name, I, O, Plan>
export function defineOperation<Name extends string, I extends z.ZodObject, O extends z.ZodType, Plan = z.output<I>>(
  operation: WriteOperation<Name, I, O, Plan>,
): WriteOperation<Name, I, O, Plan>
export function defineOperation<
  Name extends string,
  I extends z.ZodObject,
  O extends z.ZodType,
  Plan = z.output<I>,
  Chunk extends z.ZodType = z.ZodNever,
>(operation: InferenceOperation<Name, I, O, Plan, Chunk>): InferenceOperation<Name, I, O, Plan, Chunk>
export function defineOperation(operation: Operation): Operation {
  return operation
}

/** What callers may send: the declared input, and `stream` where the operation can. */
export function acceptedInput(operation: Operation): z.ZodObject {
  let accepted = acceptedInputs.get(operation)
  if (!accepted) {
    accepted = (canStream(operation) ? operation.input.extend({ stream: streamFlag }) : operation.input).strict()
    acceptedInputs.set(operation, accepted)
  }
  return accepted
}

/** The work of one call, where a simple look-up is 1. */
export function costOf({ kind, cost = kind === 'inference' ? 20 : 1 }: Pick<Operation, 'kind' | 'cost'>): number {
  return cost
}

/** Whether callers may ask for the answer piece by piece. */
export function canStream(operation: Operation): boolean {
  return operation.kind === 'inference' && operation.stream !== undefined
}

const acceptedInputs = new WeakMap<Operation, z.ZodObject>()
const streamFlag = z.boolean().default(false).describe('Whether to answer piece by piece, as it is made.')

/** What callers send to an operation. Arrays may be readonly, and optional fields undefined. */
export type InputOf<Op extends Operation> = Accepted<z.input<Op['input']>>

type Accepted<Value> = Value extends readonly (infer Entry)[]
  ? readonly Accepted<Entry>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Accepted<Value[Field]> | (undefined extends Value[Field] ? undefined : never) }
    : Value

/** What an operation answers with. */
export type DataOf<Op extends Operation> = z.output<Op['output']>
/** What an operation streams; never, where it can't. */
export type ChunkOf<Op> = Op extends { readonly stream?: { readonly chunk: infer Chunk extends z.ZodType } }
  ? z.output<Chunk>
  : never

const ofKind = {
  read: [],
  write: [],
  inference: ['CONTENT_REFUSED', 'PROVIDER_ERROR', 'PROVIDER_TIMEOUT', 'PROVIDER_UNAVAILABLE'],
} as const satisfies Record<Operation['kind'], readonly ErrorCode[]>

/** What any operation may answer with: its input may be wrong, the service broken, or busy. */
const always = ['INVALID_REQUEST', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const satisfies readonly ErrorCode[]

/**
 * Every way in which an operation may be refused, in the order of the table: what it declares, and what its kind, access,
 * metering and idempotency bring. What a transport adds, such as a body that is too large, is not among them.
 */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  const { kind, access, metered, errors = [] } = operation
  const found = new Set<ErrorCode>([...always, ...ofKind[kind], ...errors])
  if (!('anonymous' in access)) found.add('UNAUTHORIZED').add('FORBIDDEN')
  if (metered) found.add('QUOTA_EXCEEDED').add('RATE_LIMIT_EXCEEDED')
  if (takesIdempotencyKey(operation)) found.add('CONFLICT').add('IDEMPOTENCY_KEY_REUSED')
  return errorCodes.filter((code) => found.has(code))
}

/** Whether a caller may have the operation done once, under a key of its own. */
export function takesIdempotencyKey({ kind, access }: Operation): boolean {
  return kind !== 'read' && !('anonymous' in access)
}

export type RestMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The REST route of an operation. */
export interface RestRoute {
  readonly method: RestMethod
  /** Without a prefix. `{name}` is a segment whose value becomes the input field of that name. */
  readonly path: `/${string}`
  /** Whether the fields of the result also stand at the top level under `/v1`. Default: false. */
  readonly quickStart?: boolean
  /** For `Location`: the path of the created record, and the field of the result that holds it. Default: this path, the whole result. */
  readonly creates?: { readonly path: `/${string}`; readonly field: string }
  /** The largest body in bytes, where the service sets no limit for all routes. Default: 1 MiB. */
  readonly maxBodyBytes?: number
  /** What the operation does to the session whose refresh token may be in a cookie. Default: nothing. */
  readonly session?: 'begins' | 'continues' | 'ends'
}

/** The GraphQL root field of an operation. An operation that streams is a subscription too: `<mutation>Stream`. */
export type GraphqlField =
  | {
      readonly query: string
      /** How `node(id:)` finds the records that the operation returns. Default: it does not. */
      readonly node?: NodeSource
    }
  | {
      readonly mutation: string
      /** Default: the result of the operation. */
      readonly payload?: MutationPayload
    }

/** A payload type for a mutation, if the result of its operation is not the record itself. */
export interface MutationPayload {
  /** The field of the record. The record is loaded by the `id` of the result, unless the result has all of its fields. */
  readonly record: string
  readonly loader: LookUp<unknown>
  /** Fields of the result beside the record. Default: none. */
  readonly fields?: readonly string[]
}

/** The records that `node(id:)` finds under ids with a prefix. All of a document are loaded together, and cost one unit. */
export interface NodeSource {
  /** The part of the id before the underscore. */
  readonly prefix: string
  readonly loader: LookUp<unknown>
}

/**
 * Type names for schemas that have no `id`: GraphQL names every object and every enum. A schema without a name here is
 * named after the type and the field it stands in, such as `ModelPricing`.
 *
 * @example
 *   const tone = z.enum(['formal', 'casual']).register(typeNames, { name: 'Tone' })
 */
export const typeNames: z.core.$ZodRegistry<TypeName> = z.registry<TypeName>()

export interface TypeName {
  readonly name: string
  /** Default: none. */
  readonly description?: string
  /** Of an enum: a description for each value. Default: none. */
  readonly values?: Readonly<Record<string, string>>
}

/** A part of the API reference: the paths that begin with one of its segments. */
export interface ReferenceSection {
  readonly name: string
  readonly description: string
  /** The first segments of its paths. */
  readonly segments: readonly string[]
  /** The prefix under which the reference lists its paths. Default: none. */
  readonly prefix?: '' | '/v1' | '/api/v1'
}
