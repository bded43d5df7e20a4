import { textAnswer } from '@fairlead/core/provider'
import { eventsIn } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import type { Piece } from './testing/pieces.ts'
import { able, serve } from './testing/serve.ts'

const weather = { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } }

const signed = { able: { signature: 's' } }

const parts = [
  { type: 'reasoning', text: 'Both.', providerOptions: signed },
  { type: 'text', text: 'One moment.', providerOptions: { openai: { phase: 'commentary' }, able: { mark: 1 } } },
  { type: 'tool_call', id: 'call_1', name: 'get_weather', inputText: '{"city":"Oslo"}', input: { city: 'Oslo' } },
  {
    type: 'tool_call',
    id: 'call_2',
    name: 'files__patch',
    inputText: '{"input":"*** Begin"}',
    input: { input: '*** Begin' },
    providerOptions: signed,
  },
] as const

const tools = [weather, { type: 'namespace', name: 'files', tools: [{ type: 'custom', name: 'patch' }] }]

describe('a response', () => {
  test('a response has the fields of OpenAI', async () => {
    const { ask } = await serve({ providers: [able().provider] })
    const settings = { metadata: { order: '7' }, temperature: 0.5 }
    const { json } = await ask('/responses', { model: 'any', input: 'Hi', ...settings })
    expect(json).toMatchObject({
      id: expect.stringMatching(/^resp_\d+$/),
      object: 'response',
      status: 'completed',
      error: null,
      incomplete_details: null,
      metadata: { order: '7' },
      model: 'any',
      temperature: 0.5,
      store: false,
      output: [
        {
          id: expect.stringMatching(/^msg_\d+_0$/),
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello.', annotations: [] }],
        },
      ],
      usage: { input_tokens: 7, output_tokens: 5, total_tokens: 12 },
    })
  })

  test('a response is incomplete when the text was cut off', async () => {
    const { provider } = able(textAnswer('Hel', { finishReason: 'length' }))
    const { ask } = await serve({ providers: [provider] })
    expect((await ask('/responses', { model: 'any', input: 'Hi' })).json).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    })
  })

  test('a response has items that come back to the provider as it sent them', async () => {
    const { provider, requests } = able({ parts, finishReason: 'tool_calls' })
    const { ask } = await serve({ providers: [provider] })
    const user = { role: 'user', content: 'Hi' }
    const { json } = await ask('/responses', { model: 'any', input: [user], tools })
    expect(json.output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'Both.' }], encrypted_content: expect.any(String) },
      { type: 'message', phase: 'commentary', provider_options: { able: { mark: 1 } } },
      { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { type: 'custom_tool_call', call_id: 'call_2', namespace: 'files', name: 'patch', input: '*** Begin' },
    ])
    const results = [
      { type: 'function_call_output', call_id: 'call_1', output: 'Rain' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Done' },
    ]
    const next = await ask('/responses', { model: 'any', input: [user, ...json.output, ...results], tools })
    expect(next.status).toBe(200)
    expect(requests[1]?.messages[1]).toEqual({ role: 'assistant', content: parts })
  })
})

/** The events of a streamed response: `data` beside the type of the server-sent event. */
async function eventsFor(answer: readonly Piece[], body: object = {}) {
  const { provider } = able(answer)
  const { ask } = await serve({ providers: [provider] })
  const { text } = await ask('/responses', { model: 'any', input: 'Hi', tools, ...body, stream: true })
  return dataIn(text)
}

function dataIn(text: string) {
  return eventsIn(text).map(({ event, data }) => {
    expect(data.type).toBe(event)
    return data
  })
}

const finish = { type: 'finish', finishReason: 'stop', usage: { promptTokens: 7, completionTokens: 5 } } as const

describe('a streamed response', () => {
  test('a streamed response has every event of a text in order, with sequence numbers', async () => {
    const events = await eventsFor([{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo.' }, finish])
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    const last = events.at(-1).response
    expect(last).toMatchObject({ status: 'completed', usage: { total_tokens: 12 } })
    expect(events.at(-2).item).toEqual(last.output[0])
    expect(new Set(events.flatMap((event) => event.response?.id ?? [])).size).toBe(1)
  })

  test('a streamed response has the same items as a whole response', async () => {
    const { json: whole } = await (
      await serve({ providers: [able({ parts, finishReason: 'tool_calls' }).provider] })
    ).ask('/responses', { model: 'any', input: 'Hi', tools })
    const [reasoning, text, call, custom] = parts
    const events = await eventsFor([
      { type: 'reasoning', text: 'Bo' },
      { ...reasoning, text: 'th.' },
      { type: 'text', text: 'One ' },
      { ...text, text: 'moment.' },
      { type: 'tool_call', id: call.id, name: call.name, inputDelta: '' },
      { type: 'tool_call', id: call.id, name: call.name, inputDelta: '{"city":' },
      { type: 'tool_call', id: custom.id, name: custom.name, inputDelta: '{"input":"*** ', providerOptions: signed },
      { type: 'tool_call', id: call.id, name: call.name, inputDelta: '"Oslo"}' },
      { type: 'tool_call', id: custom.id, name: custom.name, inputDelta: 'Begin"}' },
      { ...finish, finishReason: 'tool_calls' },
    ])
    const withoutIds = (items: readonly object[]) => items.map((item) => ({ ...item, id: '' }))
    const { output } = events.at(-1).response
    expect(withoutIds(output)).toEqual(withoutIds(whole.output))
    expect(events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)).toEqual(output)
    const pieces = (type: string) => events.flatMap((event) => (event.type === type ? [event.delta] : [])).join('')
    expect(pieces('response.reasoning_summary_text.delta')).toBe('Both.')
    expect(pieces('response.function_call_arguments.delta')).toBe('{"city":"Oslo"}')
    expect(pieces('response.custom_tool_call_input.delta')).toBe('*** Begin')
  })

  test('a streamed response has the same items if its provider cannot stream', async () => {
    const { ask } = await serve({ providers: [able({ parts, finishReason: 'tool_calls' }).provider] })
    const body = { model: 'any', input: 'Hi', tools, cache: false }
    const { json: whole } = await ask('/responses', body)
    const { text } = await ask('/responses', { ...body, stream: true })
    const events = dataIn(text)
    const withoutIds = (items: readonly object[]) => items.map((item) => ({ ...item, id: '' }))
    expect(withoutIds(events.at(-1).response.output)).toEqual(withoutIds(whole.output))
    const pieces = events.flatMap(({ type, delta }) =>
      type === 'response.function_call_arguments.delta' ? [delta] : [],
    )
    expect(pieces.join('')).toBe('{"city":"Oslo"}')
  })

  test('a streamed response completes a call before the text that follows it', async () => {
    const events = await eventsFor([
      { type: 'tool_call', id: 'call_1', name: 'get_weather', inputDelta: '{}' },
      { type: 'text', text: 'Wait.' },
      finish,
    ])
    const done = events.filter(({ type }) => type === 'response.output_item.done')
    expect(done.map(({ item }) => item.type)).toEqual(['function_call', 'message'])
  })

  test('a streamed response has an object as arguments of a call without input', async () => {
    const events = await eventsFor([
      { type: 'tool_call', id: 'call_1', name: 'get_weather', inputDelta: '' },
      { ...finish, finishReason: 'tool_calls' },
    ])
    expect(events.find(({ type }) => type === 'response.function_call_arguments.done')).toMatchObject({
      arguments: '{}',
    })
  })

  test('a streamed response that is cut off in a call is incomplete, without the call', async () => {
    const events = await eventsFor([
      { type: 'text', text: 'Wait.' },
      { type: 'tool_call', id: 'call_1', name: 'get_weather', inputDelta: '{"ci' },
      { ...finish, finishReason: 'length' },
    ])
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { output: [{ type: 'message' }] } })
    expect(events.filter(({ type }) => type === 'response.output_item.done')).toHaveLength(1)
  })

  test('a streamed response that calls a custom tool with other JSON than an object has it as the input', async () => {
    const events = await eventsFor([
      { type: 'tool_call', id: 'call_1', name: 'files__patch', inputDelta: 'null' },
      { type: 'text', text: 'Wait.' },
      finish,
    ])
    const call = { type: 'custom_tool_call', call_id: 'call_1', input: 'null' }
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: [call, {}] } })
  })

  test('a streamed response has a refusal as a part of its message', async () => {
    const events = await eventsFor([
      { type: 'refusal', text: 'No.' },
      { type: 'finish', finishReason: 'refusal', usage: { promptTokens: 7, completionTokens: 5 } },
    ])
    expect(events.map(({ type }) => type)).toContain('response.refusal.delta')
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }] },
    })
  })

  test('a streamed response has the arguments of a call that are no JSON as the model wrote them', async () => {
    const text = '{"city":'
    const events = await eventsFor([
      { type: 'tool_call', id: 'call_1', name: 'get_weather', inputDelta: text },
      { type: 'finish', finishReason: 'tool_calls', usage: { promptTokens: 7, completionTokens: 5 } },
    ])
    const call = { type: 'function_call', call_id: 'call_1', arguments: text }
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: [call] } })
  })

  test('a streamed response without text has an empty message', async () => {
    const events = await eventsFor([finish])
    expect(events.at(-1).response.output).toMatchObject([{ type: 'message', content: [{ text: '' }] }])
  })

  test('a streamed response that fails midway ends with an error and response.failed', async () => {
    const events = await eventsFor([{ type: 'text', text: 'Hel' }])
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', error: { type: 'server_error', message: expect.any(String) } },
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error' } } },
    ])
  })
})
