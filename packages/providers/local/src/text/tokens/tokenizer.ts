import { loadOnce } from '../../load-once.ts'
import { loadBytePairs } from './byte-pairs.ts'
import { withinRuns } from './within-runs.ts'

/** Counts and cuts text as the o200k_base byte-pair encoding does. */
export interface Tokenizer {
  /** Lets the event loop breathe between blocks, so that a long prompt holds nobody up. */
  count(text: string): Promise<number>
  /**
   * One string per token. A token that ends inside a character is empty; the token that ends it carries it.
   * Reading ends soon after `most` tokens. Default: at the end of the text.
   */
  pieces(text: string, most?: number): string[]
}

/** Characters encoded in one turn of the event loop: some milliseconds at worst. */
const blockLength = 2_048

/** The one tokenizer of the process, loaded when first asked for: its 200,000 tokens take about 0.1 s to read. */
export const tokenizer = loadOnce(load)

async function load(): Promise<Tokenizer> {
  const { encode } = await loadBytePairs()
  const tokensOf = (text: string) => withinRuns(text).flatMap(encode)
  // Any text at all: the first encoding compiles the expressions that every later one uses.
  tokensOf('Warm, at last.')
  return {
    async count(text) {
      let total = 0
      for (const block of splitBlocks(text)) {
        if (total > 0) await new Promise((resolve) => setImmediate(resolve))
        total += tokensOf(block).length
      }
      return total
    },
    pieces(text, most = Number.POSITIVE_INFINITY) {
      const pieces: string[] = []
      for (const block of splitBlocks(text)) {
        if (pieces.length > most) break
        // Keeps the bytes of a character until its last token.
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
        for (const token of tokensOf(block)) pieces.push(decoder.decode(Buffer.from(token, 'latin1'), { stream: true }))
      }
      return pieces
    },
  }
}

function* splitBlocks(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = blockEnd(text, start + blockLength)
    yield text.slice(start, end)
    start = end
  }
}

/** The first place from `wanted` on where a block may end without dividing a word. */
function blockEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length
  const space = text.indexOf(' ', wanted)
  return space === -1 || space > wanted + 256 ? wholeCharacter(text, wanted) : space
}

function wholeCharacter(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff ? index + 1 : index
}
