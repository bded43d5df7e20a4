import { z } from 'zod'
import { estimateTokens } from './cost.ts'
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

/** A provider's answer, checked, with its token counts known or estimated. */
export type CheckedText = Omit<z.output<typeof providerAnswers.text>, 'usage'> & { readonly usage: TokenUsage }
export type TextEvent = z.output<typeof providerAnswers.textEvent>
export type Finish = Extract<TextEvent, { type: 'finish' }>

/** The whole answer, from whichever of the two text methods the provider has. */
export async function askForText(provider: Provider, request: TextRequest, call: ProviderCall): Promise<CheckedText> {
  if (provider.generateText) {
    const answer = readAnswer(providerAnswers.text, await provider.generateText(request, call))
    return withUsage(request, answer.content, answer)
  }
  let content = ''
  for await (const event of textEvents(provider, request, call)) {
    if (event.type === 'finish') return withUsage(request, content, { ...event, content: content.toWellFormed() })
    content += event.text
  }
  throw truncated()
}

/** The answer as it comes; whole, as one event, where the provider can't stream. An end without `finish` is a failure. */
export async function* textEvents(
  provider: Provider,
  request: TextRequest,
  call: ProviderCall,
): AsyncGenerator<TextEvent, void, undefined> {
  if (!provider.streamText) {
    const { content, ...finish } = await wholeText(provider, request, call)
    yield { type: 'text', text: content }
    yield { type: 'finish', ...finish }
    return
  }
  const items = provider.streamText(request, call)[Symbol.asyncIterator]()
  const maxLength = Math.max(minStreamLength, request.maxTokens * maxCharactersPerToken)
  let length = 0
  let next = await items.next()
  try {
    for (let count = 1; !next.done; next = await items.next(), count++) {
      if (count % eventsPerTurn === 0) await nextTurn()
      // Nobody waits for the rest, and the provider may be closed.
      call.signal.throwIfAborted()
      // What this version doesn't know may stand between the events that it knows.
      if (!isKnownEvent(next.value)) continue
      const event = readAnswer(providerAnswers.textEvent, next.value)
      yield event
      if (event.type === 'finish') return
      length += event.text.length
      if (length > maxLength) throw new ContractViolation(`the stream has more than ${maxLength} characters`)
    }
  } finally {
    if (!next.done) closeIterator(items)
  }
  throw truncated()
}

/**
 * What was streamed is kept for the whole answer, also while its reader reads nothing: a stream ends where it cannot be
 * the tokens that were asked for. Few tokens are as long as this; and some servers count only a part of what they send.
 */
const maxCharactersPerToken = 32
const minStreamLength = 100_000
/** A stream that never really waits would keep timers, and so its own deadline, from ever running. */
const eventsPerTurn = 64

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function wholeText(provider: Provider, request: TextRequest, call: ProviderCall) {
  if (!provider.generateText) {
    throw new ProviderError('give_up', `${provider.id} lists text models and makes no text`)
  }
  return readAnswer(providerAnswers.text, await provider.generateText(request, call))
}

function isKnownEvent(raw: unknown): boolean {
  const type = typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : undefined
  return typeof type !== 'string' || type === 'text' || type === 'finish'
}

function truncated(): ProviderError {
  return new ProviderError('retry', 'the stream ended before its finish')
}

/** Fills in token counts that the provider did not tell, and says that they are estimates. */
export function withUsage<
  Answer extends Omit<CheckedText, 'usage' | 'content'> & { readonly usage?: TokenUsage | undefined },
>({ prompt }: TextRequest, content: string, answer: Answer): Answer & { readonly usage: TokenUsage } {
  if (answer.usage) return { ...answer, usage: answer.usage }
  return {
    ...answer,
    usage: { promptTokens: estimateTokens(prompt), completionTokens: estimateTokens(content) },
    warnings: [
      ...answer.warnings,
      { field: null, issue: 'the provider counted no tokens: usage and cost are estimates' },
    ],
  }
}

export type CheckedImage = z.output<typeof providerAnswers.image>

/** The image that a provider makes, checked: a PNG of exactly the size asked for. */
export async function askForImage(
  provider: Provider,
  request: ImageRequest,
  call: ProviderCall,
): Promise<CheckedImage> {
  if (!provider.generateImage) {
    throw new ProviderError('give_up', `${provider.id} lists image models and makes no images`)
  }
  const answer = readAnswer(providerAnswers.image, await provider.generateImage(request, call))
  checkPng(answer.png, request)
  return answer
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The last chunk, which has no data: its length, type and checksum. */
const end = Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
const headerLength = 24
const maxBytes = 32 * 1024 * 1024

/** Refuses what a provider calls an image and isn't a whole PNG of the size asked for (PNG specification, 5.2, 11.2.1). */
export function checkPng(bytes: Uint8Array, size: { readonly width: number; readonly height: number }): void {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (png.length > maxBytes) throw new ContractViolation(`the image has ${png.length} bytes`)
  const whole = png.length > headerLength + end.length && png.subarray(-end.length).equals(end)
  if (!whole || !png.subarray(0, signature.length).equals(signature)) {
    throw new ProviderError('retry', 'the image is not a whole PNG')
  }
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  if (width !== size.width || height !== size.height) {
    throw new ContractViolation(`the image is ${width}x${height}, not ${size.width}x${size.height}`)
  }
}

/** More than any model says; beyond it an answer is a fault. */
const maxCharacters = 8_000_000
const maxWarnings = 100
const maxRemarkCharacters = 1_000
/** More than the longest text has words. */
const maxFound = 100_000

/** Text that every store keeps alike: upstream NULs and lone surrogates become replacement characters. */
export const safeText = z
  .string()
  .max(maxCharacters)
  .transform((value) => value.replaceAll('\0', '\uFFFD').toWellFormed())

const share = z.number().min(0).max(1)
const tokens = z.int().min(0)

/** A hundred warnings may not make a book either. */
const remark = safeText.transform((value) => value.slice(0, maxRemarkCharacters).toWellFormed())

const warnings = z
  .array(z.object({ field: remark.nullable(), issue: remark }))
  .max(maxWarnings)
  .default([])

const finish = {
  finishReason: z.enum(finishReasons),
  usage: z
    .object({
      promptTokens: tokens,
      completionTokens: tokens,
      cachedPromptTokens: tokens.default(0),
      cacheWriteTokens: tokens.exactOptional(),
    })
    .optional(),
  warnings,
}

const analysis = z.object({
  sentiment: z.object({ score: z.number().min(-1).max(1), label: z.enum(sentimentLabels) }).optional(),
  entities: z
    .array(z.object({ text: safeText, type: z.enum(entityTypes), confidence: share }))
    .max(maxFound)
    .optional(),
  keywords: z
    .array(z.object({ text: safeText, score: share }))
    .max(maxFound)
    .optional(),
})

/** What providers may answer. Their answers are copied through these: what breaks the contract is a bug of the provider. */
export const providerAnswers = {
  text: z.object({ content: safeText, ...finish }),
  /** Pieces are left as they are: a surrogate pair may be split between two. */
  textEvent: z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string().max(maxCharacters) }),
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

/** An answer, copied; throws a `ContractViolation` where it is none. */
function readAnswer<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const read = schema.safeParse(answer)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`)
  throw new ContractViolation(faults.slice(0, 3).join('; '))
}

/** An answer that breaks the provider contract: a bug of the provider, which is handled like an error that it throws. */
class ContractViolation extends Error {
  constructor(violation: string) {
    super(`the answer breaks the contract: ${violation}`)
    this.name = 'ContractViolation'
  }
}

/** An analysis and its warnings, in the form that callers get. */
export type CheckedAnalysis = z.output<typeof providerAnswers.analysis>

export const maxKeywords = 20

/** What a provider finds in a text, checked: the results of the tasks asked for and no others. */
export async function askForAnalysis(
  provider: Provider,
  request: AnalysisRequest,
  call: ProviderCall,
): Promise<CheckedAnalysis> {
  if (!provider.analyze) throw new ProviderError('give_up', `${provider.id} lists analyzers and analyzes nothing`)
  const raw = await provider.analyze({ ...request, tasks: [...request.tasks] }, call)
  const answer = readAnswer(providerAnswers.analysis, raw)
  return { ...answer, analysis: selectTasks(request.tasks, answer.analysis) }
}

function selectTasks(tasks: readonly AnalysisTask[], found: CheckedAnalysis['analysis']): CheckedAnalysis['analysis'] {
  const missing = tasks.filter((task) => found[task] === undefined)
  if (missing.length > 0) throw new ProviderError('retry', `the analysis lacks ${missing.join(', ')}`)
  const selected = Object.fromEntries(tasks.map((task) => [task, found[task]])) as CheckedAnalysis['analysis']
  const { keywords } = selected
  if (!keywords) return selected
  const ranked = keywords.toSorted((one, other) => other.score - one.score)
  return { ...selected, keywords: ranked.slice(0, maxKeywords) }
}
