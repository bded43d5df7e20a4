/** Converts tokens to text as they arrive, in complete characters. */
export interface TokenText<Token> {
  push(token: Token): string
  /** Drops an incomplete character. */
  flush(): string
}

const unfinished = '\uFFFD'
/** A character has at most four bytes, and a token at least one. */
const longestCharacter = 4
/** How many earlier tokens decide whether a space comes first. */
const remembered = 8

/** @param before the preceding tokens */
export function tokenText<Token>(
  detokenize: (tokens: readonly Token[], before: readonly Token[]) => string,
  before: readonly Token[],
): TokenText<Token> {
  let past = before.slice(-remembered)
  let pending: Token[] = []
  const take = (): string => {
    const text = detokenize(pending, past)
    past = [...past, ...pending].slice(-remembered)
    pending = []
    return text
  }
  return {
    push(token) {
      pending.push(token)
      const waits = detokenize(pending, past).endsWith(unfinished) && pending.length < longestCharacter
      return waits ? '' : take()
    },
    flush: () => (pending.length === 0 ? '' : take().replace(/\uFFFD+$/, '')),
  }
}
