import type { FinishReason } from '@fairlead/core/provider'

/** An answer as it leaves: one string per token, none of them empty. */
export interface CutAnswer {
  readonly pieces: readonly string[]
  readonly tokens: number
  readonly finishReason: FinishReason
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
  const kept = end === undefined ? allowed : upTo(allowed, end)
  return {
    pieces: kept.filter((piece) => piece !== ''),
    tokens: kept.length,
    finishReason: end === undefined && pieces.length > maxTokens ? 'length' : 'stop',
  }
}

function firstStop(text: string, stop: readonly string[]): number | undefined {
  const found = stop.filter((string) => string !== '').map((string) => text.indexOf(string))
  const places = found.filter((place) => place >= 0)
  return places.length > 0 ? Math.min(...places) : undefined
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
