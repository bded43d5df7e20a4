import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { fakeTextModel, testCore } from '@fairlead/testing'
import type { TextModel } from '../model.ts'
import { ProviderError } from '../provider-error.ts'
import type { TextAnswer } from '../messages/answer.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { lastPrompt, textAnswer } from '../messages/text-answer.ts'

const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
const responseFormat = { type: 'json_schema', name: 'person', schema }
/** Checked without a schema, so that the result does not depend on the time that a check may take. */
const json = { type: 'json' }
const pricing = { input: 1_000_000, output: 1_000_000 }

/** A provider that gives one answer after the other. */
function answering(facts: Partial<TextModel>, ...answers: (string | TextAnswer)[]) {
  const requests: TextRequest[] = []
  const provider: Provider = {
    contract: 2,
    id: 'calm',
    models: [fakeTextModel({ pricing, ...facts })],
    async generateText(request) {
      const answer = answers[Math.min(requests.push(request), answers.length) - 1] ?? ''
      const usage = { promptTokens: 1, completionTokens: 2 }
      return typeof answer === 'string' ? textAnswer(answer, { usage }) : { usage, ...answer }
    },
  }
  return { provider, requests }
}

async function ask(
  { provider, requests }: ReturnType<typeof answering>,
  input: object = { messages: [{ role: 'user', content: 'Who?' }] },
) {
  const { core, caller, stores, keyId } = await testCore({ providers: [provider] })
  const reply = await core.run(operations.generate, caller, { model: 'any', responseFormat, ...input })
  return { reply, requests, core, caller, stores, keyId }
}

describe('a response format for a model without structured output', () => {
  test('a response format for a model without structured output is described in a system message, and the response is validated', async () => {
    const { reply, requests } = await ask(answering({ chat: true }, '{"age":7}'))
    expect(reply).toMatchObject({ data: { content: '{"age":7}', finishReason: 'stop' } })
    expect(requests).toHaveLength(1)
    expect(requests[0]).not.toHaveProperty('responseFormat')
    expect(requests[0]?.messages[0]).toMatchObject({
      role: 'system',
      content: [{ text: expect.stringContaining(JSON.stringify(schema)) }],
    })
  })

  test('a response format for a model without structured output is part of the prompt if the model takes only a prompt', async () => {
    const { requests } = await ask(answering({}, '{"age":7}'), { prompt: 'Who?' })
    expect(lastPrompt(requests[0]!)).toMatch(/^Who\?\n\nAnswer with one JSON value, called "person"/)
  })

  test.each(['```json\n{"age":7}\n```', 'Here it is:\n{"age":7}', ' {"age":7}\n'])(
    'a response format for a model without structured output leaves only the JSON of the response %j',
    async (content) => {
      const { reply } = await ask(answering({ chat: true }, content))
      expect(reply).toMatchObject({ data: { content: '{"age":7}' } })
    },
  )

  test('a response format for a model without structured output asks once more with the issues, and reports the usage of both', async () => {
    const { reply, requests } = await ask(answering({ chat: true }, 'Seven.', '{"age":7}'))
    expect(reply).toMatchObject({
      data: { content: '{"age":7}', usage: { promptTokens: 2, completionTokens: 4 } },
      meta: { attempts: 2, costUsd: 6 },
      limits: { remaining: 999 },
    })
    expect(requests[1]?.messages.slice(-2)).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'Seven.' }] },
      { role: 'user', content: [{ type: 'text', text: expect.stringContaining('- it is not valid JSON') }] },
    ])
  })

  test('a response format for a model without structured output costs what each target of a route charges for its response', async () => {
    const first = answering({ chat: true }, 'none')
    const cheap = {
      ...first.provider,
      id: 'cheap',
      models: [fakeTextModel({ chat: true, pricing: { input: 1, output: 1 } })],
    }
    const failsTwice: Provider = {
      ...cheap,
      generateText: async (request, call) => {
        if (first.requests.length > 0) throw new ProviderError('retry', 'down')
        return first.provider.generateText!(request, call)
      },
    }
    const { core, caller } = await testCore({
      providers: [failsTwice, answering({ chat: true }, '{"age":7}').provider],
      routes: { both: { targets: ['cheap/any', 'calm/any'] } },
    })
    const reply = await core.run(operations.generate, caller, { model: 'both', prompt: 'Who?', responseFormat })
    expect(reply).toMatchObject({ meta: { provider: 'calm', costUsd: 3.000_003 }, data: { usage: { totalTokens: 6 } } })
  })

  test('a response format for a model without structured output fails with PROVIDER_ERROR after a second invalid response, and is charged with the cost of both', async () => {
    const { reply, requests, stores } = await ask(answering({}, 'No.', '[7]'), { prompt: 'Who?', responseFormat: json })
    expect(reply).toMatchObject({
      error: { code: 'PROVIDER_ERROR', message: 'The model did not return JSON of the schema: the value (type).' },
      limits: { remaining: 999 },
    })
    expect(requests).toHaveLength(2)
    const records = await stores.read((view) => view.usage.ofRequest(reply.meta.requestId))
    expect(records).toMatchObject([
      { outcome: 'PROVIDER_ERROR', charged: true, promptTokens: 2, completionTokens: 4, costUsd: 6 },
    ])
    const { reply: words } = await ask(answering({ chat: true }, 'No.'))
    expect(words).toMatchObject({ error: { message: 'The model did not return valid JSON.' } })
  })

  test.each(['rate_limited', 'give_up', 'timeout'] as const)(
    'a response format for a model without structured output is charged if the second call fails with %s after an invalid response',
    async (failure) => {
      const { provider, requests } = answering({ chat: true }, 'No.')
      const generateText: Provider['generateText'] = async (request, call) => {
        if (requests.length > 0) throw new ProviderError(failure, 'down', { retryAfterMs: 60_000 })
        return provider.generateText!(request, call)
      }
      const { reply } = await ask({ provider: { ...provider, generateText }, requests })
      expect(reply).toMatchObject({ success: false, limits: { remaining: 999 } })
    },
  )

  test('a response format for a model without structured output names the fields of an invalid response in the error', async () => {
    const answers = answering({ chat: true }, '{"age":"old"}')
    const message = 'The model did not return JSON of the schema: age (type).'
    // A busy machine may leave a check too little time: the response then passes with a warning.
    await expect.poll(async () => (await ask(answers)).reply).toMatchObject({ error: { message } })
  })

  test('a response format for a model without structured output is not checked if the response calls tools or was cut off', async () => {
    const parts = [{ type: 'tool_call', id: 'c1', name: 'find', inputText: '{}' }] as const
    const calling = await ask(answering({ chat: true, tools: true }, { parts, finishReason: 'tool_calls' }), {
      prompt: 'Who?',
      tools: [{ name: 'find', inputSchema: {} }],
    })
    expect(calling.reply).toMatchObject({
      data: { finishReason: 'tool_calls', parts: [{ type: 'tool_call', name: 'find' }] },
    })
    const cut = await ask(answering({ chat: true }, textAnswer('{"ag', { finishReason: 'length' })))
    expect(cut.reply).toMatchObject({ data: { content: '{"ag', finishReason: 'length' } })
  })

  test('a response format for a model without structured output streams the valid response as one chunk', async () => {
    const { provider } = answering({ chat: true, streaming: true }, 'No.', '{"age":7}')
    const { core, caller } = await testCore({ providers: [provider] })
    const input = { model: 'any', prompt: 'Who?', responseFormat, stream: true }
    const reply = await core.run(operations.generate, caller, input)
    const seen: unknown[] = []
    if ('events' in reply)
      for await (const event of reply.events) seen.push(event.type === 'chunk' ? event.chunk : event.type)
    expect(seen).toEqual([{ content: '{"age":7}' }, 'done'])
  })

  test('a response format for a model without structured output with a schema that cannot be checked gets a warning', async () => {
    const format = { type: 'json_schema', schema: { dependentSchemas: { a: {} } } }
    const { reply } = await ask(answering({ chat: true }, '{}'), { prompt: 'Who?', responseFormat: format })
    expect(reply).toMatchObject({ meta: { warnings: [{ field: 'responseFormat.schema' }] } })
  })

  test('a response format for a model without structured output is sent as it is to a model with structured output', async () => {
    const { reply, requests } = await ask(answering({ chat: true, structured: true }, 'anything'))
    expect(requests[0]).toMatchObject({ responseFormat })
    expect(reply).toMatchObject({ data: { content: 'anything' } })
  })
})
