import type { ProviderCall, TextEvent, TextRequest } from '@fairlead/core/provider'
import { aiSdk, type AnyLanguageModel } from '../index.ts'

const call: ProviderCall = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }
export const text = (words: string) => ({ type: 'text', text: words }) as const
const request: TextRequest = {
  model: 'written',
  messages: [{ role: 'user', content: [text('Hello')] }],
}
interface Script {
  readonly content?: readonly object[]
  readonly stream?: readonly object[]
  readonly finish?: string
  /** The rest of the result. */
  readonly result?: object
}

/** A provider with one model, which records how it was called. */
export function written(
  version: string,
  { content = [], stream: streamed = [], finish = 'stop', result = {} }: Script = {},
) {
  const calls: Record<string, unknown>[] = []
  const usage =
    version === 'v2'
      ? { inputTokens: 7, outputTokens: 5, totalTokens: 12, reasoningTokens: 4 }
      : { inputTokens: { total: 7 }, outputTokens: { total: 5, reasoning: 4 } }
  const end = { finishReason: version === 'v2' ? finish : { unified: finish, raw: finish }, usage }
  const model = {
    specificationVersion: version,
    provider: 'hand',
    modelId: 'written',
    supportedUrls: {},
    async doGenerate(options: Record<string, unknown>) {
      calls.push(options)
      return { content, ...end, warnings: [], ...result }
    },
    async doStream(options: Record<string, unknown>) {
      calls.push(options)
      const parts = [{ type: 'stream-start', warnings: [] }, ...streamed, { type: 'finish', ...end }]
      const stream = new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      })
      return { stream }
    },
  }
  const ask = (fields: Partial<TextRequest>, options: object = {}) =>
    aiSdk({ models: [{ model: model as unknown as AnyLanguageModel, ...options }] }).generateText!(
      { ...request, ...fields },
      call,
    )
  async function collect() {
    const events: TextEvent[] = []
    const provider = aiSdk({ models: [{ model: model as unknown as AnyLanguageModel }] })
    for await (const event of provider.streamText!(request, call)) events.push(event)
    return events
  }
  return { ask, collect, calls }
}
