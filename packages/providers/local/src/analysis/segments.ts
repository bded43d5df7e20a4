/** A stretch of a text. */
export interface Segment {
  readonly start: number
  readonly text: string
}

/** Long enough for sentences to stand whole, short enough for parsers that slow down with length. */
const longestSegment = 1_500
/** A run of so many characters without a blank is no language: encoded data, repeated letters. */
const noise = /\S{120,}/g

/** Cuts a text into stretches of whole sentences that parsers can take one by one; noise is left out. */
export function splitSegments(text: string): Segment[] {
  const segments: Segment[] = []
  let start = 0
  for (const match of text.matchAll(noise)) {
    segments.push(...cut(text, start, match.index))
    start = match.index + match[0].length
  }
  return [...segments, ...cut(text, start, text.length)]
}

function cut(text: string, from: number, to: number): Segment[] {
  const segments: Segment[] = []
  for (let start = from; start < to;) {
    const end = to - start <= longestSegment ? to : start + cutOffset(text.slice(start, start + longestSegment))
    if (text.slice(start, end).trim()) segments.push({ start, text: text.slice(start, end) })
    start = end
  }
  return segments
}

/** Behind the last paragraph, else sentence, else word, else anywhere but inside a character. */
function cutOffset(stretch: string): number {
  for (const boundary of ['\n\n', '\n', '. ', '! ', '? ', ' ']) {
    const offset = stretch.lastIndexOf(boundary)
    if (offset > longestSegment / 3) return offset + boundary.length
  }
  const last = stretch.charCodeAt(stretch.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? stretch.length - 1 : stretch.length
}
