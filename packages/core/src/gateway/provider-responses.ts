import { hash } from 'node:crypto'
import * as z from 'zod'
import type { OperationRun } from '../runtime/run/operation-run.ts'
import { finishReasons, type ResponseFacts, type TextAnswer } from './messages/answer.ts'
import { type AnswerPart, dialects, readToolInput } from './messages/message.ts'
import { isObject, type JsonObject } from '../runtime/json.ts'
import { type Analysis, entityTypes, type ImageAnswer, sentimentLabels } from './provider.ts'

/** No model generates longer texts. */
export const maxCharacters = 8_000_000
const maxParts = 10_000
/** About 60 MB in base64. */
const maxFileCharacters = 80_000_000
const maxWarnings = 100
const maxWarningCharacters = 1_000
/** More words than the longest text has. */
const maxResults = 100_000

/** Replaces NUL and lone surrogates, which inputs may not have and stores treat differently, with U+FFFD. */
export function toSafeText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

export const safeText = z.string().max(maxCharacters).overwrite(toSafeText)

const between0And1 = z.number().min(0).max(1)
const tokens = z.int().min(0)

const warningText = z
  .string()
  .max(maxCharacters)
  .overwrite((text) => toSafeText(text.slice(0, maxWarningCharacters)))

export const warnings = z
  .array(z.object({ field: warningText.nullable(), issue: warningText }))
  .max(maxWarnings)
  .default([])

/** Clients send it back, so it must pass the checks of inputs. */
const safeObject = z.record(z.string(), z.unknown()).transform((value, context) => {
  const safe = safeJson(value, 0)
  if (safe !== undefined) return safe as Record<string, unknown>
  context.addIssue(`must not be nested deeper than ${maxDepth} levels`)
  return z.NEVER
})
/** A message may be nested 64 levels deep, and an input is a part of a message. */
const maxDepth = 48

/** @returns undefined for a value that is nested too deep */
function safeJson(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return toSafeText(value)
  if (typeof value !== 'object' || value === null) return value ?? null
  if (depth === maxDepth) return undefined
  if (Array.isArray(value)) {
    const items = value.map((item) => safeJson(item, depth + 1))
    return items.includes(undefined) ? undefined : items
  }
  const entries = Object.entries(value)
    .filter(([name]) => name !== '__proto__')
    .map(([name, item]) => [safeJson(name, 0), safeJson(item, depth + 1)] as const)
  return entries.some(([, item]) => item === undefined) ? undefined : Object.fromEntries(entries)
}

const providerOptions = z.record(z.string(), safeObject).optional()
const dialect = z.enum(dialects)
const native = z.partialRecord(dialect, safeObject).optional()
/** Data that a part of an answer may carry. */
const data = { providerOptions, native }

const citation = z.object({
  url: safeText.optional(),
  title: safeText.optional(),
  document: z.int().min(0).optional(),
  quote: safeText.optional(),
  start: z.int().min(0).optional(),
  end: z.int().min(0).optional(),
  native,
})
export const maxCitations = 10_000
const citations = z.array(citation).max(maxCitations).optional()

/** Text that may grow. It is made safe as a whole, because a surrogate pair may be split between two pieces. */
const growingText = z.string().max(maxCharacters)

/** Some servers keep the signature of the model's thoughts in the id of a call, which clients send back. */
export const maxToolCallId = 8_192

/** An id that is too long to be sent back is replaced, because the answer is paid for. */
function toSafeId(id: string): string {
  return id.length > maxToolCallId ? `call_${hash('sha256', id)}` : toSafeText(id)
}

const answerPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: growingText, citations, ...data }),
  z.object({ type: z.enum(['reasoning', 'refusal']), text: growingText, ...data }),
  z.object({
    type: z.literal('tool_call'),
    id: z.string().min(1).max(maxCharacters).overwrite(toSafeId),
    // Models may call tools that do not exist, by any name.
    name: z
      .string()
      .min(1)
      .overwrite((name) => name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 128)),
    inputText: growingText,
    ...data,
  }),
  z.object({ type: z.literal('file'), mediaType: safeText, data: z.string().max(maxFileCharacters), ...data }),
  z.object({ type: z.literal('opaque'), provider: safeText, dialect, kind: safeText, data: safeObject }),
])

/** A validated part that is complete: with safe text, and the input of a tool call as its text says it. */
export function completePart(part: AnswerPart): AnswerPart {
  if (part.type === 'tool_call') {
    const { input: _given, ...call } = part
    const { inputText, input } = readToolInput(toSafeText(call.inputText))
    // An input that is nested too deep could not be sent back as a value.
    const safe = input && (safeJson(input, 0) as typeof input | undefined)
    return { ...call, inputText, ...(safe && { input: safe }) }
  }
  if (!('text' in part)) return part
  const text = toSafeText(part.text)
  return text === part.text ? part : { ...part, text }
}

const index = z.int().min(0).max(maxParts)
const maxTiers = 4
const maxTierName = 64

const tokenCounts = z.object({
  promptTokens: tokens,
  completionTokens: tokens,
  reasoningTokens: tokens.exactOptional(),
  cachedPromptTokens: tokens.default(0),
  cacheWriteTokens: tokens.exactOptional(),
  longCacheWriteTokens: tokens.exactOptional(),
  webSearches: tokens.exactOptional(),
  tiers: z.array(z.string().max(maxTierName)).max(maxTiers).readonly().exactOptional(),
  native,
})

export const responseFacts = z.object({
  id: safeText.optional(),
  model: safeText.optional(),
  serviceTier: safeText.optional(),
  fingerprint: safeText.optional(),
  native,
  requestId: safeText.optional(),
  rateLimit: z.record(z.string(), z.string()).optional(),
})

/** Keeps what callers see of the upstream's headers. A cached answer has none. */
export function noteUpstream(call: Pick<OperationRun, 'note'>, response: ResponseFacts | undefined): void {
  if (response?.requestId !== undefined || response?.rateLimit) call.note({ upstream: response })
}

const finish = {
  finishReason: z.enum(finishReasons),
  stopSequence: safeText.optional(),
  usage: tokenCounts.optional(),
  response: responseFacts.optional(),
  logprobs: safeObject.optional(),
  warnings,
}

const analysis = z.object({
  sentiment: z.object({ score: z.number().min(-1).max(1), label: z.enum(sentimentLabels) }).optional(),
  entities: z
    .array(z.object({ text: safeText, type: z.enum(entityTypes), confidence: between0And1 }))
    .max(maxResults)
    .optional(),
  keywords: z
    .array(z.object({ text: safeText, score: between0And1 }))
    .max(maxResults)
    .optional(),
})

const maxImages = 10
const pngBytes = z.instanceof(Uint8Array).transform((bytes) => Uint8Array.from(bytes))

/** Schemas of provider responses, which are copied through them. A violation is a bug in the provider. */
export const responseSchemas = {
  text: z.object({
    parts: z
      .array(answerPart)
      .max(maxParts)
      .transform((parts) => parts.map(completePart)),
    ...finish,
  }),
  textEvent: z.discriminatedUnion('type', [
    z.object({ type: z.literal('start'), response: responseFacts }),
    z.object({ type: z.literal('part_start'), index, part: answerPart }),
    z.object({
      type: z.literal('part_delta'),
      index,
      text: growingText.optional(),
      citation: citation.optional(),
      logprobs: safeObject.optional(),
      data: safeObject.optional(),
    }),
    z.object({ type: z.literal('part_end'), index, ...data }),
    z.object({ type: z.literal('usage'), usage: tokenCounts }),
    z.object({ type: z.literal('native'), dialect, data: safeObject, isAnswer: z.boolean().exactOptional() }),
    z.object({ type: z.literal('finish'), ...finish }),
  ]),
  image: z.object({
    png: pngBytes,
    others: z.array(pngBytes).max(maxImages).optional(),
    revisedPrompt: safeText.optional(),
    promptTokens: tokens.optional(),
    costUsd: z.number().min(0).optional(),
    response: responseFacts.optional(),
    warnings,
  }),
  analysis: z.object({ analysis, response: responseFacts.optional(), warnings }),
} as const

/** The schemas of whole answers, for tests of providers. */
export const providerResponses: {
  readonly text: z.ZodType<TextAnswer>
  readonly image: z.ZodType<Pick<ImageAnswer, 'png'>>
  readonly analysis: z.ZodType<{ readonly analysis: { readonly [Task in keyof Analysis]: Analysis[Task] | undefined } }>
} = { text: responseSchemas.text, image: responseSchemas.image, analysis: responseSchemas.analysis }

type ParsedAnswer = z.output<typeof responseSchemas.text>

const answerFields = new Set(['parts', 'finishReason', 'usage', 'response', 'warnings'])
const partFields = new Set(['type', 'text'])
const usageFields = new Set(Object.keys(tokenCounts.omit({ tiers: true, native: true }).shape))
const responseFields = new Set(Object.keys(responseFacts.omit({ native: true, rateLimit: true }).shape))
const reasons: ReadonlySet<unknown> = new Set(finishReasons)

/**
 * Validates and copies an answer of texts, with its token counts and the names of its response, which most answers are.
 * Does the same as the schema `responseSchemas.text`, which allocates 9 kB for it, a tenth of a request's memory.
 *
 * @returns undefined for every other answer: the parser decides about it
 */
export function parsePlainAnswer(answer: unknown): ParsedAnswer | undefined {
  if (!isPlain(answer)) return undefined
  for (const name in answer) if (!answerFields.has(name)) return undefined
  const { parts: sentParts, finishReason, usage: sentUsage, response: sentResponse, warnings: found = none } = answer
  if (!reasons.has(finishReason) || !Array.isArray(found) || found.length > 0) return undefined
  const parts = copyTexts(sentParts)
  const usage = sentUsage === undefined ? undefined : copyUsage(sentUsage)
  const response = sentResponse === undefined ? undefined : copyFields(sentResponse, responseFields, safeTextIn)
  if (!parts || (sentUsage !== undefined && !usage) || (sentResponse !== undefined && !response)) return undefined
  return {
    parts,
    finishReason: finishReason as ParsedAnswer['finishReason'],
    ...(usage && { usage }),
    ...(response && { response }),
    warnings: [],
  }
}

const none: readonly unknown[] = []

function isPlain(value: unknown): value is JsonObject {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype
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
  if (!isPlain(given)) return undefined
  const copy: Record<string, Value> = {}
  for (const name in given) {
    const value = fields.has(name) ? read(given[name]) : undefined
    if (value === undefined) return undefined
    copy[name] = value
  }
  return copy
}

function safeTextIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxCharacters ? toSafeText(value) : undefined
}

function countIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
}

/** Validates and copies a response. Throws a `ContractViolation`. */
export function parseResponse<Schema extends z.ZodType>(schema: Schema, response: unknown): z.output<Schema> {
  const parsed = schema.safeParse(response)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the response'}: ${message}`)
  throw new ContractViolation(issues.slice(0, 3).join('; '))
}

/** A response that violates the provider contract. It is a bug in the provider, like an unexpected error. */
export class ContractViolation extends Error {
  constructor(violation: string) {
    super(`the response violates the provider contract: ${violation}`)
    this.name = 'ContractViolation'
  }
}
