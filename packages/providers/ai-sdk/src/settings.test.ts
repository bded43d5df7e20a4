import type { TextRequest } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { text, written } from './testing/written.ts'
import { toUsage } from './to-finish.ts'

describe('settings that a version of the specification lacks', () => {
  const asked = {
    parallelToolCalls: false,
    reasoning: { effort: 'high' },
    tools: [{ name: 'look', inputSchema: { type: 'object' }, strict: true }],
  } as const

  test.each([
    ['v2', ['parallelToolCalls', 'reasoning', 'tools.strict'], undefined],
    ['v3', ['parallelToolCalls', 'reasoning'], undefined],
    ['v4', ['parallelToolCalls'], 'high'],
  ])('settings that a version of the specification lacks cause warnings: %s', async (version, fields, reasoning) => {
    const { ask, calls } = written(version)
    const { warnings } = await ask(asked)
    expect(warnings?.map(({ field }) => field)).toEqual(fields)
    expect(calls[0]?.['reasoning']).toBe(reasoning)
  })

  test('settings that a version of the specification lacks cause none if a providerOptions function handles them', async () => {
    const { ask, calls } = written('v3')
    const providerOptions = ({ reasoning }: TextRequest) => ({ hand: { effort: reasoning?.effort ?? 'low' } })
    expect(await ask(asked, { providerOptions })).toMatchObject({ warnings: [] })
    expect(calls[0]).toMatchObject({ providerOptions: { hand: { effort: 'high' } } })
  })
})

test('options that belong to no package cause one warning for each name', async () => {
  const { ask, calls } = written('v4')
  const odd = { providerOptions: { 'ai-sdk': { effort: 'low', list: [1], hand: { a: 1 } } } }
  const { warnings } = await ask({ ...odd, messages: [{ role: 'user', content: [{ ...text('Hello'), ...odd }] }] })
  expect(warnings).toEqual(
    ['effort', 'list'].map((name) => ({
      field: 'providerOptions',
      issue: `${name} was ignored: options are grouped by the package of the model, such as openai`,
    })),
  )
  expect(calls[0]?.['providerOptions']).toEqual({ hand: { a: 1 } })
})

test('a model without a temperature causes a warning only if one was requested', async () => {
  const { ask } = written('v4', { result: { warnings: [{ type: 'unsupported', feature: 'temperature' }] } })
  expect(await ask({ temperature: 0.7 })).toMatchObject({ warnings: [] })
  expect(await ask({ temperature: 0 })).toMatchObject({
    warnings: [{ field: 'temperature', issue: 'is not supported by the model' }],
  })
})

test('the structured output text of a model is its content', async () => {
  const { ask } = written('v4', { content: [text('Here it is.')], result: { structuredOutputText: '{"a":1}' } })
  const responseFormat = { type: 'json_schema', schema: { type: 'object' } } as const
  expect(await ask({ responseFormat })).toMatchObject({ parts: [text('{"a":1}')] })
  expect(await ask({})).toMatchObject({ parts: [text('Here it is.')] })
})

test('toUsage counts tokens that the model wrote to its prompt cache', () => {
  const inputTokens = { total: 7, noCache: 3, cacheRead: 2, cacheWrite: 2 }
  const outputTokens = { total: 3, text: 3, reasoning: 0 }
  expect(toUsage({ inputTokens, outputTokens })).toMatchObject({ cachedPromptTokens: 2, cacheWriteTokens: 2 })
})
