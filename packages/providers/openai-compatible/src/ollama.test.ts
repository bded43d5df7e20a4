import type { TextRequest } from '@fairlead/core/provider'
import { openTestUpstream, replaying, type RecordedReply } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openaiCompatible, type OpenaiCompatibleOptions } from './index.ts'
import { call, completion } from './testing/ask-replying.ts'

interface Server {
  /** The reply of `/api/show`. Default: not found, as in front of a proxy. */
  readonly show?: object
  /** The context of the running model. Default: not found. */
  readonly running?: number
  readonly promptTokens?: number
}

const notFound: RecordedReply = { status: 404, json: {} }

/** A provider of an Ollama server with the model `llama3.2:latest`. */
async function ollama({ show, running, promptTokens = 10 }: Server, options: Partial<OpenaiCompatibleOptions> = {}) {
  const upstream = await openTestUpstream()
  const usage = { prompt_tokens: promptTokens, completion_tokens: 2 }
  const models = running === undefined ? [] : [{ name: 'llama3.2:latest', context_length: running }]
  const replies: Readonly<Record<string, RecordedReply>> = {
    '/v1/models': { json: { data: [{ id: 'llama3.2:latest' }] } },
    '/api/show': show ? { json: show } : notFound,
    '/api/ps': show ? { json: { models } } : notFound,
    '/v1/chat/completions': completion({ content: 'Hello' }, {}, usage),
  }
  const events = [{ data: { choices: [{ delta: { content: 'Hello' }, finish_reason: 'stop' }], usage } }]
  upstream.answer((response, request) => {
    const streams = (request.body as { stream?: boolean }).stream
    const reply = streams ? { events: [...events, { data: '[DONE]' }] } : replies[request.path]
    return replaying(reply ?? notFound)(response, request)
  })
  const provider = openaiCompatible({ preset: 'ollama', baseUrl: `${upstream.url}/v1`, ...options })
  onTestFinished(async () => {
    await provider.close()
    await upstream.close()
  })
  const request = (prompt: string): TextRequest => ({
    ...basics,
    messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
  })
  return {
    upstream,
    converse: (...texts: string[]) =>
      provider.generateText(
        { ...request(''), messages: texts.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })) },
        call,
      ),
    write: (prompt: string) => provider.generateText(request(prompt), call),
    async stream(prompt: string) {
      let last: object | undefined
      for await (const event of provider.streamText(request(prompt), call)) last = event
      return last
    },
    models: () => (provider.models as (context: typeof call) => Promise<readonly object[]>)(call),
  }
}

const basics = {
  model: 'llama3.2:latest',
  maxTokens: 64,
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}
const words = (bytes: number) => 'word '.repeat(bytes / 5)

describe('Ollama', () => {
  test.each<[string, Server]>([
    ['configures', { show: { parameters: 'stop "x"\nnum_ctx 4096' } }],
    ['runs the model with', { show: {}, running: 4_096 }],
    ['runs the model with, whatever the model configures', { show: { parameters: 'num_ctx 32768' }, running: 4_096 }],
  ])('Ollama is not sent a prompt that is longer than the context that it %s', async (_case, server) => {
    const { write, upstream } = await ollama(server)
    await expect(write(words(40_000))).rejects.toMatchObject({
      failure: 'too_long',
      field: 'messages',
      detail: expect.stringContaining('the context of 4096 tokens'),
    })
    expect(upstream.requests.map(({ path }) => path)).not.toContain('/v1/chat/completions')
  })

  test.each<[string, Server]>([
    ['filled the context', { show: {}, running: 4_096, promptTokens: 4_096 }],
    ['has far fewer tokens than text has', { show: {}, running: 4_096, promptTokens: 2_049 }],
    ['has far fewer tokens than text has, in a context of unknown size', { promptTokens: 1_500 }],
  ])('Ollama is reported to have cut a prompt that %s', async (_case, server) => {
    const { write, stream } = await ollama(server)
    const expected = { warnings: [{ field: 'messages', issue: expect.stringContaining('Ollama cut it') }] }
    expect(await write(words(20_000))).toMatchObject(expected)
    expect(await stream(words(20_000))).toMatchObject(expected)
  })

  test.each<[string, Server]>([
    ['has as many tokens as text has', { show: {}, running: 8_192, promptTokens: 5_000 }],
    ['has more tokens than the context was thought to have', { show: {}, running: 2_600, promptTokens: 5_000 }],
    ['fits, though the server reports no context', { promptTokens: 5_000 }],
    ['came mostly from a cache that is not counted', { show: {}, running: 8_192, promptTokens: 12 }],
  ])('Ollama is not reported to have cut a prompt that %s', async (_case, server) => {
    const { write } = await ollama(server)
    expect(await write(words(20_000))).not.toHaveProperty('warnings')
  })

  test('Ollama is asked nothing about a prompt that fits into every context', async () => {
    const { write, upstream } = await ollama({ show: {}, running: 4_096 })
    await write('Greet me.')
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions'])
  })

  test.each<[string, Server, object | undefined]>([
    ['configured', { show: { parameters: 'num_ctx 8192' } }, { contextSize: 8_192, maxTokens: 8_192 }],
    ['running', { show: {}, running: 4_096 }, { contextSize: 4_096 }],
  ])('Ollama lists its models with their %s context', async (_case, server, expected) => {
    const { models } = await ollama(server)
    expect(await models()).toMatchObject([{ id: 'llama3.2:latest', ...expected }])
  })

  test('Ollama lists its models without a context where it does not report one', async () => {
    const { models } = await ollama({})
    const [model] = await models()
    expect(model).not.toHaveProperty('contextSize')
  })

  test('Ollama does not list models that write no text', async () => {
    const { models } = await ollama({ show: { capabilities: ['embedding'] } })
    expect(await models()).toEqual([])
  })

  test('Ollama lists what its models can do', async () => {
    const { models } = await ollama({ show: { capabilities: ['completion', 'tools', 'vision', 'thinking'] } })
    expect(await models()).toMatchObject([{ chat: true, tools: true, vision: true, reasoning: true }])
    const { models: plain } = await ollama({ show: { capabilities: ['completion'] } })
    expect(Object.keys((await plain())[0]!)).not.toEqual(expect.arrayContaining(['tools', 'vision', 'reasoning']))
  })

  test('Ollama lists its embedding models with the length of their vectors', async () => {
    const model_info = { 'nomic-bert.embedding_length': 768, 'nomic-bert.context_length': 2_048 }
    const { models } = await ollama({ show: { capabilities: ['embedding'], model_info }, running: 2_048 })
    expect(await models()).toMatchObject([{ maxTokens: 2_048, embedding: { dimensions: 768, maxTexts: 130 } }])
  })

  test('Ollama counts the texts of a whole conversation', async () => {
    const { converse } = await ollama({ show: {}, running: 4_096 })
    await expect(converse(words(20_000), words(20_000))).rejects.toMatchObject({ failure: 'too_long' })
  })

  test.each<[readonly string[], unknown]>([
    [['completion', 'thinking'], 'none'],
    [['completion'], undefined],
  ])('Ollama with the capabilities %j is asked for effort %s', async (capabilities, effort) => {
    const { models, write, upstream } = await ollama({ show: { capabilities } })
    await models()
    await write('Greet me.')
    expect((upstream.requests.at(-1)!.body as { reasoning_effort?: string }).reasoning_effort).toBe(effort)
  })
})
