import { inspect } from 'node:util'
import { createOpenAI } from '@ai-sdk/openai'
import { createFairlead, type Operation } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import type { OpenCall } from '@fairlead/core/adapter'
import { blankPng, openTestUpstream, replaying, testCore, type UpstreamAnswer } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aiSdk } from './index.ts'

const apiKey = 'sk-canary-0123456789abcdef'

async function serve(answer: UpstreamAnswer) {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  upstream.answer(answer)
  const openai = createOpenAI({ baseURL: upstream.url, apiKey })
  const provider = aiSdk({
    id: 'vercel',
    models: [
      { model: openai.chat('gpt-4o-mini'), pricing: { input: 1, output: 2 }, structured: true },
      { model: openai.image('gpt-image-1'), sizes: ['1024x1024'] },
    ],
  })
  const { core, caller, logged } = await testCore({ providers: [provider] })
  const generate = (input: object = {}) =>
    core.run(operations.generate, caller, { model: 'gpt-4o-mini', prompt: 'Greet me', ...input })
  return { upstream, core, caller, logged, generate }
}

function json(body: unknown, status = 200): UpstreamAnswer {
  return (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function completion(content: string) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  }
}

function chunk(delta: object, finish_reason: string | null = null) {
  const choices = [{ index: 0, delta, finish_reason }]
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini', choices }
}

const usageChunk = { ...chunk({}), choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } }

function events(...chunks: readonly (object | '[DONE]')[]): UpstreamAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const one of chunks) response.write(`data: ${one === '[DONE]' ? one : JSON.stringify(one)}\n\n`)
    response.end()
  }
}

async function read(reply: object): Promise<readonly { readonly type: string }[]> {
  const seen: { type: string }[] = []
  if ('events' in reply) for await (const event of reply.events as AsyncIterable<{ type: string }>) seen.push(event)
  return seen
}

describe('the package @ai-sdk/openai', () => {
  test('the package @ai-sdk/openai reports the upstream’s id of the request', async () => {
    const headers = { 'x-request-id': 'req_up' }
    const upstream = await openTestUpstream()
    onTestFinished(() => upstream.close())
    const openai = createOpenAI({ baseURL: upstream.url, apiKey })
    const provider = aiSdk({
      models: [
        { model: openai.chat('gpt-4o-mini') },
        { model: openai.image('gpt-image-1'), sizes: ['1024x1024'] },
        { model: openai.embedding('text-embedding-3-small'), embedding: { dimensions: 1 } },
      ],
    })
    const { core, caller } = await testCore({ providers: [provider] })
    const idsOf = async (operation: Operation, input: object, reply: Parameters<typeof replaying>[0]) => {
      upstream.answer(replaying({ ...reply, headers: { ...reply.headers, ...headers } }))
      const calls: OpenCall[] = []
      await read(await core.run(operation, caller, input, { onCall: (call) => void calls.push(call) }))
      return calls.map(({ modelCall }) => modelCall.upstream?.requestId)
    }
    const chat = { model: 'gpt-4o-mini', prompt: 'Greet me' }
    const chunks = [chunk({ content: 'Hi' }), chunk({}, 'stop'), usageChunk, '[DONE]']
    const text = chunks.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('')
    const stream = { text, headers: { 'content-type': 'text/event-stream' } }
    const picture = { created: 1, data: [{ b64_json: Buffer.from(blankPng(1024, 1024)).toString('base64') }] }
    const vectors = {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [1] }],
      usage: { prompt_tokens: 1 },
    }
    expect([
      await idsOf(operations.generate, chat, { json: completion('Hi') }),
      await idsOf(operations.generate, { ...chat, stream: true }, stream),
      await idsOf(operations.generateImage, { model: 'gpt-image-1', prompt: 'a lake' }, { json: picture }),
      await idsOf(operations.embed, { model: 'text-embedding-3-small', texts: ['Hi'] }, { json: vectors }),
    ]).toEqual([['req_up'], ['req_up'], ['req_up'], ['req_up']])
  })

  test('the package @ai-sdk/openai returns a text with its tokens and their price', async () => {
    const { generate, upstream } = await serve(json(completion('Hello there')))
    expect(await generate({ temperature: 0.2, stop: ['.'] })).toMatchObject({
      data: { content: 'Hello there', finishReason: 'stop', usage: { promptTokens: 9, completionTokens: 3 } },
      meta: { provider: 'vercel', costUsd: 0.000015 },
    })
    expect(upstream.requests).toMatchObject([
      {
        path: '/chat/completions',
        headers: { authorization: `Bearer ${apiKey}` },
        body: { messages: [{ role: 'user', content: 'Greet me' }], temperature: 0.2, stop: ['.'], max_tokens: 100 },
      },
    ])
    expect(upstream.requests[0]?.body).not.toHaveProperty('frequency_penalty')
  })

  test('the package @ai-sdk/openai streams', async () => {
    const stream = events(
      chunk({ role: 'assistant', content: 'Hello' }),
      chunk({ content: ' there' }),
      chunk({}, 'stop'),
      usageChunk,
      '[DONE]',
    )
    const { generate } = await serve(stream)
    const seen = await read(await generate({ stream: true }))
    expect(seen.map(({ type }) => type)).toEqual(['chunk', 'chunk', 'done'])
    expect(seen.at(-1)).toMatchObject({ reply: { data: { content: 'Hello there', usage: { totalTokens: 12 } } } })
  })

  test('the package @ai-sdk/openai fails if its stream breaks off', async () => {
    const { generate } = await serve(events(chunk({ role: 'assistant', content: 'Hello' }), chunk({ content: ' th' })))
    const seen = await read(await generate({ stream: true }))
    expect(seen.at(-1)).toMatchObject({ type: 'error', reply: { error: { code: 'PROVIDER_ERROR' } } })
  })

  test.each([
    [401, { message: `Incorrect API key provided: ${apiKey}`, type: 'invalid_request_error' }, 'PROVIDER_ERROR'],
    [429, { message: 'Rate limit reached', type: 'requests' }, 'RATE_LIMIT_EXCEEDED'],
    [500, { message: 'The server had an error' }, 'PROVIDER_ERROR'],
    [400, { message: 'max_tokens is too large', param: 'max_tokens' }, 'INVALID_REQUEST'],
    [400, { message: 'Your request was rejected', code: 'content_policy_violation' }, 'CONTENT_REFUSED'],
  ])('the package @ai-sdk/openai classifies status %i with %j, and reveals no key', async (status, error, code) => {
    const { generate, logged } = await serve(json({ error }, status))
    const reply = await generate()
    expect(reply).toMatchObject({ error: { code } })
    expect(inspect([reply, logged], { depth: 12, showHidden: true })).not.toContain('canary')
  })

  test('the package @ai-sdk/openai sends each request once', async () => {
    const { generate, upstream } = await serve(json({ error: { message: 'no' } }, 400))
    await generate()
    expect(upstream.requests).toHaveLength(1)
  })

  test('the package @ai-sdk/openai hangs up when the caller aborts', async () => {
    const leaving = new AbortController()
    const { upstream, core, caller } = await serve(() => leaving.abort())
    const asked = { model: 'gpt-4o-mini', prompt: 'Greet me' }
    await core.run(operations.generate, caller, asked, { signal: leaving.signal })
    await upstream.requests[0]?.hungUp
    expect(upstream.requests).toHaveLength(1)
  })

  test('the package @ai-sdk/openai returns images', async () => {
    const png = Buffer.from(blankPng(1_024, 1_024)).toString('base64')
    const { core, caller, upstream } = await serve(json({ created: 1, data: [{ b64_json: png }] }))
    const reply = await core.run(operations.generateImage, caller, { model: 'gpt-image-1', prompt: 'A lake', seed: 1 })
    expect(reply).toMatchObject({
      success: true,
      meta: { warnings: expect.arrayContaining([{ field: 'seed', issue: 'is not supported by the model' }]) },
    })
    expect(upstream.requests).toMatchObject([{ body: { prompt: 'A lake', size: '1024x1024', n: 1 } }])
  })

  test('the package @ai-sdk/openai analyzes texts with a schema', async () => {
    const sentiment = { score: 0.5, label: 'positive' }
    const { core, caller, upstream } = await serve(json(completion(JSON.stringify({ sentiment }))))
    const asked = { model: 'gpt-4o-mini', text: 'Che bello!', tasks: ['sentiment'], language: 'it' }
    expect(await core.run(operations.analyze, caller, asked)).toMatchObject({
      data: { sentiment },
      meta: { provider: 'vercel', attempts: 1 },
    })
    expect(upstream.requests).toMatchObject([
      {
        body: { temperature: 0, response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } } },
      },
    ])
  })
})

test('the Responses API gets its encrypted reasoning and item ids back with the message of an answer', async () => {
  const upstream = await openTestUpstream()
  const output = [
    { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAAAB', summary: [{ type: 'summary_text', text: 'Look.' }] },
    { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{"q":1}', status: 'completed' },
  ]
  const counts = { input_tokens: 9, output_tokens: 5, output_tokens_details: { reasoning_tokens: 3 } }
  upstream.answer(replaying({ json: { id: 'resp_1', created_at: 1, model: 'gpt-5.4-mini', output, usage: counts } }))
  const openai = createOpenAI({ baseURL: upstream.url, apiKey })
  const options = { openai: { store: false, include: ['reasoning.encrypted_content' as const] } }
  const fairlead = createFairlead({
    providers: [
      aiSdk({ models: [{ model: openai('gpt-5.4-mini'), reasoning: true, tools: true, providerOptions: options }] }),
    ],
  })
  onTestFinished(async () => {
    await fairlead.core.close()
    await upstream.close()
  })
  const question = { role: 'user' as const, content: 'Look 1 up.' }
  const asked = { model: 'ai-sdk/gpt-5.4-mini', tools: [{ name: 'look', inputSchema: { type: 'object' } }] }
  const first = await fairlead.generate({ ...asked, reasoning: { effort: 'low' }, messages: [question] })
  expect(first).toMatchObject({ reasoning: 'Look.', finishReason: 'tool_calls', usage: { reasoningTokens: 3 } })
  const result = { type: 'tool_result' as const, toolCallId: 'call_1', content: 'one' }
  await fairlead.generate({ ...asked, messages: [question, first.message!, { role: 'tool', content: [result] }] })
  expect(upstream.requests[0]?.body).toMatchObject({ reasoning: { effort: 'low' } })
  expect(upstream.requests[1]?.body).toMatchObject({
    input: [
      { role: 'user' },
      { type: 'reasoning', encrypted_content: 'gAAAAB' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"q":1}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'one' },
    ],
  })
})
