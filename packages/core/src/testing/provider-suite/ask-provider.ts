import type {
  AnalysisAnswer,
  AnalysisRequest,
  ImageAnswer,
  ImageRequest,
  Provider,
  ProviderCall,
  TextAnswer,
  TextEvent,
  TextRequest,
} from '../../gateway/provider.ts'
import { type AnswerParts, answerParts } from '../../gateway/answer-parts.ts'
import type { Model } from '../../gateway/model.ts'
import { ProviderError } from '../../gateway/provider-error.ts'
import type { SuiteKind } from './suite-options.ts'

export type SuiteRequest = Partial<TextRequest & ImageRequest & AnalysisRequest>
export type SuiteAnswer = TextAnswer & ImageAnswer & AnalysisAnswer

/** Calls a provider as core does, with frozen arguments; a stream is returned as the answer that its events amount to. */
export async function askProvider(
  provider: Provider,
  kind: SuiteKind,
  request: SuiteRequest,
  signal?: AbortSignal,
): Promise<SuiteAnswer> {
  const call = Object.freeze(suiteCall(signal))
  const whole = deepFrozen(structuredClone(await filledIn(provider, kind, request)))
  const ask = {
    text: () => provider.generateText!(whole, call),
    stream: () => collected(provider.streamText!(whole, call)),
    image: () => provider.generateImage!(whole, call),
    analysis: () => provider.analyze!(whole, call),
  }
  return (await ask[kind]()) as SuiteAnswer
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen)
  return value
}

export function suiteCall(signal?: AbortSignal): ProviderCall {
  return { signal: signal ?? new AbortController().signal, deadline: Date.now() + 60_000, requestId: 'req_1' }
}

export async function modelsOf(provider: Provider, signal?: AbortSignal): Promise<readonly Model[]> {
  return typeof provider.models === 'function' ? provider.models(suiteCall(signal)) : provider.models
}

/** The request with core's defaults. */
export async function filledIn(provider: Provider, kind: SuiteKind, request: SuiteRequest) {
  const { prompt } = request
  const filled = { ...defaults[kind], ...request, ...(prompt !== undefined && !request.messages && messagesOf(prompt)) }
  if (kind === 'analysis') return { analyzer: provider.analyzers?.[0]?.id, ...filled } as Required<SuiteRequest>
  if (filled.model !== undefined) return filled as Required<SuiteRequest>
  return { ...(await firstModel(provider, kind === 'image' ? 'image' : 'text')), ...filled } as Required<SuiteRequest>
}

const text = {
  prompt: 'Greet me.',
  ...messagesOf('Greet me.'),
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
}

function messagesOf(prompt: string): Pick<TextRequest, 'messages'> {
  return { messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] }
}

async function firstModel(provider: Provider, type: 'text' | 'image'): Promise<SuiteRequest> {
  const found = (await modelsOf(provider)).find((model) => model.type === type)
  if (found?.type !== 'image') return { model: found?.id ?? '' }
  return { model: found.id, ...pixelsOf(found.sizes[0]) }
}

export function pixelsOf(size: string): { readonly width: number; readonly height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number)
  return { width, height }
}

function answerOf(gathered: AnswerParts, finish: Extract<TextEvent, { type: 'finish' }>): TextAnswer {
  const parts = gathered.parts(finish.finishReason === 'length')
  return { content: gathered.content(), ...(parts && { parts }), ...finish }
}

/** @throws ProviderError if the stream ends without a finish event, as core does */
async function collected(events: ReturnType<NonNullable<Provider['streamText']>>): Promise<TextAnswer> {
  const parts = answerParts()
  let answer: TextAnswer | undefined
  for await (const event of events) {
    if (answer) throw new Error('the stream continued after its finish event')
    if (event.type === 'finish') answer = answerOf(parts, event)
    else parts.add(event)
  }
  if (!answer) throw new ProviderError('retry', 'the stream ended without a finish event')
  return answer
}
