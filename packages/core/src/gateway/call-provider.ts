import { z } from 'zod'
import { type AnswerParts, answerParts, eventsOf } from './answer-parts.ts'
import { estimateTokens } from './cost.ts'
import type { AnswerPart } from './message.ts'
import { promptSize } from './prompt-size.ts'
import { ProviderError } from './provider-error.ts'
import {
  type ImageRequest,
  type Provider,
  type ProviderCall,
  type TextRequest,
  type TokenUsage,
  entityTypes,
  finishReasons,
  sentimentLabels,
  type AnalysisRequest,
} from './provider.ts'
import { closeIterator } from './routing/router.ts'
import type { AnalysisTask } from './model.ts'

/** A validated text with its token counts, reported or estimated. */
export interface CheckedText extends Omit<z.output<typeof providerResponses.text>, 'usage' | 'parts'> {
  readonly parts?: readonly AnswerPart[]
  readonly usage: TokenUsage
}
export type TextEvent = z.output<typeof providerResponses.textEvent>
export type Finish = Extract<TextEvent, { type: 'finish' }>

/** Requests a whole text, through `generateText` or else `streamText`. */
export async function requestText(provider: Provider, request: TextRequest, call: ProviderCall): Promise<CheckedText> {
  if (provider.generateText) {
    const answer = parseResponse(providerResponses.text, await provider.generateText(request, call))
    return withUsage(request, answer)
  }
  const parts = answerParts()
  for await (const event of textEvents(provider, request, call)) {
    if (event.type === 'finish') return wholeAnswer(request, parts, event)
    parts.add(event)
  }
  throw truncated()
}

/** The answer that the events of a stream amount to. */
export function wholeAnswer(
  request: TextRequest,
  collected: AnswerParts,
  { type: _type, ...finish }: Finish,
): CheckedText {
  const parts = collected.parts(finish.finishReason === 'length')
  const answer = { content: collected.content(), ...(parts && { parts }), ...finish }
  return withUsage(request, parseResponse(providerResponses.text, answer))
}

/** Requests a text as a stream; as a single event if the provider cannot stream. A stream without `finish` has failed. */
export async function* textEvents(
  provider: Provider,
  request: TextRequest,
  call: ProviderCall,
): AsyncGenerator<TextEvent, void, undefined> {
  if (!provider.streamText) {
    const { content, parts, ...finish } = await wholeText(provider, request, call)
    yield* eventsOf({ content, parts })
    yield { type: 'finish', ...finish }
    return
  }
  const items = provider.streamText(request, call)[Symbol.asyncIterator]()
  const maxLength = Math.max(minStreamLength, (request.maxTokens ?? maxCharacters) * maxCharactersPerToken)
  let length = 0
  let next = await items.next()
  try {
    for (let count = 1; !next.done; next = await items.next(), count++) {
      if (count % eventsPerTurn === 0) await nextTurn()
      call.signal.throwIfAborted()
      // Providers of a newer contract may send event types that this version does not know.
      if (!isKnownEvent(next.value)) continue
      const event = parseResponse(providerResponses.textEvent, next.value)
      yield event
      if (event.type === 'finish') return
      length += (event.type === 'tool_call' ? event.inputDelta : event.text).length
      if (length > maxLength) throw new ContractViolation(`the stream has more than ${maxLength} characters`)
    }
  } finally {
    if (!next.done) closeIterator(items)
  }
  throw truncated()
}

/**
 * A stream is buffered for the whole response, even while the client reads nothing, so its length needs a limit. It is
 * generous: few tokens are this long, and some servers do not count all that they send.
 */
const maxCharactersPerToken = 32
const minStreamLength = 100_000
/** A stream that never waits for I/O would block timers, and so its own deadline. */
const eventsPerTurn = 64

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function wholeText(provider: Provider, request: TextRequest, call: ProviderCall) {
  if (!provider.generateText) {
    throw new ProviderError('give_up', `${provider.id} lists text models but cannot generate text`)
  }
  return parseResponse(providerResponses.text, await provider.generateText(request, call))
}

function isKnownEvent(raw: unknown): boolean {
  const type = typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : undefined
  return typeof type !== 'string' || knownEvents.has(type)
}

const knownEvents: ReadonlySet<string> = new Set([
  'text',
  'reasoning',
  'tool_call',
  'finish',
] satisfies TextEvent['type'][])

function truncated(): ProviderError {
  return new ProviderError('retry', 'the stream ended before its finish')
}

/** Estimates missing token counts, and adds a warning. */
function withUsage(
  request: TextRequest,
  { usage, warnings: found, parts, ...answer }: z.output<typeof providerResponses.text>,
): CheckedText {
  const whole = { ...answer, ...(parts && { parts }), warnings: found }
  if (usage) return { ...whole, usage }
  const answered = parts ? JSON.stringify(parts) : answer.content
  return {
    ...whole,
    usage: { promptTokens: promptSize(request).estimatedTokens, completionTokens: estimateTokens(answered) },
    warnings: [...found, { field: null, issue: 'the provider returned no token counts: usage and cost are estimates' }],
  }
}

export type CheckedImage = z.output<typeof providerResponses.image>

/** Requests an image, and checks that it is a PNG of exactly the requested size. */
export async function requestImage(
  provider: Provider,
  request: ImageRequest,
  call: ProviderCall,
): Promise<CheckedImage> {
  if (!provider.generateImage) {
    throw new ProviderError('give_up', `${provider.id} lists image models but cannot generate images`)
  }
  const answer = parseResponse(providerResponses.image, await provider.generateImage(request, call))
  checkPng(answer.png, request)
  return answer
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The empty IEND chunk: its length, type and checksum. */
const endChunk = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
const headerLength = 24
const maxBytes = 32 * 1024 * 1024

/** Throws unless an image is a complete PNG of the requested size (PNG specification, 5.2 and 11.2.1). */
export function checkPng(bytes: Uint8Array, size: { readonly width: number; readonly height: number }): void {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (png.length > maxBytes) throw new ContractViolation(`the image has ${png.length} bytes`)
  const isComplete = png.length > headerLength + endChunk.length && png.subarray(-endChunk.length).equals(endChunk)
  if (!isComplete || !png.subarray(0, signature.length).equals(signature)) {
    throw new ProviderError('retry', 'the image is not a complete PNG')
  }
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  if (width !== size.width || height !== size.height) {
    throw new ContractViolation(`the image is ${width}x${height}, not ${size.width}x${size.height}`)
  }
}

/** No model generates longer texts. */
const maxCharacters = 8_000_000
const maxParts = 10_000
const maxWarnings = 100
const maxWarningCharacters = 1_000
/** More words than the longest text has. */
const maxResults = 100_000

/** Replaces NUL and lone surrogates, which stores treat differently, with U+FFFD. */
export const safeText = z
  .string()
  .max(maxCharacters)
  .transform((value) => value.replaceAll('\0', '\uFFFD').toWellFormed())

const between0And1 = z.number().min(0).max(1)
const tokens = z.int().min(0)

const warningText = safeText.transform((value) => value.slice(0, maxWarningCharacters).toWellFormed())

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
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed()
  if (typeof value !== 'object' || value === null) return value ?? null
  if (depth === maxDepth) return undefined
  if (Array.isArray(value)) {
    const items = value.map((item) => safeJson(item, depth + 1))
    return items.includes(undefined) ? undefined : items
  }
  const entries = Object.entries(value).map(([name, item]) => [safeJson(name, 0), safeJson(item, depth + 1)] as const)
  return entries.some(([, item]) => item === undefined) ? undefined : Object.fromEntries(entries)
}

const providerOptions = z.record(z.string(), safeObject).optional()
const toolCall = {
  type: z.literal('tool_call'),
  id: z.string().min(1).max(256),
  name: z.string().min(1).max(64),
  providerOptions,
}

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: safeText, providerOptions }),
  z.object({ type: z.literal('reasoning'), text: safeText, providerOptions }),
  z.object({ ...toolCall, input: safeObject }),
])

const finish = {
  finishReason: z.enum(finishReasons),
  usage: z
    .object({
      promptTokens: tokens,
      completionTokens: tokens,
      reasoningTokens: tokens.exactOptional(),
      cachedPromptTokens: tokens.default(0),
      cacheWriteTokens: tokens.exactOptional(),
    })
    .optional(),
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

/** Schemas of provider responses, which are copied through them. A violation is a bug in the provider. */
export const providerResponses = {
  text: z.object({ content: safeText, parts: z.array(part).max(maxParts).optional(), ...finish }),
  /** Chunks are left as they are, because a surrogate pair may be split between two. */
  textEvent: z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string().max(maxCharacters), providerOptions }),
    z.object({ type: z.literal('reasoning'), text: z.string().max(maxCharacters), providerOptions }),
    z.object({ ...toolCall, inputDelta: z.string().max(maxCharacters) }),
    z.object({ type: z.literal('finish'), ...finish }),
  ]),
  image: z.object({
    png: z.instanceof(Uint8Array).transform((bytes) => Uint8Array.from(bytes)),
    revisedPrompt: safeText.optional(),
    promptTokens: tokens.optional(),
    costUsd: z.number().min(0).optional(),
    warnings,
  }),
  analysis: z.object({ analysis, warnings }),
} as const

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

/** A validated analysis with its warnings. */
export type CheckedAnalysis = z.output<typeof providerResponses.analysis>

export const maxKeywords = 20

/** Requests an analysis, and keeps only the results of the requested tasks. */
export async function requestAnalysis(
  provider: Provider,
  request: AnalysisRequest,
  call: ProviderCall,
): Promise<CheckedAnalysis> {
  if (!provider.analyze) throw new ProviderError('give_up', `${provider.id} lists analyzers but cannot analyze`)
  const raw = await provider.analyze({ ...request, tasks: [...request.tasks] }, call)
  const answer = parseResponse(providerResponses.analysis, raw)
  return { ...answer, analysis: selectTasks(request.tasks, answer.analysis) }
}

function selectTasks(tasks: readonly AnalysisTask[], found: CheckedAnalysis['analysis']): CheckedAnalysis['analysis'] {
  const missing = tasks.filter((task) => found[task] === undefined)
  if (missing.length > 0) throw new ProviderError('retry', `the analysis has no ${missing.join(', ')}`)
  const selected = Object.fromEntries(tasks.map((task) => [task, found[task]])) as CheckedAnalysis['analysis']
  const { keywords } = selected
  if (!keywords) return selected
  const ranked = keywords.toSorted((one, other) => other.score - one.score)
  return { ...selected, keywords: ranked.slice(0, maxKeywords) }
}
