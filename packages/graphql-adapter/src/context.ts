import type { Credentials, ErrorCode, FairleadCore, BurstLimit, IdentifiedCaller, Limits } from '@fairlead/core'

/** One request, as its fields see it. */
export interface GraphqlContext {
  readonly core: FairleadCore
  readonly credentials: Credentials | Promise<Credentials>
  readonly requestId: string
  /** The network address of the caller, where throttles count by it. */
  readonly address: string
  /** What other layers of the server vary their answers by, as `Vary` has it. */
  readonly vary?: string | undefined
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
  readonly outcome: Outcome
}

/** What became of a request so far. It is one object, since yoga copies what is around it. */
export interface Outcome {
  /** Where a limited caller stands after the fields that were answered so far. */
  limits?: Limits
  burst?: BurstLimit
  /** What the first error of the answer is called, for the log. */
  code?: ErrorCode | undefined
  /** Whose request it is, for the log; unknown until a field's credentials are found good. */
  caller?: IdentifiedCaller
}
