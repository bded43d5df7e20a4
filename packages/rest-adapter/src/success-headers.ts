import type { Streaming, Success } from '@fairlead/core'
import { answerHeaders, type Exchange } from './exchange.ts'

/** The headers of a success; of a replayed one, under the id of the request that it answered first. */
export function successHeaders(
  exchange: Exchange,
  reply: Success<unknown> | Streaming<unknown, unknown>,
): Record<string, string> {
  return {
    ...answerHeaders(exchange, reply),
    ...('version' in reply && { ETag: `"${reply.version}"` }),
    ...(reply.replayed && { 'Idempotent-Replayed': 'true', 'X-Request-Id': reply.meta.requestId }),
  }
}
