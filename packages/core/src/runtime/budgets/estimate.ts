/** An upper limit of the tokens of a run, before it begins. */
export interface Estimate {
  /** Of the prompt and the longest answer. */
  readonly tokens: number
  /** The tokens of the prompt. Default: 0. */
  readonly promptTokens?: number
  /** Whether neither the request nor the operation limits the answer, so that its cost is mostly far lower. Default: false. */
  readonly isUnlimited?: boolean
  /** In US dollars, with the dearest model that may answer. Models without a price count as 0. */
  readonly costUsd: number
  /** A model without a price that may answer, as `provider/id`. Undefined if all have a price. */
  readonly unpriced: string | undefined
}

/** The most that two parts of a run may use together. */
export function addEstimates(one: Estimate, other: Estimate): Estimate {
  return {
    tokens: one.tokens + other.tokens,
    promptTokens: (one.promptTokens ?? 0) + (other.promptTokens ?? 0),
    isUnlimited: one.isUnlimited === true || other.isUnlimited === true,
    costUsd: one.costUsd + other.costUsd,
    unpriced: one.unpriced ?? other.unpriced,
  }
}
