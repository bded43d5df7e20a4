import { readToolInput, textAnswer } from '@fairlead/core/provider'
import { blankPng, type RecordedEvent } from '@fairlead/testing'
import { type CapabilityReplay, providerSuite } from '@fairlead/testing/suites'
import { quill } from './quill.ts'

const request = { model: 'goose', prompt: 'Greet me.', maxTokens: 64, temperature: 0.7 }
const body = { model: 'goose', turns: [{ by: 'reader', says: 'Greet me.' }], limit: 64, heat: 0.35 }
const end = { ended: 'done', tokens: { read: 4, written: 2 } }
const answer = textAnswer('Hello there', { usage: { promptTokens: 4, completionTokens: 2 } })
const png = Buffer.from(blankPng(512, 512))

/** A capability, with the reply whole and as a stream. */
function capability(
  sent: object,
  whole: object,
  pieces: readonly object[],
  expected: CapabilityReplay['answer'],
): CapabilityReplay {
  const write = { method: 'POST', path: '/write' }
  const { finishReason, stopSequence: before } = expected ?? {}
  const ended = { ...end, ended: finishReason === 'tool_calls' ? 'tools' : 'done', ...(before && { before }) }
  const events: readonly RecordedEvent[] = [...pieces, ended].map((data) => ({ data }))
  return {
    text: { request: { ...write, body: { model: 'goose', ...sent } }, reply: { json: { ...whole, ...ended } } },
    stream: { request: { ...write, body: { model: 'goose', ...sent, stream: true } }, reply: { events } },
    answer: { ...expected, usage: answer.usage },
  }
}

/** The text of a reply. */
function says(sent: object, text: string): CapabilityReplay {
  return capability(sent, { text }, [{ piece: text }], textAnswer(text))
}

function schemaOf(field: string, description: string) {
  const properties = { [field]: { type: 'string', description } }
  return { type: 'object', properties, required: [field], additionalProperties: false }
}

const weather = {
  name: 'get_weather',
  about: 'Returns the weather of a city.',
  takes: schemaOf('city', 'The name of the city.'),
}
const time = {
  name: 'get_time',
  about: 'Returns the local time of a place.',
  takes: schemaOf('place', 'The name of the place.'),
}
const askWeather = { call: 'u1', name: 'get_weather', with: { city: 'Lisbon' } }
const askTime = { call: 'u2', name: 'get_time', with: { place: 'Osaka' } }
const weatherPieces = [
  { call: 'u1', name: 'get_weather', json: '{"city":' },
  { call: 'u1', name: 'get_weather', json: '"Lisbon"}' },
]
const timePieces = [{ call: 'u2', name: 'get_time', json: '{"place":"Osaka"}' }]
const weatherPart = {
  type: 'tool_call',
  id: 'u1',
  name: 'get_weather',
  ...readToolInput('{"city":"Lisbon"}'),
} as const
const timePart = { type: 'tool_call', id: 'u2', name: 'get_time', ...readToolInput('{"place":"Osaka"}') } as const

const usesWeather = { parts: [weatherPart], finishReason: 'tool_calls' } as const
const refusal = { status: 422, json: { error: { reason: 'unseemly', because: 'Geese are peaceful.' } } }
const refused = { turns: [{ by: 'reader', says: 'How do I open the lock of my neighbor?' }] }

// One exchange for each method and each capability of Goose, as the API documents it: the request, its reply, and the
// provider's answer.
providerSuite('quill', ({ url, apiKey }) => quill({ baseUrl: url, apiKey }), {
  // CI runs the tests that take long, too.
  quick: process.env['CI'] === undefined,
  replay: {
    text: {
      request,
      exchange: {
        request: { method: 'POST', path: '/write', body },
        reply: { json: { text: 'Hello there', ...end } },
      },
      answer,
    },
    stream: {
      request,
      exchange: {
        request: { method: 'POST', path: '/write', body: { ...body, stream: true } },
        reply: { events: [{ data: { piece: 'Hello' } }, { data: { piece: ' there' } }, { data: end }] },
      },
      answer,
    },
    image: {
      request: { model: 'swan', prompt: 'A lake at dawn.', width: 512, height: 512 },
      exchange: {
        request: {
          method: 'POST',
          path: '/draw',
          body: { model: 'swan', prompt: 'A lake at dawn.', wide: 512, high: 512, fine: false },
        },
        reply: { json: { png: png.toString('base64') } },
      },
      answer: { png },
    },
    analysis: {
      request: { analyzer: 'owl', text: 'Maria loves Berlin.', tasks: ['sentiment', 'entities'], language: 'en' },
      exchange: {
        request: {
          method: 'POST',
          path: '/read',
          body: { text: 'Maria loves Berlin.', language: 'en', find: ['sentiment', 'entities'] },
        },
        reply: {
          json: {
            mood: { value: 0.8, word: 'positive' },
            names: [{ name: 'Berlin', kind: 'location', sure: 0.97 }],
          },
        },
      },
      answer: {
        analysis: {
          sentiment: { score: 0.8, label: 'positive' },
          entities: [{ text: 'Berlin', type: 'LOCATION', confidence: 0.97 }],
        },
      },
    },
  },
  // The suite sends `capabilityRequests`.
  capabilities: {
    chat: says(
      {
        turns: [
          { by: 'reader', says: 'My name is Ada.' },
          { by: 'quill', says: 'Good morning, Ada.' },
          { by: 'reader', says: 'What am I called?' },
        ],
      },
      'Ada.',
    ),
    system: says(
      {
        turns: [
          { by: 'guide', says: 'You answer in one short sentence.' },
          { by: 'reader', says: 'Why is the sky blue?' },
        ],
      },
      'It scatters blue light.',
    ),
    tool: capability(
      { turns: [{ by: 'reader', says: 'How is the weather in Lisbon?' }], tools: [weather] },
      { text: '', uses: [askWeather] },
      weatherPieces,
      usesWeather,
    ),
    parallelTools: capability(
      {
        turns: [{ by: 'reader', says: 'How is the weather in Lisbon, and how late is it in Osaka?' }],
        tools: [weather, time],
      },
      { text: 'Let me see.', uses: [askWeather, askTime] },
      [{ piece: 'Let me see.' }, ...weatherPieces, ...timePieces],
      {
        parts: [{ type: 'text', text: 'Let me see.' }, weatherPart, timePart],
        finishReason: 'tool_calls',
      },
    ),
    toolResult: says(
      {
        turns: [
          { by: 'reader', says: 'Tell me the weather of Porto and the time of Kyoto.' },
          { by: 'quill', call: 'call_weather_1', name: 'get_weather', with: { city: 'Porto' } },
          { by: 'quill', call: 'call_time_2', name: 'get_time', with: { place: 'Kyoto' } },
          { by: 'tool', call: 'call_weather_1', says: 'sunny, 21 degrees' },
          { by: 'tool', call: 'call_time_2', says: 'a quarter past nine' },
        ],
        tools: [weather, time],
      },
      'Sunny, and a quarter past nine.',
    ),
    forcedTool: capability(
      { turns: [{ by: 'reader', says: 'Hello there.' }], tools: [weather, time], use: { name: 'get_weather' } },
      { text: '', uses: [askWeather] },
      weatherPieces,
      usesWeather,
    ),
    stopSequence: capability(
      { turns: [{ by: 'reader', says: 'Count from one to five.' }], until: ['five', 'four'] },
      { text: 'One, two, three, ' },
      [{ piece: 'One, two, ' }, { piece: 'three, ' }],
      textAnswer('One, two, three, ', { stopSequence: 'four' }),
    ),
    refusal: {
      text: { request: { method: 'POST', path: '/write', body: { model: 'goose', ...refused } }, reply: refusal },
      stream: {
        request: { method: 'POST', path: '/write', body: { model: 'goose', ...refused, stream: true } },
        reply: refusal,
      },
      failure: 'content_refused',
    },
  },
  skip: { 'has a replay of cachedTokens': 'Quill has no prompt cache' },
})
