const abbreviation =
  /(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Inc|Ltd|Co|vs|etc|e\.g|i\.e|approx|No|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|U\.S|a\.m|p\.m)|\b[A-Z])\.$/

/** The longest sentence that is kept whole; text without a full stop is cut here. */
const sentenceLimit = 600

/** Splits a text into its sentences; a line break between paragraphs ends one too. */
export function splitSentences(text: string): string[] {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)/)
    .flatMap((paragraph) => ofParagraph(paragraph.replaceAll(/\s+/g, ' ').trim()))
}

function ofParagraph(paragraph: string): string[] {
  const sentences: string[] = []
  let open = ''
  for (const part of paragraph.split(/(?<=[.!?…]["”’)\]]?)\s+(?=["“‘([]?[\p{Lu}\p{N}])/u)) {
    open = open === '' ? part : `${open} ${part}`
    if (abbreviation.test(open) && open.length < sentenceLimit) continue
    sentences.push(open)
    open = ''
  }
  if (open !== '') sentences.push(open)
  return sentences.flatMap((sentence) => shortened(sentence)).filter((sentence) => sentence !== '')
}

function shortened(sentence: string): string[] {
  return sentence.length <= sentenceLimit
    ? [sentence]
    : (sentence.match(/.{1,600}(?:\s|$)|.{600}/gsu) ?? []).map((part) => part.trim())
}
