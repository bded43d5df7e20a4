import type { AnswerUsage } from '@fairlead/core/provider'
import { hasGrown } from '@fairlead/provider-toolkit'
import type { Counted } from './finish.ts'

const charactersPerToken = 4

/** The counts of a stream, which cover the whole answer, the answer so far in each chunk, or each chunk alone. */
export class StreamedUsage {
  #last: Counted | undefined
  /** The one with the longest prompt: some servers count it once. */
  #longest: AnswerUsage | undefined
  #reported: AnswerUsage | undefined
  #first = 0
  #sum = 0
  #isRising = true
  #disagrees = false

  /** Adds the counts of a chunk. Returns those to report before the end. */
  add(counted: Counted): AnswerUsage | undefined {
    const { usage } = counted
    const { completionTokens } = usage
    const last = this.#last?.usage
    if (!last) this.#first = completionTokens
    else if (completionTokens < last.completionTokens) this.#isRising = false
    if (!this.#longest || usage.promptTokens >= this.#longest.promptTokens) this.#longest = usage
    this.#sum += completionTokens
    this.#disagrees ||= counted.disagrees
    this.#last = counted
    if (!hasGrown(this.#reported, usage)) return undefined
    this.#reported = usage
    return usage
  }

  /**
   * The counts of the whole answer. The counts of single chunks do not rise; they are added up if the sum is nearer to
   * the length of the answer than the last.
   *
   * @param length of the answer in characters
   */
  total(length: number): Counted | undefined {
    const last = this.#last
    if (!last || !this.#longest) return last
    const { completionTokens, native: _native, ...others } = last.usage
    const { promptTokens, cachedPromptTokens, cacheWriteTokens } = this.#longest
    const isRising = this.#isRising && completionTokens > this.#first
    const estimate = length / charactersPerToken
    if (isRising || estimate ** 2 <= completionTokens * this.#sum) return { ...last, disagrees: this.#disagrees }
    const caches = { ...(cachedPromptTokens && { cachedPromptTokens }), ...(cacheWriteTokens && { cacheWriteTokens }) }
    return {
      usage: { ...others, promptTokens, ...caches, completionTokens: this.#sum },
      disagrees: this.#disagrees,
    }
  }
}
