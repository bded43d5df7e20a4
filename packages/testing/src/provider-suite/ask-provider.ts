import type { Issue } from '@fairlead/core'
import {
  type AnalysisAnswer,
  type AnalysisRequest,
  type EmbeddingAnswer,
  type EmbeddingRequest,
  type ImageAnswer,
  type ImageRequest,
  type Model,
  type Provider,
  type ProviderCall,
  type TextAnswer,
  type TextRequest,
  collectAnswer,
} from '@fairlead/core/provider'
import { expect } from 'vitest'
import type { SuiteKind } from './suite-options.ts'

export type SuiteRequest = Partial<TextRequest & ImageRequest & AnalysisRequest & EmbeddingRequest>
export type SuiteAnswer = TextAnswer & ImageAnswer & AnalysisAnswer & EmbeddingAnswer

/** Calls a provider as core does, with frozen arguments; a stream is returned as the answer that its events amount to. */
export async function askProvider(
  provider: Provider,
  kind: SuiteKind,
  request: SuiteRequest,
  signal?: AbortSignal,
): Promise<SuiteAnswer> {
  return askWhole(provider, kind, deepFrozen(structuredClone(await filledIn(provider, kind, request))), signal)
}

/** The same with a request as it is. */
export async function askWhole(
  provider: Provider,
  kind: SuiteKind,
  whole: Required<SuiteRequest>,
  signal?: AbortSignal,
): Promise<SuiteAnswer> {
  const call = Object.freeze(suiteCall(kind, signal))
  const ask = {
    text: () => provider.generateText!(whole, call),
    stream: () => streamed(provider, whole, call),
    image: () => provider.generateImage!(whole, call),
    analysis: () => provider.analyze!(whole, call),
    embedding: async () => plainVectors(await provider.embed!(whole, call)),
  }
  return (await ask[kind]()) as SuiteAnswer
}

/** The answer of a stream, which has all warnings that were reported before it. */
async function streamed(provider: Provider, request: TextRequest, call: ProviderCall): Promise<TextAnswer> {
  const early: Issue[] = []
  const warn = (found: readonly Issue[]) => void early.push(...found)
  const answer = await collectAnswer(provider.streamText!(request, Object.freeze({ ...call, warn })))
  expect(answer.warnings ?? []).toEqual(expect.arrayContaining(early))
  return answer
}

/** The same answer with its vectors as arrays of 32-bit numbers, so that answers can be compared. */
export function plainVectors<Answer extends Partial<EmbeddingAnswer>>(answer: Answer): Answer {
  if (!Array.isArray(answer.embeddings)) return answer
  const plain = (vector: unknown) =>
    Array.isArray(vector) || vector instanceof Float32Array ? Array.from(vector, rounded) : vector
  return { ...answer, embeddings: answer.embeddings.map(plain) }
}

function rounded(value: unknown): unknown {
  return typeof value === 'number' ? Math.fround(value) : value
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen)
  return value
}

/** A stream has no deadline. */
export function suiteCall(kind: SuiteKind | 'models' | 'health', signal?: AbortSignal): ProviderCall {
  const call = { signal: signal ?? new AbortController().signal, requestId: 'req_1' }
  return kind === 'stream' ? call : { ...call, deadline: Date.now() + 60_000 }
}

export async function fetchModels(provider: Provider, signal?: AbortSignal): Promise<readonly Model[]> {
  return typeof provider.models === 'function' ? provider.models(suiteCall('models', signal)) : provider.models
}

/**
 * The request with core's defaults, and without its undefined fields. One with `messages` gets only the model that is
 * missing.
 */
export async function filledIn(
  provider: Provider,
  kind: SuiteKind,
  request: SuiteRequest,
): Promise<Required<SuiteRequest>> {
  const { prompt, messages, ...settings } = request
  const isText = kind === 'text' || kind === 'stream'
  const filled = {
    ...(messages ? { messages } : defaults[kind]),
    ...(prompt !== undefined && (isText ? !messages && toMessages(prompt) : { prompt })),
    ...settings,
  }
  const entries = Object.entries({ ...(await targetFor(provider, kind, filled)), ...filled }).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(entries) as unknown as Required<SuiteRequest>
}

const text = {
  ...toMessages('Greet me.'),
  maxTokens: 64,
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}
const defaults: Readonly<Record<SuiteKind, SuiteRequest>> = {
  text,
  stream: text,
  image: { prompt: 'A lake at dawn.', quality: 'standard', style: 'natural' },
  analysis: { text: 'Maria Lopez loves the office in Berlin.', tasks: ['sentiment'], language: 'en' },
  embedding: { texts: ['A lake at dawn.', 'A city at night.'] },
}

function toMessages(prompt: string): Pick<TextRequest, 'messages'> {
  return { messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] }
}

/** The first analyzer or model of a kind, unless the request names its own. */
async function targetFor(provider: Provider, kind: SuiteKind, request: SuiteRequest): Promise<SuiteRequest> {
  if (kind === 'analysis') return { analyzer: provider.analyzers?.[0]?.id ?? '' }
  if (request.model !== undefined) return {}
  const models = await fetchModels(provider)
  if (kind === 'image') {
    const found = models.find((model) => model.type === 'image')
    return found ? { model: found.id, ...parseSize(found.sizes[0]) } : { model: '' }
  }
  const embeds = kind === 'embedding'
  const found = models.find((model) => model.type === 'text' && (model.embedding !== undefined) === embeds)
  return { model: found?.id ?? '' }
}

export function parseSize(size: string): { readonly width: number; readonly height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number)
  return { width, height }
}
