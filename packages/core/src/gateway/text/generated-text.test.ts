import { describe, expect, test } from 'vitest'
import { scripted, fakeTextModel } from '@fairlead/testing'
import { createFairlead } from '../../fairlead/create-fairlead.ts'
import type { AnswerPart } from '../messages/message.ts'

const parts: readonly AnswerPart[] = [
  { type: 'reasoning', text: 'I should ' },
  { type: 'reasoning', text: 'look.' },
  { type: 'text', text: 'One moment.' },
  { type: 'tool_call', id: 'c1', name: 'weather', inputText: '{"city":"Oslo"}', input: { city: 'Oslo' } },
  { type: 'tool_call', id: 'c2', name: 'weather', inputText: 'Bergen' },
  { type: 'tool_call', id: 'c3', name: 'weather', inputText: '{ }', input: {} },
]

function answering() {
  const provider = scripted('a', '')
  const answer = { parts, finishReason: 'tool_calls', usage: { promptTokens: 1, completionTokens: 1 } } as const
  const { streamText: _streamText, ...others } = provider
  const models = [fakeTextModel({ tools: true, chat: true })]
  return createFairlead({ providers: [{ ...others, models, generateText: async () => answer }] })
}

const input = { model: 'any', prompt: 'Weather?', tools: [{ name: 'weather', inputSchema: { type: 'object' } }] }

describe('an answer in a program that embeds Fairlead', () => {
  test('an answer in a program that embeds Fairlead has views of its parts', async () => {
    const { toolCalls, reasoning, message, parts: wire } = await answering().generate(input)
    expect(toolCalls).toEqual([
      { id: 'c1', name: 'weather', input: { city: 'Oslo' } },
      { id: 'c2', name: 'weather', input: {}, inputText: 'Bergen' },
      { id: 'c3', name: 'weather', input: {} },
    ])
    expect(reasoning).toBe('I should look.')
    expect(message).toEqual({ role: 'assistant', content: wire })
  })

  test('an answer in a program that embeds Fairlead has the same views at the end of a stream, and with its metadata', async () => {
    const fairlead = answering()
    const { data } = await fairlead.generate.stream(input).result()
    const whole = await fairlead.generate.withMeta(input)
    expect(data.toolCalls).toEqual(whole.data.toolCalls)
    expect(data.toolCalls).toHaveLength(3)
  })

  test('an answer in a program that embeds Fairlead is written without its views', async () => {
    const written = JSON.parse(JSON.stringify(await answering().generate(input))) as object
    expect(Object.keys(written).toSorted()).toEqual(
      ['content', 'created', 'finishReason', 'id', 'model', 'parts', 'usage'].toSorted(),
    )
  })
})
