import type { Sampling } from './sampling.ts'

/** The keys by which a choice may be remembered: itself, and the words that it is sure to say. */
export interface Remembered {
  readonly words: readonly string[]
}

/** How much the grammar dislikes saying a word again, before any penalty of the request; a sentence said twice is worse. */
const ownDislike = 0.8
const mostDislike = 5

/** Remembers what an answer has said, and what that costs whoever would say it again. */
export class Memory {
  readonly #picks = new Map<unknown, number>()
  readonly #words = new Map<string, number>()
  readonly #frequencyPenalty: number
  readonly #presencePenalty: number

  constructor({ frequencyPenalty, presencePenalty }: Pick<Sampling, 'frequencyPenalty' | 'presencePenalty'>) {
    this.#frequencyPenalty = frequencyPenalty
    this.#presencePenalty = presencePenalty
  }

  note(choice: unknown, { words }: Remembered): void {
    this.#picks.set(choice, (this.#picks.get(choice) ?? 0) + 1)
    for (const word of words) this.#words.set(word, (this.#words.get(word) ?? 0) + 1)
  }

  /** Whether all of these words would be new. */
  isNew({ words }: Remembered): boolean {
    return words.every((word) => !this.#words.has(word))
  }

  /** To be taken from the logit of a choice. The words count on average, so that a long phrase is no worse off. */
  cost(choice: unknown, { words }: Remembered): number {
    const picks = this.#picks.get(choice) ?? 0
    const uses = words.map((word) => this.#words.get(word) ?? 0)
    const average = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / (counts.length || 1)
    const frequency = Math.max(picks, average(uses))
    const presence = Math.max(Math.min(picks, 1), average(uses.map((count) => Math.min(count, 1))))
    const dislike = Math.min(ownDislike * (1 + picks * words.length), mostDislike)
    return (dislike + this.#frequencyPenalty) * frequency + this.#presencePenalty * presence
  }
}
