import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import type { NativeRequest } from '../../runtime/run/run-options.ts'
import { blankPng, fakeOutbound, fakeTextModel, testClock, testCore, type TestCoreOptions } from '@fairlead/testing'
import { fakeCache } from '../../testing/fake-cache.ts'
import type { Dialect } from '../messages/message.ts'
import type { TextModel } from '../model.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { textAnswer } from '../messages/text-answer.ts'

const fields = { metadata: { user_id: 'u1' } }
const raw = { role: 'user', content: [{ type: 'text', text: 'Hello', cache_control: {} }] }
const messages = [{ role: 'user', content: 'Hello' }]
const native: NativeRequest = { dialect: 'anthropic', fields, messages: [[raw]] }

/** Records its requests. */
function recording(id: string, dialects?: readonly Dialect[], facts: Partial<TextModel> = {}, content = 'fine') {
  const requests: TextRequest[] = []
  const provider: Provider = {
    contract: 2,
    id,
    ...(dialects && { dialects }),
    models: [fakeTextModel({ chat: true, vision: true, ...facts })],
    async generateText(request) {
      requests.push(request)
      return textAnswer(content, { usage: { promptTokens: 1, completionTokens: 1 } })
    },
    async countTokens(request) {
      requests.push(request)
      return { promptTokens: 1 }
    },
  }
  return { provider, requests }
}

async function setup(providers: readonly Provider[], options: TestCoreOptions = {}) {
  const routes = { all: { targets: providers.map(({ id }) => `${id}/any`) } }
  const { core, caller } = await testCore({ providers, routes, ...options })
  return (input: object = {}, own: NativeRequest = native) =>
    core.run(operations.generate, caller, { model: 'all', messages, ...input }, { native: own })
}

describe('a request in the form of its own API', () => {
  test('a request in the form of its own API reaches a provider of the dialect with its fields and messages', async () => {
    const { provider, requests } = recording('claude', ['anthropic'])
    await (
      await setup([provider])
    )()
    expect(requests[0]?.native).toEqual({ anthropic: fields })
    expect(requests[0]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hello' }], native: { anthropic: [raw] } },
    ])
  })

  test.each<[string, readonly Dialect[] | undefined]>([
    ['another dialect', ['openai-chat']],
    ['no dialect', undefined],
  ])('a request in the form of its own API reaches a provider of %s without them', async (_case, dialects) => {
    const { provider, requests } = recording('other', dialects)
    expect(await (await setup([provider]))()).toMatchObject({ success: true })
    expect(requests).toHaveLength(1)
    expect(JSON.stringify(requests)).not.toContain('native')
  })

  test('a request in the form of its own API leaves a message that must be written anew without its own form', async () => {
    const { provider, requests } = recording('claude', ['anthropic'])
    const generate = await setup([provider])
    const system = { role: 'system', content: 'Be brief.' }
    await generate({ messages: [system, ...messages, ...messages] }, { ...native, messages: [[], undefined, [raw]] })
    expect(requests[0]?.messages.map((message) => message.native)).toEqual([
      { anthropic: [] },
      undefined,
      { anthropic: [raw] },
    ])
  })

  test.each([
    ['tools', Array.from({ length: 513 }, () => ({ type: 'a' })), 'must have at most 512 entries'],
    ['tools', [{ type: 'a', text: 'x'.repeat(1_000_001) }], 'must have at most 1,000,000 characters'],
    ['metadata', { text: 'x'.repeat(1_000_001) }, 'must have at most 1,000,000 characters'],
  ])(
    'a request in the form of its own API is refused with more %s than the event loop can carry',
    async (field, value, issue) => {
      const { provider, requests } = recording('claude', ['anthropic'])
      const generate = await setup([provider])
      const reply = await generate({}, { ...native, fields: { [field]: value } })
      expect(reply).toMatchObject({ error: { details: { field, issue: expect.stringContaining(issue) } } })
      expect(requests).toEqual([])
    },
  )

  test('a request in the form of its own API may have a long system prompt, which is a message', async () => {
    const { provider, requests } = recording('claude', ['anthropic'], { contextSize: 10_000_000 })
    await (
      await setup([provider])
    )({}, { ...native, fields: { system: 'x'.repeat(1_000_001) } })
    expect(requests).toHaveLength(1)
  })

  test('a request in the form of its own API is counted by a provider in the same form', async () => {
    const [claude, other] = [recording('claude', ['anthropic']), recording('other')]
    const { core, caller } = await testCore({ providers: [claude.provider, other.provider] })
    for (const model of ['claude/any', 'other/any']) {
      await core.run(operations.countTokens, caller, { model, messages }, { native })
    }
    expect(claude.requests[0]).toMatchObject({ native: { anthropic: fields } })
    expect(JSON.stringify(other.requests)).not.toContain('native')
  })

  test('a request in the form of its own API keeps only its fields where images are loaded', async () => {
    const { provider, requests } = recording('claude', ['anthropic'])
    const outbound = {
      ...fakeOutbound(),
      request: async () => ({ status: 200, headers: {}, body: Buffer.from(blankPng(8, 8)), truncated: false }),
    }
    const generate = await setup([provider], { media: { outbound } })
    const image = { role: 'user', content: [{ type: 'image', url: 'https://a.example/b.png' }] }
    expect(await generate({ messages: [image] })).toMatchObject({ success: true })
    expect(requests[0]?.messages).toMatchObject([{ content: [{ source: { kind: 'data' } }] }])
    expect(requests[0]?.messages[0]).not.toHaveProperty('native')
    expect(requests[0]?.native).toEqual({ anthropic: { metadata: fields.metadata } })
  })

  test('a request in the form of its own API may be known only once the input was read', async () => {
    const { provider, requests } = recording('claude', ['anthropic'])
    const { core, caller } = await testCore({ providers: [provider] })
    const read = async () => ({ input: { model: 'any', messages }, native })
    await core.run(operations.generate, caller, read)
    expect(requests[0]?.native).toEqual({ anthropic: fields })
  })

  test('a request in the form of its own API brings blocks of that API to whichever provider speaks it', async () => {
    const { provider, requests } = recording('claude-eu', ['anthropic'])
    const other = recording('other')
    const data = { type: 'server_tool_use', id: 's1' }
    const block = { type: 'opaque', provider: '', dialect: 'anthropic', kind: 'server_tool_use', data }
    const answered = { role: 'assistant', content: [{ type: 'text', text: 'I searched.' }, block] }
    const asked = { messages: [...messages, answered, ...messages] }
    const own = { ...native, messages: [[raw], undefined, [raw]] }
    await (
      await setup([provider])
    )(asked, own)
    await (
      await setup([other.provider])
    )(asked, own)
    expect(requests[0]?.messages[1]).toEqual(answered)
    expect(other.requests[0]?.messages[1]?.content).toEqual([{ type: 'text', text: 'I searched.' }])
  })

  test('a request in the form of its own API keeps that form where the model loads images itself', async () => {
    const { provider, requests } = recording('claude', ['anthropic'], { urls: true })
    const image = { role: 'user', content: [{ type: 'image', url: 'https://a.example/b.png' }] }
    await (
      await setup([provider])
    )({ messages: [image] })
    expect(requests[0]).toMatchObject({ native: { anthropic: fields }, messages: [{ native: { anthropic: [raw] } }] })
  })

  test('a request in the form of its own API keeps only its fields where JSON is asked for in words', async () => {
    const { provider, requests } = recording('claude', ['anthropic'], {}, '{"age":7}')
    const schema = { type: 'object', properties: { age: { type: 'integer' } } }
    const reply = await (await setup([provider]))({ responseFormat: { type: 'json_schema', schema } })
    expect(reply).toMatchObject({ data: { content: '{"age":7}' } })
    expect(requests[0]?.messages[0]).toMatchObject({ role: 'system' })
    expect(requests[0]?.messages.filter((message) => message.native)).toEqual([])
    expect(requests[0]?.native).toEqual({ anthropic: { metadata: fields.metadata } })
  })

  test('a request in the form of its own API is answered from the cache only if its own form is the same', async () => {
    const { provider, requests } = recording('claude', ['anthropic'])
    const { core, caller } = await testCore({
      providers: [provider],
      cache: fakeCache(testClock()),
      routes: { cached: { targets: ['claude/any'], cache: { ttlMs: 60_000 } } },
    })
    for (const own of [native, native, { ...native, fields: { metadata: { user_id: 'u2' } } }]) {
      await core.run(operations.generate, caller, { model: 'cached', messages }, { native: own })
      await new Promise((resolve) => void setImmediate(resolve))
    }
    expect(requests).toHaveLength(2)
  })
})

describe('a field that changes the answer', () => {
  const required = { ...native, required: ['logprobs', 'tools[0].type'] }

  test('a field that changes the answer narrows a route to the targets of the dialect', async () => {
    const [other, claude] = [recording('other', ['google']), recording('claude', ['google', 'anthropic'])]
    const generate = await setup([other.provider, claude.provider])
    expect(await generate({}, required)).toMatchObject({ meta: { provider: 'claude', attempts: 1 } })
    expect(other.requests).toEqual([])
    expect(await generate()).toMatchObject({ meta: { provider: 'other' } })
  })

  test('a field that changes the answer is rejected free of charge if no target has the dialect, with the field and the provider', async () => {
    const { provider, requests } = recording('other', ['google'])
    const generate = await setup([provider])
    expect(await generate({ model: 'any' }, required)).toMatchObject({
      error: {
        code: 'INVALID_REQUEST',
        details: { field: 'logprobs', issue: 'is not supported by "any" of the provider "other"' },
      },
      limits: { remaining: 1000 },
    })
    expect(requests).toEqual([])
  })
})

describe('the result of a request in the form of its own API', () => {
  test('the result of a request in the form of its own API has the whole answer beside the documented fields, which others get alone', async () => {
    const { provider } = recording('claude', ['anthropic'])
    const generate = await setup([provider])
    const answer = { parts: [{ type: 'text', text: 'fine' }], finishReason: 'stop' }
    expect(await generate()).toMatchObject({ data: { content: 'fine', answer } })
    const { core, caller } = await testCore({ providers: [provider] })
    const reply = await core.run(operations.generate, caller, { model: 'any', messages })
    expect(reply).not.toHaveProperty('data.answer')
  })
})
