import { clip, type ErrorCode, type ErrorDetails, type Failure, maxMessageLength } from '@fairlead/core'
import { GraphQLError } from 'graphql'

/** What every error says of itself beside its message. */
export interface ErrorExtensions {
  readonly code: ErrorCode
  readonly details: ErrorDetails
  readonly requestId: string
  /** When trying again makes sense, in milliseconds. */
  readonly retryAfterMs?: number
  readonly [name: string]: unknown
}

/** A failure of core's as an error of GraphQL's. */
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
