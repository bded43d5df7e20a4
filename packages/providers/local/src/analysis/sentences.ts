import { splitSegments, type Segment } from './segments.ts'

const boundary = /[.!?…]["'”’)\]]{0,3}\s+(?=["'“‘([]?[\p{Lu}\p{N}])|\n+/gu
const abbreviation =
  /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|Inc|Ltd|Co|Corp|No|Mt|Gen|Gov|Sen|Rep|Capt|Lt|Col|\p{Lu})\.$/u

/** Cuts a text into sentences; noise is left out and endless sentences are cut as segments are. */
export function splitSentences(text: string): Segment[] {
  const sentences: Segment[] = []
  let start = 0
  for (const match of text.matchAll(boundary)) {
    if (match[0].startsWith('.') && abbreviation.test(text.slice(Math.max(start, match.index - 6), match.index + 1)))
      continue
    const end = match.index + match[0].length
    sentences.push({ start, text: text.slice(start, end) })
    start = end
  }
  sentences.push({ start, text: text.slice(start) })
  return sentences.flatMap((sentence) =>
    splitSegments(sentence.text).map((part) => ({ start: sentence.start + part.start, text: part.text })),
  )
}
