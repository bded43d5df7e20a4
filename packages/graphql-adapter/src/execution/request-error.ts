import { clip, type ErrorDetails, type FairleadCore, maxMessageLength } from '@fairlead/core'
import { GraphQLError, Kind } from 'graphql'
import type { ErrorExtensions } from '../error-extensions.ts'
import type { Fault } from './input-faults.ts'

/** What the HTTP status is of a request that is refused as a whole; yoga reads it, no client sees it. */
export interface HttpStatus {
  readonly status: number
  /** Whether a client that accepts `application/json` alone gets 200 all the same. */
  readonly spec: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** Why an operation is not run, to be told in any request that asks for it. */
export interface Refusal {
  readonly error: GraphQLError
  readonly fault: Fault | undefined
}

/** How many errors of one document, or of its variables, are found and reported. */
export const maxErrors = 20
/** How many places of a document one error names: a circle of fragments has as many as it has fragments. */
const maxLocations = 5

export function toRefusal(error: GraphQLError): Refusal {
  return { error: shortened(error, messageOf(error)), fault: error.extensions['fault'] as Fault | undefined }
}

/** A refusal of what a variable has been given. */
export function faultRefusal(fault: Fault): Refusal {
  return { error: new GraphQLError(clip(`${fault.field} ${fault.issue}`, maxMessageLength)), fault }
}

/** A syntax error names the token that it found; what that token is worth may be a password. */
function messageOf({ message }: GraphQLError): string {
  return message.startsWith('Syntax Error: ') ? message.replace(foundValue, ' $1.') : message
}

const foundValue = / (String|BlockString|Int|Float) "[^]*/

/** Refusals in the form of every other error: with the field at fault, where one is. */
export function toRequestErrors(refusals: readonly Refusal[], requestId: string): readonly GraphQLError[] {
  return refusals.map(({ error, fault }) => {
    const { field, issue } = fault ?? { field: null, issue: null }
    const details: ErrorDetails = { field, issue, issues: fault ? [fault] : [] }
    const shown = shortened(error, error.message, { code: 'INVALID_REQUEST', details, requestId })
    return withStatus(shown, { status: 400, spec: true })
  })
}

/** An error of a field: one of core's as it is, one of an argument as a refusal, and anything else masked and logged. */
export function toFieldError(error: GraphQLError, core: FairleadCore, requestId: string): GraphQLError {
  if (error.extensions['code'] !== undefined) return error
  const fault = nullFault(error)
  if (fault) {
    const details: ErrorDetails = { ...fault, issues: [fault] }
    return shortened(error, `${fault.field} ${fault.issue}`, { code: 'INVALID_REQUEST', details, requestId })
  }
  const masked = core.refuse(error.originalError ?? error, { requestId }).error
  return shortened(error, masked.message, { code: masked.code, details: masked.details, requestId })
}

/**
 * A variable with a default may stand where null may not, and is null all the same. Everything else about inputs is known
 * before an operation runs.
 */
function nullFault({ nodes, originalError }: GraphQLError): Fault | undefined {
  const [node] = nodes ?? []
  if (node?.kind !== Kind.VARIABLE || (originalError && !(originalError instanceof GraphQLError))) return undefined
  return { field: node.name.value, issue: 'is required' }
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
