/** How much the prompt asks for. */
export interface AskedLength {
  /** 1 where nothing is said. */
  readonly scale: number
  readonly words: number | undefined
  readonly sentences: number | undefined
  /** Items of a list. */
  readonly count: number | undefined
}

const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const number = `(\\d{1,4}|${numbers.slice(1).join('|')})`
const listed = `ideas?|names?|options?|bullets?|bullet points?|points?|tips?|questions?|items?|slogans?|taglines?|titles?|headlines?|steps?|keywords?|suggestions?|reasons?|ways|examples?|topics?|facts|lines|hashtags?|pros|exercises|hooks|subject lines?|faqs?|examples|themes|activities|verses|stanzas`

export function findLength(instruction: string): AskedLength {
  const words = amount(instruction, `${number}[- ]?words?`)
  const sentences = amount(instruction, `${number}[- ]?sentences?`)
  const paragraphs = amount(instruction, `${number}[- ]?paragraphs?`)
  const count =
    amount(instruction, `${number}\\s+(?:[a-z-]+\\s+){0,3}?(?:${listed})\\b`) ??
    amount(instruction, `${number}-(?:line|point|item|step)\\b`) ??
    amount(instruction, `top ${number}\\b`)
  return {
    scale: findScale(instruction, paragraphs),
    words,
    sentences,
    count: count === undefined ? undefined : Math.min(Math.max(count, 1), 50),
  }
}

function findScale(instruction: string, paragraphs: number | undefined): number {
  if (paragraphs !== undefined) return Math.min(Math.max(paragraphs / 3, 0.3), 6)
  if (/\b(very short|tiny|one-liner|super short)\b/i.test(instruction)) return 0.4
  // "A small robot" is no small text: the word must stand beside what is asked for.
  if (
    /\b(short|shorter|brief|briefer|briefly|concise|quick)\b|\b(?:little|small) (?:text|story|poem|tale|note|e-?mail|letter|speech|essay|post|paragraph|something)\b/i.test(
      instruction,
    )
  )
    return 0.6
  return /\b(long|longer|detailed|in detail|in-depth|comprehensive|extensive|thorough)\b(?! (?:and|road|way|journey|walk))/i.test(
    instruction,
  )
    ? 2.2
    : 1
}

function amount(instruction: string, pattern: string): number | undefined {
  const found = new RegExp(`\\b${pattern}`, 'i').exec(instruction)?.[1]?.toLowerCase()
  if (found === undefined) return undefined
  return numbers.includes(found) ? numbers.indexOf(found) : Number(found)
}
