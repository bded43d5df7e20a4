import type { FinishReason } from '@fairlead/core/provider'

/** An answer as it leaves: one string per token, none of them empty. */
export interface CutAnswer {
  readonly pieces: readonly string[]
  readonly tokens: number
  readonly finishReason: FinishReason
  /** The stop string that ended it. */
  readonly stopSequence?: string
}

export interface Limits {
  /** Default: no limit. */
  readonly maxTokens?: number
  readonly stop?: readonly string[]
}

/** Ends an answer where the request says: before the first stop string, or after so many tokens. */
export function cutAnswer(pieces: readonly string[], { maxTokens = Infinity, stop = [] }: Limits): CutAnswer {
  const allowed = pieces.slice(0, maxTokens)
  const end = firstStop(allowed.join(''), stop)
  const kept = end ? upTo(allowed, end.at) : allowed
  return {
    pieces: kept.filter((piece) => piece !== ''),
    tokens: kept.length,
    finishReason: !end && pieces.length > maxTokens ? 'length' : 'stop',
    ...(end && { stopSequence: end.sequence }),
  }
}

function firstStop(text: string, stop: readonly string[]) {
  const found = stop
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ sequence, at }) => sequence !== '' && at >= 0)
  return found.toSorted((one, other) => one.at - other.at)[0]
}

/** The pieces that hold the first `length` UTF-16 units; a stop string may begin in the middle of a token. */
function upTo(pieces: readonly string[], length: number): string[] {
  const kept: string[] = []
  let left = length
  for (const piece of pieces) {
    if (left <= 0) break
    kept.push(piece.slice(0, left))
    left -= piece.length
  }
  return kept
}
