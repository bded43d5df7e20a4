/** A compromise between the rates of models that reason, from 40 to 300. */
export const defaultTokensPerSecond = 100

/** The weight of the latest answer. */
const weight = 0.2

/** How many tokens a target writes per millisecond: a moving average, or the operator's figure until there is one. */
export class OutputRate {
  perMs: number
  #isMeasured = false

  constructor(tokensPerSecond: number) {
    this.perMs = tokensPerSecond / 1_000
  }

  measure(tokens: number, ms: number): void {
    const measured = tokens / ms
    this.perMs = this.#isMeasured ? this.perMs + weight * (measured - this.perMs) : measured
    this.#isMeasured = true
  }
}
