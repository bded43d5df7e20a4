import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { packageFolder } from '../../package-folder.ts'

/** A byte-pair encoding. Tokens are the bytes of a text in UTF-8, each byte as one character (Latin-1). */
export interface BytePairs {
  encode(text: string): string[]
}

const tokenCount = 199_998

/** Words whose tokens are kept: a text repeats its own words, and rarely another's. */
const maxMerged = 10_000

/** How o200k_base divides a text before it merges bytes, as tiktoken defines it. */
const divider = (() => {
  const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
  const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
  const before = String.raw`[^\r\n\p{L}\p{N}]?`
  const after = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?"
  const words = [`${before}${upper}*${lower}+${after}`, `${before}${upper}+${lower}*${after}`]
  const others = [String.raw`\p{N}{1,3}`, String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`]
  const spaces = [String.raw`\s*[\r\n]+`, String.raw`\s+(?!\S)`, String.raw`\s+`]
  return new RegExp([...words, ...others, ...spaces].join('|'), 'gu')
})()

const beyondAscii = /[^\0-\x7f]/

/** Reads the table of o200k_base. */
export async function loadBytePairs(): Promise<BytePairs> {
  const packed = await readFile(new URL('tokens/o200k_base.br', packageFolder))
  const table = (await promisify(brotliDecompress)(packed)).toString('latin1')
  const ranks = new Map<string, number>()
  let start = tokenCount
  for (let rank = 0; rank < tokenCount; rank++) {
    const end = start + table.charCodeAt(rank)
    ranks.set(table.slice(start, end), rank)
    start = end
  }
  const merged = new Map<string, readonly string[]>()
  const tokensOf = (piece: string): readonly string[] => {
    const bytes = beyondAscii.test(piece) ? Buffer.from(piece).toString('latin1') : piece
    if (ranks.has(bytes)) return [bytes]
    const tokens = mergedBytes(bytes, ranks)
    if (merged.size === maxMerged) merged.clear()
    // A copy: the piece is a slice, which would keep its whole text in memory.
    merged.set(Buffer.from(bytes, 'latin1').toString(), tokens)
    return tokens
  }
  return {
    encode(text) {
      const tokens: string[] = []
      for (const [piece] of text.matchAll(divider)) tokens.push(...(merged.get(piece) ?? tokensOf(piece)))
      return tokens
    },
  }
}

/** Merges the neighbors whose token has the lowest rank, again and again, until no neighbors are a token together. */
function mergedBytes(bytes: string, ranks: ReadonlyMap<string, number>): readonly string[] {
  const parts = [...bytes]
  const rankAt = (index: number) =>
    index + 1 < parts.length ? (ranks.get(parts[index]! + parts[index + 1]!) ?? Infinity) : Infinity
  const pairs = parts.map((_, index) => rankAt(index))
  while (true) {
    let lowest = Infinity
    let at = 0
    for (let index = 0; index < pairs.length; index++) {
      if (pairs[index]! < lowest) {
        lowest = pairs[index]!
        at = index
      }
    }
    if (lowest === Infinity) return parts
    parts.splice(at, 2, parts[at]! + parts[at + 1]!)
    pairs.splice(at, 1)
    pairs[at] = rankAt(at)
    if (at > 0) pairs[at - 1] = rankAt(at - 1)
  }
}
