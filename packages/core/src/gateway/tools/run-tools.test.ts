import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { createFairlead } from '../../fairlead/create-fairlead.ts'
import { begun, fakeTextModel } from '@fairlead/testing'
import { type AnswerPart, readToolInput } from '../messages/message.ts'
import type { Provider, TextRequest } from '../provider.ts'
import { defineTool, type RunnableTool } from './runnable-tool.ts'
import { type ToolRunEvent, hasToolCall, isStepCount } from './run-tools.ts'
import { textAnswer } from '../messages/text-answer.ts'

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
    models: [fakeTextModel({ chat: true, tools: true, streaming: true, pricing: { input: 1, output: 2 } })],
    async generateText(request) {
      const parts = turns[requests.push(request) - 1]
      const usage = { promptTokens: 1, completionTokens: 1 }
      return parts ? { parts, finishReason: 'tool_calls', usage } : textAnswer('Take an umbrella.', { usage })
    },
  }
  return { requests, fairlead: createFairlead({ providers: [provider], routing: { retries: { perTarget: 0 } } }) }
}

const weather = defineTool({
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, rain: true }),
})

const asked = { model: 'any', prompt: 'Umbrella?', tools: { weather } }

describe('runTools', () => {
  test('runTools runs the tools that the model calls, and returns its last answer', async () => {
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

  test('runTools runs tools that are called together at the same time', async () => {
    let running = 0
    let most = 0
    const meet = defineTool({
      inputSchema: z.object({}),
      async execute() {
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
      'a function that throws',
      {
        ...weather,
        execute: () => {
          throw new Error('no service')
        },
      },
      call('c1', { city: 'Oslo' }),
      /^no service$/,
    ],
    ['an input that does not match', weather, call('c1', { town: 'Oslo' }), /^The input is not valid: .*city/s],
    ['an unknown tool', weather, call('c1', {}, 'time'), /^There is no tool "time"\. Tools: weather\.$/],
  ])('runTools tells the model about %s, so that it can try again', async (_case, tool, part, text) => {
    const { fairlead, requests } = calling([part])
    const { isComplete } = await fairlead.runTools({ ...asked, tools: { weather: tool } })
    expect(isComplete).toBe(true)
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([
      { isError: true, content: [{ text: expect.stringMatching(text) }] },
    ])
  })

  test('runTools forces a call in the first step alone', async () => {
    const { fairlead, requests } = calling([call('c1', { city: 'Oslo' })])
    await fairlead.runTools({ ...asked, toolChoice: { type: 'required' } })
    expect(requests.map(({ toolChoice }) => toolChoice)).toEqual([{ type: 'required' }, undefined])
  })

  test('runTools rejects with the reason of the signal, which functions get too', async () => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    const abort = new AbortController()
    const tools = {
      weather: {
        ...weather,
        execute: (_input: never, { signal }: { signal: AbortSignal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
            abort.abort(new Error('enough'))
          }),
      },
    }
    await expect(fairlead.runTools({ ...asked, tools }, { signal: abort.signal })).rejects.toThrow('enough')
  })

  test('runTools rejects when the signal aborts, even if a function never ends', async () => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    const abort = new AbortController()
    const execute = () => {
      queueMicrotask(() => abort.abort(new Error('enough')))
      return new Promise(() => {})
    }
    const tools = { weather: { ...weather, execute } }
    await expect(fairlead.runTools({ ...asked, tools }, { signal: abort.signal })).rejects.toThrow('enough')
  })

  test.each(['a\0b', 'a\uD800b'])(
    'runTools sends a result with unsafe characters, such as %j, without them',
    async (output) => {
      const { fairlead, requests } = calling([call('c1', { city: 'Oslo' })])
      await fairlead.runTools({ ...asked, tools: { weather: { ...weather, execute: () => output } } })
      expect(requests[1]?.messages.at(-1)?.content).toMatchObject([{ content: [{ text: 'a\uFFFDb' }] }])
    },
  )

  test('runTools tells the model about a tool whose name is not allowed', async () => {
    const { fairlead, requests } = calling([call('c1', {}, 'functions.get weather')])
    const { isComplete } = await fairlead.runTools(asked)
    expect(isComplete).toBe(true)
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([{ name: 'functions_get_weather', isError: true }])
  })

  test('runTools gives an input that is not a JSON object to the model as an error', async () => {
    const { fairlead, requests } = calling([{ type: 'tool_call', id: 'c1', name: 'weather', inputText: '{"city":' }])
    const { steps, costUsd } = await fairlead.runTools(asked)
    expect(steps).toHaveLength(2)
    expect(costUsd).toBeGreaterThan(0)
    const content = [{ type: 'text', text: 'The input is not a JSON object: {"city":' }]
    expect(requests[1]?.messages.at(-1)).toMatchObject({ content: [{ toolCallId: 'c1', isError: true, content }] })
  })

  test('runTools cancels the model when the caller leaves the loop', async () => {
    let signal: AbortSignal | undefined
    const provider: Provider = {
      contract: 2,
      id: 'calm',
      models: [fakeTextModel({ chat: true, tools: true, streaming: true })],
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

  test('runTools streams chunks, calls, results and steps in their order', async () => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    const events: ToolRunEvent[] = []
    const run = fairlead.runTools.stream(asked)
    for await (const event of run) events.push(event)
    expect(events.map(({ type }) => type)).toEqual(['chunk', 'tool_call', 'tool_result', 'step', 'chunk', 'step'])
    expect(events[1]).toEqual({ type: 'tool_call', call: { id: 'c1', name: 'weather', input: { city: 'Oslo' } } })
    expect(events[2]).toEqual({
      type: 'tool_result',
      toolCallId: 'c1',
      name: 'weather',
      result: '{"city":"Oslo","rain":true}',
      isError: false,
    })
  })

  test('runTools resolves with the end of a stream, without a loop or after one', async () => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    await expect(fairlead.runTools.stream(asked).result()).resolves.toMatchObject({ content: 'Take an umbrella.' })
    const read = calling([call('c1', { city: 'Oslo' })]).fairlead.runTools.stream(asked)
    let events = 0
    for await (const event of read) events += event.type === 'step' ? 1 : 0
    expect(events).toBe(2)
    await expect(read.result()).resolves.toMatchObject({ content: 'Take an umbrella.', isComplete: true })
  })

  test.each(['whole', 'streamed'])('runTools returns the usage and the cost of all steps of a %s run', async (form) => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    const run = await (form === 'whole' ? fairlead.runTools(asked) : fairlead.runTools.stream(asked).result())
    expect(run.usage).toMatchObject({ promptTokens: 2, completionTokens: 2, totalTokens: 4 })
    expect(run.costUsd).toBe(2 * (0.000_001 + 0.000_002))
  })

  test('runTools leaves the maximum of tokens and the temperature to the model, with a prompt too', async () => {
    const { fairlead, requests } = calling()
    await fairlead.runTools(asked)
    expect(requests[0]).not.toHaveProperty('maxTokens')
    expect(requests[0]).not.toHaveProperty('temperature')
  })
})

/** A model that would call the tool in 20 steps. */
const endless = () => calling(...Array.from({ length: 20 }, (_, index) => [call(`c${index}`, { city: 'Oslo' })]))

describe('stopWhen of runTools', () => {
  test.each([
    ['after ten steps by default', undefined, 10],
    ['after a number of steps', isStepCount(3), 3],
    ['once one of several conditions is true', [isStepCount(5), hasToolCall('time', 'weather')], 1],
    ['once a condition that waits is true', async ({ steps }: { steps: readonly object[] }) => steps.length === 2, 2],
    ['above a cost', ({ steps }: { steps: readonly { costUsd: number }[] }) => sumCosts(steps) > 0.000_005, 2],
  ])('stopWhen of runTools ends a run %s', async (_case, stopWhen, count) => {
    const { fairlead, requests } = endless()
    const run = await fairlead.runTools({ ...asked, ...(stopWhen && { stopWhen }) })
    expect(run).toMatchObject({ isComplete: false, finishReason: 'tool_calls', pendingApprovals: [] })
    expect(requests).toHaveLength(count)
  })

  test('stopWhen of runTools leaves a conversation that a second run continues', async () => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    const { messages, steps } = await fairlead.runTools({ ...asked, stopWhen: isStepCount(1) })
    expect(steps[0]?.toolResults).toMatchObject([{ toolCallId: 'c1', isError: false }])
    const { tools, model } = asked
    const run = await fairlead.runTools({ model, tools, messages })
    expect(run).toMatchObject({ isComplete: true, content: 'Take an umbrella.' })
    expect(run.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })

  test.each([0, 1.5, NaN])('stopWhen of runTools cannot be a count of %s steps', (count) => {
    expect(() => isStepCount(count)).toThrow('isStepCount takes an integer of at least 1')
  })
})

const sumCosts = (steps: readonly { costUsd: number }[]) => steps.reduce((sum, { costUsd }) => sum + costUsd, 0)

describe('prepareStep of runTools', () => {
  test('prepareStep of runTools changes the settings of one step', async () => {
    const { fairlead, requests } = calling([call('c1', { city: 'Oslo' })])
    const seen: object[] = []
    const time = defineTool({ inputSchema: z.object({}), execute: () => 'noon' })
    await fairlead.runTools({
      ...asked,
      temperature: 1,
      async prepareStep({ steps, messages }) {
        seen.push([steps.length, messages.map(({ role }) => role)])
        if (steps.length === 0) return undefined
        return { model: 'calm/any', tools: { time }, toolChoice: { type: 'none' }, temperature: 0 }
      },
    })
    expect(seen).toEqual([
      [0, ['user']],
      [1, ['user', 'assistant', 'tool']],
    ])
    expect(requests).toMatchObject([
      { tools: [{ name: 'weather' }], temperature: 1 },
      { tools: [{ name: 'time' }], toolChoice: { type: 'none' }, temperature: 0 },
    ])
  })

  test('prepareStep of runTools executes the tools of the step alone', async () => {
    const { fairlead, requests } = calling([call('c1', {}, 'time')], [call('c2', {}, 'time')])
    const time = defineTool({ inputSchema: z.object({}), execute: () => 'noon' })
    await fairlead.runTools({
      ...asked,
      prepareStep: ({ steps }) => (steps.length === 0 ? { tools: { time } } : undefined),
    })
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([{ content: [{ text: 'noon' }] }])
    expect(requests[2]?.messages.at(-1)?.content).toMatchObject([{ isError: true }])
  })

  test('prepareStep of runTools replaces the messages of this step and of later ones', async () => {
    const { fairlead, requests } = calling([call('c1', { city: 'Oslo' })], [call('c2', { city: 'Bergen' })])
    const short = [{ role: 'user', content: 'It rains in Oslo. And in Bergen?' }] as const
    const run = await fairlead.runTools({
      ...asked,
      prepareStep: ({ steps }) => (steps.length === 1 ? { messages: short } : undefined),
    })
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 1, 3])
    expect(run.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })
})

describe('onStepFinish of runTools', () => {
  test('onStepFinish of runTools gets each step with its results and its cost, and is awaited', async () => {
    const { fairlead } = calling([call('c1', { city: 'Oslo' })])
    const seen: unknown[] = []
    await fairlead.runTools({
      ...asked,
      async onStepFinish({ toolCalls, toolResults, costUsd }) {
        await Promise.resolve()
        seen.push([toolCalls.length, toolResults.length, costUsd > 0])
      },
    })
    expect(seen).toEqual([
      [1, 1, true],
      [0, 0, true],
    ])
  })

  test('onStepFinish of runTools ends the run if it throws', async () => {
    const { fairlead, requests } = endless()
    const onStepFinish = () => {
      throw new Error('disk full')
    }
    await expect(fairlead.runTools({ ...asked, onStepFinish })).rejects.toThrow('disk full')
    expect(requests).toHaveLength(1)
  })
})

describe('a tool that needs approval', () => {
  const pay = { id: 'c1', name: 'pay', input: { euros: 5_000 } }
  const paying = (needsApproval: boolean | ((input: { euros: number }) => boolean) = true) => {
    const paid: number[] = []
    const execute = ({ euros }: { euros: number }) => {
      paid.push(euros)
      return 'paid'
    }
    const inputSchema = z.object({ euros: z.number().max(10_000) })
    return { paid, tools: { pay: defineTool({ inputSchema, needsApproval, execute }), weather } }
  }
  const turn = [call('c1', { euros: 5_000 }, 'pay'), call('c2', { city: 'Oslo' })]

  test('a tool that needs approval is executed if `approve` allows the call', async () => {
    const { fairlead } = calling(turn)
    const { paid, tools } = paying()
    const asks: unknown[] = []
    const approve = async (made: object) => asks.push(made) > 0
    const run = await fairlead.runTools({ ...asked, tools, approve })
    expect(run).toMatchObject({ isComplete: true, pendingApprovals: [] })
    expect(asks).toEqual([pay])
    expect(paid).toEqual([5_000])
  })

  test.each([
    ['', false, 'The call was not approved: do not repeat it'],
    [' with the reason', { approved: false, reason: 'too much' }, 'The call was not approved: too much'],
  ])('a tool that needs approval tells the model that a call was denied%s', async (_case, approval, text) => {
    const { fairlead, requests } = calling(turn)
    const { paid, tools } = paying()
    await fairlead.runTools({ ...asked, tools, approve: () => approval })
    expect(paid).toEqual([])
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([
      { toolCallId: 'c1', isError: true, content: [{ text }] },
      { toolCallId: 'c2', content: [{ text: '{"city":"Oslo","rain":true}' }] },
    ])
  })

  test('a tool that needs approval ends the run before any call of the step without a decision, and is executed when the run continues', async () => {
    const { fairlead, requests } = calling(turn)
    const { paid, tools } = paying()
    const ended = await fairlead.runTools({ ...asked, tools })
    expect(ended).toMatchObject({ isComplete: false, pendingApprovals: [pay], steps: [{ toolResults: [] }] })
    expect([paid, requests.length]).toEqual([[], 1])
    // The messages may have been stored in between.
    const messages = JSON.parse(JSON.stringify(ended.messages)) as typeof ended.messages
    const { model } = asked
    const run = await fairlead.runTools({ model, tools, messages, prompt: 'Thanks!', approvals: { c1: true } })
    expect(run).toMatchObject({ isComplete: true, content: 'Take an umbrella.' })
    expect(paid).toEqual([5_000])
    expect(run.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
  })

  test('a tool that needs approval does not force a call again when the run continues', async () => {
    const { fairlead, requests } = calling(turn)
    const { tools } = paying()
    const toolChoice = { type: 'required' } as const
    const { messages } = await fairlead.runTools({ ...asked, tools, toolChoice })
    await fairlead.runTools({ model: 'any', tools, toolChoice, messages, approvals: { c1: true } })
    expect(requests.map((request) => request.toolChoice)).toEqual([toolChoice, undefined])
  })

  test('a tool that needs approval cannot continue without a decision', async () => {
    const { fairlead, requests } = calling(turn)
    const { tools } = paying()
    const { messages } = await fairlead.runTools({ ...asked, tools })
    await expect(fairlead.runTools({ model: 'any', tools, messages })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      issues: [{ field: 'approvals', issue: 'must decide the call "c1" of "pay", with which the messages end' }],
    })
    expect(requests).toHaveLength(1)
  })

  test('a tool that needs approval is not executed by an approval of an earlier call with the same id', async () => {
    const { fairlead } = calling(turn, [call('c1', { euros: 9_000 }, 'pay')])
    const { paid, tools } = paying()
    const { messages } = await fairlead.runTools({ ...asked, tools })
    const run = await fairlead.runTools({ model: 'any', tools, messages, approvals: { c1: true } })
    expect(run.pendingApprovals).toMatchObject([{ id: 'c1', input: { euros: 9_000 } }])
    expect(paid).toEqual([5_000])
  })

  test('a tool that needs approval may need approval for some inputs alone, and is not asked about invalid ones', async () => {
    const { fairlead } = calling(
      [call('c1', { euros: 5 }, 'pay')],
      [call('c2', { euros: 50_000 }, 'pay')],
      [call('c3', { euros: 500 }, 'pay')],
    )
    const { paid, tools } = paying(({ euros }) => euros > 100)
    const asks: string[] = []
    const approve = ({ id }: { id: string }) => asks.push(id) > 0
    await fairlead.runTools({ ...asked, tools, approve })
    expect(asks).toEqual(['c3'])
    expect(paid).toEqual([5, 500])
  })

  test('a tool that needs approval is not executed if `approve` throws, which ends the run', async () => {
    const { fairlead } = calling(turn)
    const { paid, tools } = paying()
    const approve = async () => {
      throw new Error('no database')
    }
    await expect(fairlead.runTools({ ...asked, tools, approve })).rejects.toThrow('no database')
    expect(paid).toEqual([])
  })

  test('a tool that needs approval is not executed after the signal aborts, even if `approve` never ends', async () => {
    const { fairlead } = calling(turn)
    const { paid, tools } = paying()
    const abort = new AbortController()
    const approve = () => {
      queueMicrotask(() => abort.abort(new Error('enough')))
      return new Promise<boolean>(() => {})
    }
    await expect(fairlead.runTools({ ...asked, tools, approve }, { signal: abort.signal })).rejects.toThrow('enough')
    expect(paid).toEqual([])
  })
})

describe('the output of runTools', () => {
  const output = z.object({ umbrella: z.boolean() })

  function deciding(answer: string) {
    const requests: TextRequest[] = []
    const provider: Provider = {
      contract: 2,
      id: 'calm',
      models: [fakeTextModel({ chat: true, tools: true, structured: true })],
      async generateText(request) {
        const usage = { promptTokens: 1, completionTokens: 1 }
        const isFirst = requests.push(request) === 1
        return isFirst
          ? { parts: [call('c1', { city: 'Oslo' })], finishReason: 'tool_calls', usage }
          : textAnswer(answer, { usage })
      },
    }
    return { requests, fairlead: createFairlead({ providers: [provider] }) }
  }

  test('the output of runTools is the object of a complete run', async () => {
    const { fairlead, requests } = deciding('{"umbrella":true}')
    const run = await fairlead.runTools({ ...asked, output })
    if (!run.isComplete) throw new Error('the run is not complete')
    expectTypeOf(run.object).toEqualTypeOf<{ umbrella: boolean }>()
    expect(run.object).toEqual({ umbrella: true })
    expect(run.toolCalls).toEqual([])
    expect(requests.map(({ responseFormat }) => responseFormat?.type)).toEqual(['json_schema', 'json_schema'])
    const streamed = await deciding('{"umbrella":true}')
      .fairlead.runTools.stream({ ...asked, output })
      .result()
    expect(streamed.object).toEqual({ umbrella: true })
  })

  test('the output of runTools is missing from a run that is not complete', async () => {
    const run = await deciding('').fairlead.runTools({ ...asked, output, stopWhen: isStepCount(1) })
    expect(run.isComplete).toBe(false)
    expect(run.object).toBeUndefined()
  })

  test('the output of runTools rejects with the run if its last answer does not match', async () => {
    const { fairlead } = deciding('{"umbrella":"yes"}')
    await expect(fairlead.runTools({ ...asked, output })).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
      issues: [{ field: 'object.umbrella' }],
      cause: { usage: { totalTokens: 4 }, steps: [{}, {}] },
    })
  })
})
