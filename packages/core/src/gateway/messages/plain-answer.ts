import type { z } from 'zod'
import { maxCharacters, maxParts, type providerResponses, toSafeText } from '../provider-responses.ts'
import { finishReasons } from './answer.ts'
import { type AnswerPart, isObject } from './message.ts'

type ParsedAnswer = z.output<typeof providerResponses.text>

const answerFields = new Set(['parts', 'finishReason', 'usage', 'response', 'warnings'])
const partFields = new Set(['type', 'text'])
const usageFields = new Set([
  'promptTokens',
  'completionTokens',
  'reasoningTokens',
  'cachedPromptTokens',
  'cacheWriteTokens',
  'longCacheWriteTokens',
])
const responseFields = new Set(['id', 'model', 'serviceTier', 'fingerprint', 'requestId'])
const reasons: ReadonlySet<unknown> = new Set(finishReasons)

/**
 * Validates and copies an answer of texts, with its token counts and the names of its response, which most answers are. The
 * result is that of `providerResponses.text`, whose parser allocates 9 kB for it, a tenth of what a request does.
 *
 * @returns undefined for every other answer: the parser decides about it
 */
export function parsePlainAnswer(answer: unknown): ParsedAnswer | undefined {
  const given = copyFields(answer, answerFields, asIs)
  if (!given || !reasons.has(given['finishReason']) || !isQuiet(given['warnings'])) return undefined
  const { usage: sentUsage, response: sentResponse } = given
  const parts = copyTexts(given['parts'])
  const usage = sentUsage === undefined ? undefined : copyUsage(sentUsage)
  const response = sentResponse === undefined ? undefined : copyFields(sentResponse, responseFields, safeTextIn)
  if (!parts || (sentUsage !== undefined && !usage) || (sentResponse !== undefined && !response)) return undefined
  const { finishReason } = given as Pick<ParsedAnswer, 'finishReason'>
  return { parts, finishReason, ...(usage && { usage }), ...(response && { response }), warnings: [] }
}

function isQuiet(warnings: unknown): boolean {
  return warnings === undefined || (Array.isArray(warnings) && warnings.length === 0)
}

function copyTexts(parts: unknown): ParsedAnswer['parts'] | undefined {
  if (!Array.isArray(parts) || parts.length > maxParts) return undefined
  const copies: ParsedAnswer['parts'] = []
  for (const part of parts) {
    const copy = copyFields(part, partFields, safeTextIn)
    if (copy?.['type'] !== 'text' || copy['text'] === undefined) return undefined
    copies.push(copy as object as AnswerPart)
  }
  return copies
}

function copyUsage(usage: unknown): ParsedAnswer['usage'] {
  const copy = copyFields(usage, usageFields, countIn)
  if (copy?.['promptTokens'] === undefined || copy['completionTokens'] === undefined) return undefined
  copy['cachedPromptTokens'] ??= 0
  return copy as object as ParsedAnswer['usage']
}

/** Undefined for an object with another field, or with a value that `read` does not accept. */
function copyFields<Value>(
  given: unknown,
  fields: ReadonlySet<string>,
  read: (value: unknown) => Value | undefined,
): Record<string, Value> | undefined {
  if (!isObject(given) || Object.getPrototypeOf(given) !== Object.prototype) return undefined
  const copy: Record<string, Value> = {}
  for (const name in given) {
    const value = fields.has(name) ? read(given[name]) : undefined
    if (value === undefined) return undefined
    copy[name] = value
  }
  return copy
}

function asIs(value: unknown): unknown {
  return value
}

function safeTextIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxCharacters ? toSafeText(value) : undefined
}

function countIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}
