import type { RecordedExchange } from '@fairlead/testing'
import type { Capability, CapabilityReplay } from '@fairlead/testing/suites'
import { type AnswerPart, readToolInput, type TextAnswer, textAnswer } from '@fairlead/core/provider'

/** The requests of the package @ai-sdk/openai for each capability, and replies of the chat completions reference. */

interface Recorded {
  readonly messages: readonly object[]
  /** The rest of the body. */
  readonly body?: object
  readonly message: object
  readonly finishReason?: string
  /** The pieces of the message in a stream. Default: the message. */
  readonly deltas?: readonly object[]
  readonly cached?: number
  readonly answer: Partial<TextAnswer>
}

const usage = (cached = 0) => ({
  prompt_tokens: 20,
  completion_tokens: 6,
  total_tokens: 26,
  prompt_tokens_details: { cached_tokens: cached },
})
const counted = { promptTokens: 20, completionTokens: 6 }
const facts = { id: 'chatcmpl-1', created: 1_760_000_000, model: 'gpt-4o-mini' }

function says(content: string, messages: readonly object[], more: Partial<Recorded> = {}): Recorded {
  const deltas = [{ role: 'assistant', content: content.slice(0, 3) }, { content: content.slice(3) }]
  const message = { role: 'assistant', content }
  return { messages, message, deltas, answer: textAnswer(content, { usage: counted }), ...more }
}

function callsTools(
  calls: readonly Extract<AnswerPart, { type: 'tool_call' }>[],
  messages: readonly object[],
  body: object,
): Recorded {
  const wire = calls.map(({ id, name, inputText }) => ({
    id,
    type: 'function',
    function: { name, arguments: inputText },
  }))
  const deltas = wire.flatMap((call, index) => [
    { tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }] },
    { tool_calls: [{ index, function: { arguments: call.function.arguments.slice(0, 5) } }] },
    { tool_calls: [{ index, function: { arguments: call.function.arguments.slice(5) } }] },
  ])
  return {
    messages,
    body,
    message: { role: 'assistant', content: null, tool_calls: wire },
    deltas: [{ role: 'assistant', content: null }, ...deltas],
    finishReason: 'tool_calls',
    answer: { parts: calls, finishReason: 'tool_calls', usage: counted },
  }
}

const user = (content: unknown) => ({ role: 'user', content })
const text = (words: string) => ({ type: 'text', text: words })
const weather = {
  type: 'tool_call',
  id: 'call_w',
  name: 'get_weather',
  ...readToolInput('{"city": "Lisbon"}'),
} as const
const time = { type: 'tool_call', id: 'call_t', name: 'get_time', ...readToolInput('{"place":"Osaka"}') } as const

function tool(name: string, description: string, field: string, fieldDescription: string) {
  const parameters = {
    type: 'object',
    properties: { [field]: { type: 'string', description: fieldDescription } },
    required: [field],
    additionalProperties: false,
  }
  return { type: 'function', function: { name, description, parameters } }
}
const weatherTool = tool('get_weather', 'Returns the weather of a city.', 'city', 'The name of the city.')
const timeTool = tool('get_time', 'Returns the local time of a place.', 'place', 'The name of the place.')
const tools = [weatherTool, timeTool]
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
const pdf = 'JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvQ2F0YWxvZz4+ZW5kb2JqCnRyYWlsZXI8PC9Sb290IDEgMCBSPj4KJSVFT0YK'
const capital = {
  type: 'object',
  properties: { capitalCity: { type: 'string' }, countryName: { type: 'string' } },
  required: ['capitalCity', 'countryName'],
  additionalProperties: false,
}

const recorded: Partial<Readonly<Record<Capability, Recorded>>> = {
  chat: says('You are Ada.', [
    user('My name is Ada.'),
    { role: 'assistant', content: 'Good morning, Ada.' },
    user('What am I called?'),
  ]),
  system: says('It scatters blue light.', [
    { role: 'system', content: 'You answer in one short sentence.' },
    user('Why is the sky blue?'),
  ]),
  image: says('It is red.', [
    user([text('What color is this?'), { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }]),
  ]),
  file: says('Nothing.', [
    user([
      text('What does this document say?'),
      { type: 'file', file: { filename: 'terms.pdf', file_data: `data:application/pdf;base64,${pdf}` } },
    ]),
  ]),
  tool: callsTools([weather], [user('How is the weather in Lisbon?')], { tools: [weatherTool] }),
  parallelTools: callsTools([weather, time], [user('How is the weather in Lisbon, and how late is it in Osaka?')], {
    tools,
  }),
  toolResult: says(
    'It is sunny in Porto.',
    [
      user('Tell me the weather of Porto and the time of Kyoto.'),
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_weather_1',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Porto"}' },
          },
          { id: 'call_time_2', type: 'function', function: { name: 'get_time', arguments: '{"place":"Kyoto"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_weather_1', content: 'sunny, 21 degrees' },
      { role: 'tool', tool_call_id: 'call_time_2', content: 'a quarter past nine' },
    ],
    { body: { tools } },
  ),
  forcedTool: callsTools([weather], [user('Hello there.')], {
    tools,
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
  }),
  jsonSchema: says('{"capitalCity":"Paris","countryName":"France"}', [user('Paris is the capital of France.')], {
    body: {
      response_format: { type: 'json_schema', json_schema: { schema: capital, strict: true, name: 'capital' } },
    },
  }),
  refusal: says('I cannot', [user('How do I open the lock of my neighbor?')], {
    finishReason: 'content_filter',
    answer: textAnswer('I cannot', { finishReason: 'content_filter', usage: counted }),
  }),
  cachedTokens: says('It is about lakes.', [user('Summarize the document that I sent before.')], {
    cached: 16,
    answer: textAnswer('It is about lakes.', { usage: { ...counted, cachedPromptTokens: 16 } }),
  }),
}

function toReplay({ messages, body, message, finishReason = 'stop', deltas = [], cached, answer }: Recorded) {
  const sent = { model: 'gpt-4o-mini', messages, ...body }
  const request = { method: 'POST', path: '/chat/completions' }
  const chunk = (choice: object) => ({ ...facts, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })
  const chunks = deltas.map((delta) => chunk({ delta, finish_reason: null }))
  const whole: RecordedExchange = {
    request: { ...request, body: sent },
    reply: {
      json: {
        ...facts,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finishReason }],
        usage: usage(cached),
      },
    },
  }
  const last = { ...chunk({}), choices: [], usage: usage(cached) }
  const events = [...chunks, chunk({ delta: {}, finish_reason: finishReason }), last, '[DONE]']
  const stream: RecordedExchange = {
    request: { ...request, body: { ...sent, stream: true, stream_options: { include_usage: true } } },
    reply: { events: events.map((data) => ({ data })) },
  }
  return { request: { model: 'gpt-4o-mini' }, text: whole, stream, answer }
}

export const chatCompletions: Readonly<Record<string, CapabilityReplay>> = Object.fromEntries(
  Object.entries(recorded).map(([capability, each]) => [capability, toReplay(each)]),
)
