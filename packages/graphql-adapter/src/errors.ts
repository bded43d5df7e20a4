import { type ErrorCode, type ErrorDetails, type Failure, FairleadError } from '@fairlead/core'
import { clip, type FairleadCore, type JsonExcess, maxMessageLength } from '@fairlead/core/adapter'
import { describeExcess } from '@fairlead/http'
import { type ASTNode, GraphQLError, isValueNode, Kind, visit } from 'graphql'

/** The `extensions` of every error. */
export interface ErrorExtensions {
  readonly code: ErrorCode
  readonly details: ErrorDetails
  readonly requestId: string
  /** When to retry, in milliseconds. */
  readonly retryAfterMs?: number
  readonly [name: string]: unknown
}

/** The HTTP status of a rejected request. Yoga reads it; it is not serialized. */
export interface HttpStatus {
  readonly status: number
  /** Whether clients that accept only `application/json` get 200 instead. */
  readonly spec: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** An invalid field of an input. The issue never repeats a value, which may be a password. */
export interface Fault {
  /** In core's notation: `maxTokens`, `tasks[0]`, `origin.city`. */
  readonly field: string
  readonly issue: string
}

/** Why an operation is rejected. It belongs to the document, not to one request. */
export interface Refusal {
  readonly error: GraphQLError
  readonly fault: Fault | undefined
}

/** The maximum number of errors reported for a document or its variables. */
export const maxErrors = 20
/** The maximum number of locations per error: a cycle of fragments has one for each fragment. */
const maxLocations = 5

function toDetails(fault: Fault | undefined): ErrorDetails {
  return fault ? { ...fault, issues: [fault] } : { field: null, issue: null, issues: [] }
}

/** Converts a failure of core to a GraphQL error. */
export function toGraphqlError({ error, meta, retryAfterMs }: Failure): GraphQLError {
  const { code, message, details } = error
  return new GraphQLError(clip(message, maxMessageLength), {
    extensions: {
      code,
      details,
      requestId: meta.requestId,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    } satisfies ErrorExtensions,
  })
}

/** The error that validation reports for a fault. */
export function faultError(fault: Fault, nodes: ASTNode): GraphQLError {
  return new GraphQLError(`${fault.field} ${fault.issue}`, { nodes, extensions: { fault } })
}

/**
 * The refusal of a document.
 *
 * @param suggestions whether the message may suggest a name
 */
export function toRefusal(error: GraphQLError, suggestions = true): Refusal {
  const message = toMessage(error)
  return { error: shortened(error, suggestions ? message : message.replace(suggestion, '')), fault: findFault(error) }
}

/** GraphQL 16.11 has no option to leave it out. */
const suggestion = / Did you mean [^]*\?$/

/** The refusal of a variable's value. */
export function faultRefusal(fault: Fault): Refusal {
  return { error: new GraphQLError(clip(`${fault.field} ${fault.issue}`, maxMessageLength)), fault }
}

/** A syntax error names the token found. The value of the token is removed, as it may be a password. */
function toMessage({ message }: GraphQLError): string {
  return message.startsWith('Syntax Error: ') ? message.replace(foundValue, ' $1.') : message
}

const foundValue = / (String|BlockString|Int|Float) "[^]*/

function findFault({ extensions, nodes, message }: GraphQLError): Fault | undefined {
  const [node] = nodes ?? []
  if (node?.kind === Kind.VARIABLE_DEFINITION) return { field: node.variable.name.value, issue: message }
  return extensions['fault'] as Fault | undefined
}

/** Converts refusals to the errors of one request. */
export function toRequestErrors(refusals: readonly Refusal[], requestId: string): readonly GraphQLError[] {
  return refusals.map(({ error, fault }) => {
    const shown = shortened(error, error.message, { code: 'INVALID_REQUEST', details: toDetails(fault), requestId })
    return withStatus(shown, { status: 400, spec: true })
  })
}

/** Converts an error of execution: errors of core stay as they are, invalid arguments name the field, bugs are masked and logged. */
export function toFieldError(
  error: GraphQLError,
  { core, requestId }: { readonly core: FairleadCore; readonly requestId: string },
  isNull: (variable: string) => boolean,
): GraphQLError {
  if (error.extensions['code'] !== undefined) return error
  const fault = nullFault(error, isNull)
  if (fault) {
    const details = toDetails(fault)
    return shortened(error, `${fault.field} ${fault.issue}`, { code: 'INVALID_REQUEST', details, requestId })
  }
  const { code, message, details } = core.refuse(error.originalError ?? error, { requestId }).error
  return shortened(error, message, { code, details, requestId })
}

/** A nullable variable with a default may be used where null is invalid. Only execution finds that it is null. */
function nullFault({ nodes, originalError }: GraphQLError, isNull: (variable: string) => boolean): Fault | undefined {
  const [node] = nodes ?? []
  if (!node || !isValueNode(node) || (originalError && !(originalError instanceof GraphQLError))) return undefined
  let field: string | undefined
  // GraphQL 16 names the whole argument.
  visit(node, {
    Variable({ name }) {
      if (isNull(name.value)) field ??= name.value
    },
  })
  return field === undefined ? undefined : { field, issue: 'is required' }
}

/** An error with an HTTP status. */
export function httpError(
  code: ErrorCode,
  status: number,
  message: string,
  { headers = {}, fault }: { readonly headers?: Readonly<Record<string, string>>; readonly fault?: Fault } = {},
): GraphQLError {
  const extensions = { code, details: toDetails(fault) }
  return withStatus(new GraphQLError(message, { extensions }), { status, spec: false, headers })
}

/** The error for a body that exceeds a limit. */
export function excessError(excess: JsonExcess | undefined, maxBytes: number): GraphQLError {
  const message = describeExcess(excess, maxBytes)
  return excess === 'depth' ? httpError('INVALID_REQUEST', 400, message) : httpError('PAYLOAD_TOO_LARGE', 413, message)
}

/** Rethrows an error of reading a body: without room for it, with the status and the header that it has over REST. */
export function noRoom(error: unknown): never {
  if (!(error instanceof FairleadError) || error.code !== 'SERVICE_UNAVAILABLE') throw error
  const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000)
  throw httpError('SERVICE_UNAVAILABLE', 503, error.message, { headers: { 'Retry-After': String(seconds) } })
}

/** Yoga expects GraphQL errors. The original error is kept until the request is known. */
export function wrapped(error: unknown): GraphQLError {
  return error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error as Error })
}

/** The error codes for the statuses with which yoga rejects requests. */
const codes: Readonly<Record<number, ErrorCode>> = {
  403: 'FORBIDDEN',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  503: 'SERVICE_UNAVAILABLE',
}

/** Converts an error of the HTTP layer, whether yoga's or ours. Bugs are masked and logged. */
export function toHttpError(error: GraphQLError, core: FairleadCore, requestId: string): GraphQLError {
  if (error.extensions['requestId'] !== undefined) return error
  const http = error.extensions['http'] as HttpStatus | undefined
  if (!http) {
    const { code, message, details } = core.refuse(error.originalError ?? error, { requestId }).error
    return withStatus(shortened(error, message, { code, details, requestId }), { status: 500, spec: false })
  }
  const code = codes[http.status] ?? 'INVALID_REQUEST'
  const details = (error.extensions['details'] as ErrorDetails | undefined) ?? toDetails(undefined)
  // Every client gets the status of a request that is not a GraphQL request.
  return withStatus(shortened(error, error.message, { code, details, requestId }), { ...http, spec: false })
}

export function withStatus(error: GraphQLError, http: HttpStatus): GraphQLError {
  Object.defineProperty(error.extensions, 'http', { value: http, enumerable: false })
  return error
}

function shortened(
  { source, positions, path }: GraphQLError,
  message: string,
  extensions?: ErrorExtensions,
): GraphQLError {
  return new GraphQLError(clip(message, maxMessageLength), {
    source,
    positions: positions?.slice(0, maxLocations),
    path,
    ...(extensions && { extensions: { ...extensions } }),
  })
}
