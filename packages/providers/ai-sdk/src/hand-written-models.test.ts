import {
  APICallError,
  type LanguageModelV2,
  type LanguageModelV2StreamPart,
  type LanguageModelV3,
  type LanguageModelV3StreamPart,
  type LanguageModelV4,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { ProviderCall, TextEvent, TextRequest } from '@fairlead/core/provider'
import { testCore } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'
import { describe, expect, test, vi } from 'vitest'
import { aiSdk } from './index.ts'
import type { AnyLanguageModel } from './options.ts'

const request: TextRequest = {
  model: 'written',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Greet me' }] }],
  maxTokens: 50,
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}
function call(signal: AbortSignal = new AbortController().signal): ProviderCall {
  return { signal, deadline: Date.now() + 60_000, requestId: 'req_1' }
}

interface Written<Model> {
  readonly model: Model
  /** The options of its calls. */
  readonly calls: Record<string, unknown>[]
}

/** The output of a hand-written model, in the words of its version of the specification. */
interface Words {
  readonly finish?: string
  readonly raw?: string
  readonly error?: unknown
  readonly never?: boolean
}

const named = { provider: 'hand', modelId: 'written', supportedUrls: {} }

/** Stream parts that `generate` ignores, between the parts with text. */
const noise = [
  { type: 'response-metadata', id: 'r1' },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Hmm' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hello' },
  { type: 'text-delta', id: 't', delta: '' },
  { type: 'text-delta', id: 't', delta: ' there' },
  { type: 'text-end', id: 't' },
] as const

function createStream<Part>(parts: readonly Part[], { error, never }: Words): ReadableStream<Part> {
  return new ReadableStream<Part>({
    start(controller) {
      const first = error === undefined ? parts : [...parts.slice(0, 3), { type: 'error', error } as Part]
      for (const part of first) controller.enqueue(part)
      if (!never) controller.close()
    },
  })
}

const content = [
  { type: 'reasoning', text: 'Hmm' },
  { type: 'text', text: 'Hello' },
  { type: 'text', text: ' there' },
] as const

function v2({ finish = 'stop', ...words }: Words = {}): Written<LanguageModelV2> {
  const calls: Record<string, unknown>[] = []
  const end = {
    finishReason: finish as 'stop',
    usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10, cachedInputTokens: 2 },
  }
  const warnings = [{ type: 'unsupported-setting', setting: 'seed', details: 'never was' }] as const
  const model: LanguageModelV2 = {
    ...named,
    specificationVersion: 'v2',
    async doGenerate(options) {
      calls.push(options as unknown as Record<string, unknown>)
      if (words.error !== undefined) throw words.error
      return { content: [...content], ...end, warnings: [...warnings] }
    },
    async doStream(options) {
      calls.push(options as unknown as Record<string, unknown>)
      const parts: LanguageModelV2StreamPart[] = [
        { type: 'stream-start', warnings: [...warnings] },
        ...noise,
        { type: 'finish', ...end },
      ]
      return { stream: createStream(parts, words) }
    },
  }
  return { model, calls }
}

function later<Version extends 'v3' | 'v4'>(version: Version) {
  return ({ finish = 'stop', raw = finish, ...words }: Words = {}) => {
    const calls: Record<string, unknown>[] = []
    const end = {
      finishReason: { unified: finish as 'stop', raw: raw === 'none' ? undefined : raw },
      usage: {
        inputTokens: { total: 7, noCache: 5, cacheRead: 2, cacheWrite: undefined },
        outputTokens: { total: 3, text: 3, reasoning: 0 },
      },
    }
    const warnings = [{ type: 'unsupported', feature: 'seed', details: 'never was' }] as const
    const model = {
      ...named,
      specificationVersion: version,
      async doGenerate(options: object) {
        calls.push(options as Record<string, unknown>)
        if (words.error !== undefined) throw words.error
        return { content: [...content], ...end, warnings: [...warnings] }
      },
      async doStream(options: object) {
        calls.push(options as Record<string, unknown>)
        const parts: (LanguageModelV3StreamPart & LanguageModelV4StreamPart)[] = [
          { type: 'stream-start', warnings: [...warnings] },
          ...noise,
          { type: 'finish', ...end },
        ]
        return { stream: createStream(parts, words) }
      },
    }
    return { model, calls }
  }
}

const v3: (words?: Words) => Written<LanguageModelV3> = later('v3')
const v4: (words?: Words) => Written<LanguageModelV4> = later('v4')

const versions: readonly (readonly [string, (words?: Words) => Written<AnyLanguageModel>])[] = [
  ['v2', v2],
  ['v3', v3],
  ['v4', v4],
]

const finish = {
  finishReason: 'stop',
  usage: { promptTokens: 7, completionTokens: 3, cachedPromptTokens: 2 },
  warnings: [{ field: 'seed', issue: 'is not supported by the model: never was' }],
}

async function collect(events: AsyncIterable<TextEvent> | undefined): Promise<TextEvent[]> {
  const collected: TextEvent[] = []
  for await (const event of events ?? []) collected.push(event)
  return collected
}

describe.each(versions)('a language model of specification %s', (_version, written) => {
  test('a language model of the AI SDK returns its text, token counts, and warnings', async () => {
    const provider = aiSdk({ models: [{ model: written().model }] })
    expect(await provider.generateText?.(request, call())).toEqual({ parts: content, ...finish })
  })

  test('a language model of the AI SDK streams its text and then its finish event', async () => {
    const provider = aiSdk({ models: [{ model: written().model }] })
    expect(await collect(provider.streamText?.(request, call()))).toEqual([
      { type: 'start', response: { id: 'r1' } },
      { type: 'part_start', index: 0, part: { type: 'reasoning', text: '' } },
      { type: 'part_delta', index: 0, text: 'Hmm' },
      { type: 'part_end', index: 0 },
      { type: 'part_start', index: 1, part: { type: 'text', text: '' } },
      { type: 'part_delta', index: 1, text: 'Hello' },
      { type: 'part_delta', index: 1, text: ' there' },
      { type: 'part_end', index: 1 },
      { type: 'finish', ...finish, response: { id: 'r1' } },
    ])
  })

  test('a language model of the AI SDK reports its warnings before it streams', async () => {
    const warn = vi.fn<(warnings: readonly object[]) => void>()
    const provider = aiSdk({ models: [{ model: written().model }] })
    await collect(provider.streamText?.(request, { ...call(), warn }))
    expect(warn).toHaveBeenCalledExactlyOnceWith(finish.warnings)
  })

  test('a language model of the AI SDK receives only settings that change its response', async () => {
    const { model, calls } = written()
    const provider = aiSdk({ models: [{ model }] })
    const { signal } = new AbortController()
    await provider.generateText?.(request, call(signal))
    expect(calls).toEqual([
      {
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'Greet me' }] }],
        maxOutputTokens: 50,
        temperature: 0.7,
        abortSignal: signal,
      },
    ])
  })

  test('a language model of the AI SDK receives every setting that is not the default', async () => {
    const { model, calls } = written()
    const provider = aiSdk({ models: [{ model, providerOptions: { hand: { effort: 'low' } } }] })
    const schema = { type: 'object', properties: {} }
    const settings = { topP: 0.5, frequencyPenalty: 1, presencePenalty: -1, seed: 7, stop: ['.'] }
    await provider.generateText?.({ ...request, ...settings, responseFormat: { type: 'json_schema', schema } }, call())
    expect(calls).toMatchObject([
      {
        topP: 0.5,
        frequencyPenalty: 1,
        presencePenalty: -1,
        seed: 7,
        stopSequences: ['.'],
        responseFormat: { type: 'json', schema },
        providerOptions: { hand: { effort: 'low' } },
      },
    ])
  })

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content-filter', 'content_filter'],
    ['tool-calls', 'stop'],
  ])('a language model of the AI SDK maps the finish reason %s to %s', async (reason, expected) => {
    const provider = aiSdk({ models: [{ model: written({ finish: reason }).model }] })
    expect(await provider.generateText?.(request, call())).toMatchObject({ finishReason: expected })
    const events = await collect(provider.streamText?.(request, call()))
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: expected })
  })

  test('a language model of the AI SDK fails with retry if it ends with an error', async () => {
    const provider = aiSdk({ models: [{ model: written({ finish: 'error' }).model }] })
    await expect(provider.generateText?.(request, call())).rejects.toMatchObject({ failure: 'retry' })
    await expect(collect(provider.streamText?.(request, call()))).rejects.toMatchObject({ failure: 'retry' })
  })

  test('a language model of the AI SDK fails if its stream has no finish event', async () => {
    const silent = _version === 'v2' ? { finish: 'unknown' } : { finish: 'other', raw: 'none' }
    const provider = aiSdk({ models: [{ model: written(silent).model }] })
    await expect(collect(provider.streamText?.(request, call()))).rejects.toMatchObject({ failure: 'retry' })
    expect(await provider.generateText?.(request, call())).toMatchObject({ finishReason: 'stop' })
  })

  const seedWarning = expect.stringContaining('never was')
  test.runIf(_version !== 'v2').each<[string, string, readonly unknown[]]>([
    ['max_output_tokens', 'length', [seedWarning]],
    ['SAFETY', 'content_filter', [seedWarning]],
    ['eos', 'stop', [seedWarning]],
    ['reason_of_tomorrow', 'stop', [seedWarning, expect.stringContaining('reason_of_tomorrow')]],
  ])(
    'a language model of the AI SDK ends for the reason of its upstream that the SDK has no word for: %s',
    async (raw, finishReason, issues) => {
      const provider = aiSdk({ models: [{ model: written({ finish: 'other', raw }).model }] })
      const warnings = issues.map((issue) => expect.objectContaining({ issue }))
      const answer = await provider.generateText?.(request, call())
      expect(answer).toMatchObject({ finishReason, warnings })
      const end = (await collect(provider.streamText?.(request, call()))).at(-1)
      expect(end).toMatchObject({ type: 'finish', finishReason, warnings })
    },
  )

  test('a language model of the AI SDK that ends a whole answer without a reason adds a warning', async () => {
    const silent = _version === 'v2' ? { finish: 'unknown' } : { finish: 'other', raw: 'none' }
    const provider = aiSdk({ models: [{ model: written(silent).model }] })
    const { warnings } = (await provider.generateText?.(request, call())) ?? {}
    expect(warnings).toContainEqual({ field: null, issue: 'the provider did not say why the answer ended' })
  })

  test('a language model of the AI SDK fails with its error as a ProviderError', async () => {
    const error = new APICallError({
      message: 'Slow down',
      url: 'https://api.example.com',
      requestBodyValues: {},
      statusCode: 429,
      responseHeaders: { 'retry-after': '3' },
    })
    const provider = aiSdk({ models: [{ model: written({ error }).model }] })
    const expected = { failure: 'rate_limited', retryAfterMs: 3_000 }
    await expect(provider.generateText?.(request, call())).rejects.toMatchObject(expected)
    await expect(collect(provider.streamText?.(request, call()))).rejects.toMatchObject(expected)
  })

  test('a language model of the AI SDK receives the abort, and the call rejects with its reason', async () => {
    const { model, calls } = written({ error: new DOMException('The operation was aborted', 'AbortError') })
    const provider = aiSdk({ models: [{ model }] })
    const reason = new Error('left')
    const left = AbortSignal.abort(reason)
    await expect(provider.generateText?.(request, call(left))).rejects.toBe(reason)
    await expect(collect(provider.streamText?.(request, call(left)))).rejects.toBe(reason)
    expect(calls).toMatchObject([{ abortSignal: left }, { abortSignal: left }])
  })

  test('a language model of the AI SDK is canceled when its stream is no longer read', async () => {
    const { model } = written({ never: true })
    let canceled = false
    const watched = {
      ...model,
      doStream: async (options: never) => {
        const { stream } = await model.doStream(options)
        // Some type definitions of transformers lack `cancel`.
        const watcher: object = { cancel: () => void (canceled = true) }
        const watch = new TransformStream(watcher)
        return { stream: (stream as ReadableStream).pipeThrough(watch) }
      },
    } as AnyLanguageModel
    const provider = aiSdk({ models: [{ model: watched }] })
    for await (const event of provider.streamText?.(request, call()) ?? []) if (event.type === 'part_delta') break
    expect(canceled).toBe(true)
  })

  test('a language model of the AI SDK works through core, complete and streamed', async () => {
    const { core, caller } = await testCore({ providers: [aiSdk({ models: [{ model: written().model }] })] })
    const asked = { model: 'ai-sdk/written', prompt: 'Greet me' }
    expect(await core.run(operations.generate, caller, asked)).toMatchObject({
      data: { content: 'Hello there', usage: { totalTokens: 10 } },
      meta: { provider: 'ai-sdk' },
    })
    const reply = await core.run(operations.generate, caller, { ...asked, stream: true })
    const pieces: unknown[] = []
    if ('events' in reply) for await (const event of reply.events) pieces.push(event.type)
    expect(pieces).toEqual(['chunk', 'chunk', 'chunk', 'done'])
  })
})
