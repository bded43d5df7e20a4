import type { Brief } from '../brief/brief.ts'
import type { WorkingKind } from '../kind.ts'
import { numberIn, valuesFor } from '../working/find-value.ts'

const key = '["`“]?[\\p{L}][\\p{L}_]{0,30}["`”]?'
const keys = `(${key}(?:(?:, and |, | and )${key}){0,20})`
const asked = [
  new RegExp(
    `\\b(?:with|containing|keys?|fields?|properties)\\b:? (?:(?:the|these|keys?|fields?|properties) ?:? ?){0,3}${keys}`,
    'iu',
  ),
  new RegExp(`\\b(?:extract|return|give me|get|find|list) (?:the )?${keys} (?:as|in|into|to|of|from)\\b`, 'iu'),
]

/** An object with the facts of the prompt. Undefined if the prompt names no fields, or no value of any. */
function objectIn({ instruction, source, prompt }: Brief): Record<string, unknown> | undefined {
  const text = source ?? prompt
  const found = asked.map((pattern) => pattern.exec(instruction)?.[1]).find((match) => match !== undefined)
  const names = found?.split(/, and |, | and /).map((name) => name.replaceAll(/["`“”]/g, '')) ?? []
  const entries =
    names.length > 0
      ? names.map((name): [string, unknown] => [name, jsonValue(valuesFor(name, text)[0])])
      : pairsIn(source)
  return entries.some(([, value]) => value !== null) ? Object.fromEntries(entries) : undefined
}

/** `name: Ada, age: 36` */
function pairsIn(source = ''): [string, unknown][] {
  const pairs = source
    .slice(0, 4_000)
    .split(/[,;\n]/)
    .map((part) => /^\s*([\p{L}][\p{L}\p{N} _-]{0,40}?)\s*[:=]\s*(\S.*)$/u.exec(part))
  return pairs.every((pair) => pair !== null) ? pairs.map((pair) => [pair![1]!, jsonValue(pair![2]!.trim())]) : []
}

function jsonValue(text: string | undefined): unknown {
  return text === undefined ? null : (numberIn(text) ?? text)
}

export const jsonFacts: WorkingKind = {
  name: 'JSON of given facts',
  asks: /^.*\bjson\b.*$/is,
  turn: 'first',
  fits: (brief) => objectIn(brief) !== undefined,
  work: (brief) => JSON.stringify(objectIn(brief)),
}
