import type { ErrorDetails, FairleadCore } from '@fairlead/core'
import { type DocumentNode, GraphQLError } from 'graphql'
import type { ErrorExtensions } from '../error-extensions.ts'
import { type Fault, faultOf, withoutValue } from './field-at-fault.ts'

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

/** So many are found and told of one request. */
export const mostErrors = 20

export function toRefusal(error: GraphQLError, document?: DocumentNode): Refusal {
  return { error, fault: faultOf(error, document) }
}

/** Refusals in the form of every other error: with the field at fault, where one is. */
export function toRequestErrors(refusals: readonly Refusal[], requestId: string): readonly GraphQLError[] {
  return refusals.map(({ error, fault }) => {
    const { field, issue } = fault ?? { field: null, issue: null }
    const details: ErrorDetails = { field, issue, issues: fault ? [fault] : [] }
    const message = fault ? `${fault.field} ${fault.issue}` : withoutValue(error.message)
    const shown = copy(error, message, { code: 'INVALID_REQUEST', details, requestId })
    return withStatus(shown, { status: 400, spec: true })
  })
}

/** An error of a field: one of core's as it is, one of an argument as a refusal, and anything else masked and logged. */
export function toFieldError(error: GraphQLError, core: FairleadCore, requestId: string): GraphQLError {
  if (error.extensions['code'] !== undefined) return error
  const fault = /^(Argument|Variable) "/.test(error.message) ? faultOf(error) : undefined
  if (fault) {
    const details: ErrorDetails = { ...fault, issues: [fault] }
    return copy(error, `${fault.field} ${fault.issue}`, { code: 'INVALID_REQUEST', details, requestId })
  }
  const masked = core.refuse(error.originalError ?? error, { requestId }).error
  return copy(error, masked.message, { code: masked.code, details: masked.details, requestId })
}

export function withStatus(error: GraphQLError, http: HttpStatus): GraphQLError {
  Object.defineProperty(error.extensions, 'http', { value: http, enumerable: false })
  return error
}

function copy({ nodes, source, positions, path }: GraphQLError, message: string, extensions: ErrorExtensions) {
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions } })
}
