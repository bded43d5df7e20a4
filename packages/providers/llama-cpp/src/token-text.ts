const unfinished = '\uFFFD'
/** A character has at most four bytes, and a token at least one. */
const longestCharacter = 4
/** How many earlier tokens decide whether a space comes first. */
const remembered = 8

/** Converts tokens to text as they arrive, in complete characters. */
export class TokenText<Token> {
  readonly #detokenize: (tokens: readonly Token[], before: readonly Token[]) => string
  #past: readonly Token[]
  #pending: Token[] = []

  /** @param before the preceding tokens */
  constructor(detokenize: (tokens: readonly Token[], before: readonly Token[]) => string, before: readonly Token[]) {
    this.#detokenize = detokenize
    this.#past = before.slice(-remembered)
  }

  push(token: Token): string {
    this.#pending.push(token)
    const text = this.#detokenize(this.#pending, this.#past)
    if (text.endsWith(unfinished) && this.#pending.length < longestCharacter) return ''
    this.#past = [...this.#past, ...this.#pending].slice(-remembered)
    this.#pending = []
    return text
  }

  /** The rest, without an incomplete character. */
  flush(): string {
    return this.#pending.length === 0 ? '' : this.#detokenize(this.#pending, this.#past).replace(/\uFFFD+$/, '')
  }
}
