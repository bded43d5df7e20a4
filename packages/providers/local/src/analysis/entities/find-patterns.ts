import type { EntityType } from '@fairlead/core/provider'
import table from './text-patterns.json' with { type: 'json' }
import { lists } from './word-lists.ts'
import type { Mention } from './mention.ts'
import { SpanSet } from '../span-set.ts'

/** A kind of entity that its shape alone tells. */
interface Pattern {
  readonly type: EntityType
  /** From 0 to 1. */
  readonly confidence: number
  /** Must be linear on any text. */
  readonly expression: RegExp
}

/** The first pattern that fits wins: numbers come last. `{{month}}` is a part that patterns share. */
const patterns: readonly Pattern[] = table.patterns.map(({ type, confidence, pattern, flags = '' }) => ({
  type: type as EntityType,
  confidence,
  expression: new RegExp(
    pattern.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => table.parts[name as keyof typeof table.parts]),
    `g${flags}`,
  ),
}))

/** Finds what can be told by its shape: addresses, amounts, dates, times, numbers. */
export function findPatterns(text: string): Mention[] {
  const taken = new SpanSet()
  const found: Mention[] = []
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern.expression)) {
      const mention = toMention(pattern, match)
      if (mention && taken.add(mention)) found.push(mention)
    }
  }
  return found.sort((left, right) => left.start - right.start)
}

/** Web addresses swallow the sentence's punctuation; it is given back here, where a loop costs less than a look-behind. */
function toMention({ type, confidence }: Pattern, match: RegExpExecArray): Mention | undefined {
  const text = type === 'URL' ? withoutTrailingMarks(match[0]) : match[0].trimEnd()
  if (type === 'NUMBER' && (isListMarker(match) || isModelNumber(match))) return undefined
  return { type, confidence, start: match.index, end: match.index + text.length }
}

function withoutTrailingMarks(address: string): string {
  let end = address.length
  while (end > 0 && ".,;:!?'’)]*_".includes(address[end - 1]!)) {
    if (address[end - 1] === ')' && address.slice(0, end).includes('(')) break
    end -= 1
  }
  return address.slice(0, end)
}

/** "Pixel 8", "Package 77120": a number right behind a capitalised word belongs to it. */
function isModelNumber(match: RegExpExecArray): boolean {
  if (!/^\d{1,6}(?:\.\d)?$/.test(match[0])) return false
  const before = /(?:^|[\s("“])(\p{Lu}[\p{L}'’]*|\p{Ll}{1,3}\p{Lu}\p{L}*) $/u.exec(
    match.input.slice(Math.max(0, match.index - 30), match.index),
  )
  return before !== null && !lists.functionWords.has(before[1]!.toLowerCase())
}

/** "1. First, …" at the start of a line counts nothing. */
function isListMarker(match: RegExpExecArray): boolean {
  const before = match.input[match.index - 1]
  const after = match.input.slice(match.index + match[0].length, match.index + match[0].length + 2)
  return (before === undefined || before === '\n') && /^[.)]\s/.test(after)
}
