import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { failing, scripted, fakeTextModel, testCore } from '@fairlead/testing'
import type { Provider, TextRequest } from '../provider.ts'

const messages = [{ role: 'user' as const, content: 'Hello, you all.' }]
const input = { model: 'any', messages }

function counting(promptTokens: unknown) {
  const requests: TextRequest[] = []
  const provider: Provider = {
    ...scripted('counter', 'hi'),
    async countTokens(request) {
      requests.push(request)
      return { promptTokens: promptTokens as number }
    },
  }
  return { provider, requests }
}

describe('countTokens', () => {
  test('countTokens returns what the provider counts, without settings of an answer', async () => {
    const { provider, requests } = counting(7)
    const { fairlead } = await testCore({ providers: [provider] })
    expect(await fairlead.countTokens(input)).toEqual({ promptTokens: 7, isEstimate: false })
    expect(requests).toEqual([
      {
        model: 'any',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello, you all.' }] }],
      },
    ])
  })

  test('countTokens estimates for a provider that cannot count', async () => {
    const { fairlead } = await testCore({ providers: [scripted('writer', 'hi')] })
    expect(await fairlead.countTokens(input)).toEqual({ promptTokens: 4, isEstimate: true })
  })

  test('countTokens charges one unit', async () => {
    const { core, caller, stores, keyId } = await testCore({ providers: [scripted('writer', 'hi')] })
    await core.run(operations.countTokens, caller, input)
    expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 1 })
  })

  test('countTokens rejects a count that violates the contract', async () => {
    const { core, caller } = await testCore({ providers: [counting('many').provider] })
    expect(await core.run(operations.countTokens, caller, input)).toMatchObject({ error: { code: 'PROVIDER_ERROR' } })
  })

  test('countTokens rejects a conversation without messages', async () => {
    const { core, caller } = await testCore({ providers: [failing('writer', 'retry')] })
    const reply = await core.run(operations.countTokens, caller, { model: 'any' })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'messages' } } })
  })
})

describe('adapt', () => {
  const small = { ...scripted('writer', 'hi'), models: [fakeTextModel({ maxTokens: 200 })] }
  const settings = { model: 'any', prompt: 'Hi', maxTokens: 500, reasoning: { effort: 'high' } }

  test('adapt lowers max tokens and leaves reasoning out, with warnings', async () => {
    const { core, caller } = await testCore({ providers: [small] })
    const reply = await core.run(operations.generate, caller, { ...settings, adapt: true })
    expect(reply).toMatchObject({
      success: true,
      meta: {
        warnings: [
          { field: 'maxTokens', issue: "was lowered to 200, the model's maximum" },
          { field: 'reasoning', issue: 'is not supported by this model and was ignored' },
        ],
      },
    })
  })

  test('adapt is false by default: such a request is rejected', async () => {
    const { core, caller } = await testCore({ providers: [small] })
    expect(await core.run(operations.generate, caller, settings)).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'maxTokens' } },
    })
  })
})

describe('tools of a provider in its options', () => {
  const options = { other: { tools: [{ type: 'web_search_20260318', name: 'web_search' }] } }
  const searching = { model: 'any', prompt: 'Hi', providerOptions: options }

  test('tools of a provider in its options are rejected by name for models of other providers', async () => {
    const { core, caller } = await testCore({ providers: [scripted('writer', 'hi')] })
    expect(await core.run(operations.generate, caller, searching)).toMatchObject({
      error: {
        code: 'INVALID_REQUEST',
        details: {
          field: 'providerOptions.other.tools',
          issue: '"any" cannot run web_search_20260318: use a model of "other", or functions of your own',
        },
      },
    })
  })

  test('tools of a provider in its options go to the target of the route that has them', async () => {
    const { core, caller } = await testCore({
      providers: [
        scripted('writer', 'wrong'),
        { ...scripted('other', 'right'), models: [fakeTextModel({ id: 'more' })] },
      ],
      routes: { best: { targets: ['writer/any', 'other/more'] } },
    })
    const reply = await core.run(operations.generate, caller, { ...searching, model: 'best' })
    expect(reply).toMatchObject({ data: { content: 'right' }, meta: { provider: 'other' } })
  })

  describe('with adapt', () => {
    const tools = [{ name: 'find', inputSchema: { type: 'object' } }]
    const model = fakeTextModel({ chat: true, tools: true })
    const run = async (change: object) => {
      const { core, caller } = await testCore({ providers: [{ ...scripted('writer', 'hi'), models: [model] }] })
      return core.run(operations.generate, caller, { ...searching, adapt: true, ...change })
    }

    test('tools of a provider in its options with adapt are left out by a model that has functions, without a warning', async () => {
      const reply = await run({ tools })
      expect(reply).toMatchObject({ data: { content: 'hi' } })
      expect(reply.meta).not.toHaveProperty('warnings')
    })

    test.each([
      ['there are no functions', {}],
      ['one of them is chosen', { tools, providerOptions: { other: { ...options.other, tool_choice: 'required' } } }],
    ])('tools of a provider in its options with adapt are rejected if %s', async (_case, change) => {
      expect(await run(change)).toMatchObject({ error: { details: { field: 'providerOptions.other.tools' } } })
    })
  })
})
