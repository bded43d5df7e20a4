import { limitHeaders } from '@fairlead/node-http'
import type { GraphqlContext } from '../context.ts'

/** The headers of every answer, those of a limited caller with where it stands after the last field. */
export function answerHeaders({ requestId, vary, outcome }: GraphqlContext, now: number): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    Vary: vary === undefined ? 'Authorization, Accept' : `${vary}, Authorization, Accept`,
    ...limitHeaders(outcome, now),
  }
}
