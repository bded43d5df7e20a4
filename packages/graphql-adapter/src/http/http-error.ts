import { clip, type ErrorCode, type ErrorDetails, type FairleadCore, maxMessageLength } from '@fairlead/core'
import { describeExcess, type JsonExcess } from '@fairlead/node-http'
import { GraphQLError } from 'graphql'
import type { ErrorExtensions } from '../error-extensions.ts'
import { type HttpStatus, withStatus } from '../execution/request-error.ts'

/** What the statuses with which yoga refuses a request are called in core. */
const codes: Readonly<Record<number, ErrorCode>> = {
  403: 'FORBIDDEN',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
}

const noDetails: ErrorDetails = { field: null, issue: null, issues: [] }

/** A refusal that HTTP has a status for. */
export function httpError(
  code: ErrorCode,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): GraphQLError {
  return withStatus(new GraphQLError(message, { extensions: { code, details: noDetails } }), {
    status,
    spec: false,
    headers,
  })
}

/** Why a body was not read to its end. */
export function excessError(excess: JsonExcess | undefined, maxBytes: number): GraphQLError {
  const message = describeExcess(excess, maxBytes)
  return excess === 'depth' ? httpError('INVALID_REQUEST', 400, message) : httpError('PAYLOAD_TOO_LARGE', 413, message)
}

/** What is thrown where no operation runs, in yoga's hands, until it is known which request it belongs to. */
export function wrapped(error: unknown): GraphQLError {
  return error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error as Error })
}

/** An error of a request in the form of core's, whether yoga or we refused it. A defect is masked and logged. */
export function toHttpError(error: GraphQLError, core: FairleadCore, requestId: string): GraphQLError {
  if (error.extensions['requestId'] !== undefined) return error
  const http = error.extensions['http'] as HttpStatus | undefined
  if (!http) {
    const masked = core.refuse(error.originalError ?? error, { requestId }).error
    return shaped(
      masked.message,
      { code: masked.code, details: masked.details, requestId },
      { status: 500, spec: false },
    )
  }
  const code = codes[http.status] ?? 'INVALID_REQUEST'
  // Even a client that knows no other media type reads the status of a request that is none.
  return shaped(error.message, { code, details: noDetails, requestId }, { ...http, spec: false })
}

function shaped(message: string, extensions: ErrorExtensions, http: HttpStatus): GraphQLError {
  return withStatus(new GraphQLError(clip(message, maxMessageLength), { extensions: { ...extensions } }), http)
}
