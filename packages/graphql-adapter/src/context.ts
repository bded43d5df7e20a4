import type { Account, Credentials, ErrorCode, BurstLimit, Limits } from '@fairlead/core'
import type { FairleadCore, OpenCall } from '@fairlead/core/adapter'
import { addLimits, type BodyHold, type HeaderList } from '@fairlead/http'

/** The context value of one request. */
export interface GraphqlContext {
  readonly core: FairleadCore
  readonly credentials: Credentials | Promise<Credentials>
  readonly requestId: string
  /** The network address of the client. Throttles count by it. */
  readonly address: string
  /** The header `User-Agent`. */
  readonly userAgent?: string | undefined
  /** The header `X-Fairlead-Tags`. */
  readonly tags?: string | undefined
  /** The `Vary` header that other layers have set. */
  readonly vary?: string | undefined
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  readonly outcome: Outcome
}

/** The facts about a request that are known so far. One mutable object, because yoga copies the context around it. */
export interface Outcome {
  /** The caller's limits after the fields resolved so far. */
  limits?: Limits
  burst?: BurstLimit
  /** The code of the first error, for the log. */
  code?: ErrorCode | undefined
  /** The runs of the fields so far. */
  readonly calls: OpenCall[]
  /** The room that the body of the request takes. */
  bodyHold?: BodyHold
}

/** The user of the request. Undefined until a field has verified the credentials. */
export function findAccount({ outcome }: GraphqlContext): Account | undefined {
  return outcome.calls.map(({ caller }) => caller).find((caller) => caller.kind === 'account')
}

/** The headers of every response. */
export function responseHeaders({ requestId, vary, outcome }: GraphqlContext, now: number): HeaderList {
  const varies = vary === undefined ? 'Authorization, Accept' : `${vary}, Authorization, Accept`
  const headers = ['X-Request-Id', requestId, 'Cache-Control', 'no-store', 'Vary', varies]
  addLimits(headers, outcome, now)
  return headers
}
