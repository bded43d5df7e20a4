import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createFairlead } from '../../fairlead/create-fairlead.ts'
import { begun, textModel } from '../../fakes/fake-providers.ts'
import type { AnswerPart } from '../messages/message.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { defineTool, type RunnableTool, type ToolRunEvent } from './run-tools.ts'
import { textAnswer } from '../messages/text-answer.ts'
import { readToolInput } from '../messages/tool-input.ts'

const call = (id: string, input: Record<string, unknown>, name = 'weather'): AnswerPart => ({
  type: 'tool_call',
  id,
  name,
  ...readToolInput(JSON.stringify(input)),
})

/** A model that answers with the calls of each turn, one turn after the other, and then with text. */
function calling(...turns: AnswerPart[][]) {
  const requests: TextRequest[] = []
  const provider: Provider = {
    contract: 2,
    id: 'calm',
    models: [textModel({ chat: true, tools: true, streaming: true, pricing: { input: 1, output: 2 } })],
    async generateText(request) {
      const parts = turns[requests.push(request) - 1]
      const usage = { promptTokens: 1, completionTokens: 1 }
      return parts ? { parts, finishReason: 'tool_calls', usage } : textAnswer('Take an umbrella.', { usage })
    },
  }
  return { requests, fairlead: createFairlead({ providers: [provider], retries: { perTarget: 0 } }) }
}

const weather = defineTool({
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, rain: true }),
})

const asked = { model: 'any', prompt: 'Umbrella?', tools: { weather } }

describe('runTools', () => {
  test('runs the tools that the model calls, and returns its last answer', async () => {
    const { fairlead, requests } = calling([call('c1', { city: 'Oslo' })])
    const run = await fairlead.runTools(asked)
    expect(run).toMatchObject({ content: 'Take an umbrella.', finishReason: 'stop', isComplete: true })
    expect(run.steps).toHaveLength(2)
    expect(run.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(requests[0]?.tools).toMatchObject([
      { name: 'weather', description: 'The weather in a city', inputSchema: { type: 'object', required: ['city'] } },
    ])
    expect(requests[1]?.messages.at(-1)).toEqual({
      role: 'tool',
      content: [
        {
          type: 'tool_result',
          toolCallId: 'c1',
          name: 'weather',
          content: [{ type: 'text', text: '{"city":"Oslo","rain":true}' }],
        },
      ],
    })
  })

  test('runs tools that are called together at the same time', async () => {
    let running = 0
    let most = 0
    const meet = defineTool({
      inputSchema: z.object({}),
      async run() {
        most = Math.max(most, ++running)
        await Promise.resolve()
        running--
        return 'done'
      },
    })
    const { fairlead } = calling([call('c1', {}, 'meet'), call('c2', {}, 'meet')])
    await fairlead.runTools({ ...asked, tools: { meet } })
    expect(most).toBe(2)
  })

  test.each<[string, RunnableTool, AnswerPart, RegExp]>([
    [
      'a handler that throws',
      {
        ...weather,
        run: () => {
          throw new Error('no service')
        },
      },
      call('c1', { city: 'Oslo' }),
      /^no service$/,
    ],
    ['an input that does not match', weather, call('c1', { town: 'Oslo' }), /^The input is not valid: .*city/s],
    ['an unknown tool', weather, call('c1', {}, 'time'), /^There is no tool "time"\. Tools: weather\.$/],
  ])('tells the model about %s, so that it can try again', async (_case, tool, part, text) => {
    const { fairlead, requests } = calling([part])
    const { isComplete } = await fairlead.runTools({ ...asked, tools: { weather: tool } })
    expect(isComplete).toBe(true)
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([
      { isError: true, content: [{ text: expect.stringMatching(text) }] },
    ])
  })

  test('stops after `maxSteps`, with the calls that are left', async () => {
    const endless = Array.from({ length: 20 }, (_, index) => [call(`c${index}`, { city: 'Oslo' })])
    const { fairlead, requests } = calling(...endless)
    const run = await fairlead.runTools({ ...asked, maxSteps: 3 })
    expect(run).toMatchObject({ isComplete: false, finishReason: 'tool_calls', toolCalls: [{ id: 'c2' }] })
    expect(requests).toHaveLength(3)
  })

  test('forces a call in the first step alone', async () => {
    const { fairlead, requests } = calling([call('c1', { city: 'Oslo' })])
    await fairlead.runTools({ ...asked, toolChoice: { type: 'required' } })
    expect(requests.map(({ toolChoice }) => toolChoice)).toEqual([{ type: 'required' }, undefined])
  })

  test('rejects with the reason of the signal, which handlers get too', async () => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    const abort = new AbortController()
    const tools = {
      weather: {
        ...weather,
        run: (_input: never, { signal }: { signal: AbortSignal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
            abort.abort(new Error('enough'))
          }),
      },
    }
    await expect(fairlead.runTools({ ...asked, tools }, { signal: abort.signal })).rejects.toThrow('enough')
  })

  test('rejects when the signal aborts, even if a handler never ends', async () => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    const abort = new AbortController()
    const run = () => {
      queueMicrotask(() => abort.abort(new Error('enough')))
      return new Promise(() => {})
    }
    const tools = { weather: { ...weather, run } }
    await expect(fairlead.runTools({ ...asked, tools }, { signal: abort.signal })).rejects.toThrow('enough')
  })

  test.each(['a\0b', 'a\uD800b'])('sends a result with unsafe characters, such as %j, without them', async (output) => {
    const { fairlead, requests } = calling([call('c1', { city: 'Oslo' })])
    await fairlead.runTools({ ...asked, tools: { weather: { ...weather, run: () => output } } })
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([{ content: [{ text: 'a\uFFFDb' }] }])
  })

  test('tells the model about a tool whose name is not allowed', async () => {
    const { fairlead, requests } = calling([call('c1', {}, 'functions.get weather')])
    const { isComplete } = await fairlead.runTools(asked)
    expect(isComplete).toBe(true)
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([{ name: 'functions_get_weather', isError: true }])
  })

  test('gives an input that is not a JSON object to the model as an error', async () => {
    const { fairlead, requests } = calling([{ type: 'tool_call', id: 'c1', name: 'weather', inputText: '{"city":' }])
    const { steps, costUsd } = await fairlead.runTools(asked)
    expect(steps).toHaveLength(2)
    expect(costUsd).toBeGreaterThan(0)
    const content = [{ type: 'text', text: 'The input is not a JSON object: {"city":' }]
    expect(requests[1]?.messages.at(-1)).toMatchObject({ content: [{ toolCallId: 'c1', isError: true, content }] })
  })

  test('cancels the model when the caller leaves the loop', async () => {
    let signal: AbortSignal | undefined
    const provider: Provider = {
      contract: 2,
      id: 'calm',
      models: [textModel({ chat: true, tools: true, streaming: true })],
      async *streamText(_request, { signal: given }) {
        signal = given
        yield* begun('Take')
        await new Promise((_, reject) => given.addEventListener('abort', () => reject(given.reason)))
      },
    }
    const fairlead = createFairlead({ providers: [provider] })
    for await (const { type } of fairlead.runTools.stream(asked)) if (type === 'chunk') break
    expect(signal?.aborted).toBe(true)
  })

  test('streams chunks, steps and results in their order', async () => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    const events: ToolRunEvent[] = []
    const run = fairlead.runTools.stream(asked)
    for await (const event of run) events.push(event)
    expect(events.map(({ type }) => type)).toEqual(['chunk', 'step', 'tool_result', 'chunk', 'step'])
    expect(events[2]).toEqual({
      type: 'tool_result',
      toolCallId: 'c1',
      name: 'weather',
      result: '{"city":"Oslo","rain":true}',
      isError: false,
    })
  })

  test('resolves with the end of a stream, without a loop or after one', async () => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    await expect(fairlead.runTools.stream(asked).result()).resolves.toMatchObject({ content: 'Take an umbrella.' })
    const read = calling([call('c1', { city: 'Oslo' })]).fairlead.runTools.stream(asked)
    let events = 0
    for await (const event of read) events += event.type === 'step' ? 1 : 0
    expect(events).toBe(2)
    await expect(read.result()).resolves.toMatchObject({ content: 'Take an umbrella.', isComplete: true })
  })

  test.each(['whole', 'streamed'])('returns the usage and the cost of all steps of a %s run', async (form) => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    const run = await (form === 'whole' ? fairlead.runTools(asked) : fairlead.runTools.stream(asked).result())
    expect(run.usage).toMatchObject({ promptTokens: 2, completionTokens: 2, totalTokens: 4 })
    expect(run.costUsd).toBe(2 * (0.000_001 + 0.000_002))
  })

  test('leaves the maximum of tokens and the temperature to the model, with a prompt too', async () => {
    const { fairlead, requests } = calling()
    await fairlead.runTools(asked)
    expect(requests[0]).not.toHaveProperty('maxTokens')
    expect(requests[0]).not.toHaveProperty('temperature')
  })

  test('rejects a `maxSteps` that is not a positive integer', async () => {
    const { fairlead } = calling()
    await expect(fairlead.runTools({ ...asked, maxSteps: 0 })).rejects.toThrow(
      'maxSteps must be an integer of at least 1',
    )
  })
})
