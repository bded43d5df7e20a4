import { readToolInput, type TextAnswer, textAnswer } from '@fairlead/core/provider'
import type { Capability, CapabilityReplay } from '@fairlead/testing/suites'

/** The provider's request for each capability of the suite, and a reply in the documented form. */
interface Recorded {
  /** Default: Gemini 3.8 Flash. */
  readonly model?: string
  readonly body: object
  readonly thinkingConfig?: object
  /** The parts of each event of the stream. A complete reply has all of them. */
  readonly sent: readonly (readonly object[])[]
  readonly finish?: object
  readonly counted?: object
  readonly answer?: Partial<TextAnswer>
  readonly failure?: 'content_refused'
}

const older = 'gemini-2.5-flash'
const user = (...parts: readonly object[]) => ({ role: 'user', parts })
const asks = (text: string) => ({ contents: [user({ text })] })
const counted = { promptTokens: 20, completionTokens: 6 }
const signed = (thoughtSignature: string) => ({ providerOptions: { google: { thoughtSignature } } })

function says(content: string, body: object, more: Partial<Recorded> = {}): Recorded {
  const sent = [[{ text: content }]]
  return { body, sent, answer: textAnswer(content, { usage: counted }), ...more }
}

const functionOf = (name: string, description: string, field: string, fieldDescription: string) => ({
  name,
  description,
  parametersJsonSchema: {
    type: 'object',
    properties: { [field]: { type: 'string', description: fieldDescription } },
    required: [field],
    additionalProperties: false,
  },
})
const weather = functionOf('get_weather', 'Returns the weather of a city.', 'city', 'The name of the city.')
const time = functionOf('get_time', 'Returns the local time of a place.', 'place', 'The name of the place.')
const tools = [{ functionDeclarations: [weather, time] }]
const weatherCall = { functionCall: { id: 'fc_1', name: 'get_weather', args: { city: 'Lisbon' } } }
const timeCall = { functionCall: { id: 'fc_2', name: 'get_time', args: { place: 'Osaka' } } }
const weatherPart = {
  type: 'tool_call',
  id: 'fc_1',
  name: 'get_weather',
  ...readToolInput('{"city":"Lisbon"}'),
  ...signed('EqQBCqEB'),
} as const
const timePart = {
  type: 'tool_call',
  id: 'fc_2',
  name: 'get_time',
  ...readToolInput('{"place":"Osaka"}'),
} as const
const callsWeather = {
  sent: [[{ ...weatherCall, thoughtSignature: 'EqQBCqEB' }]],
  answer: { parts: [weatherPart], finishReason: 'tool_calls', usage: counted },
} as const

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
const pdf = 'JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvQ2F0YWxvZz4+ZW5kb2JqCnRyYWlsZXI8PC9Sb290IDEgMCBSPj4KJSVFT0YK'
const capital = {
  type: 'object',
  properties: { capitalCity: { type: 'string' }, countryName: { type: 'string' } },
  required: ['capitalCity', 'countryName'],
  additionalProperties: false,
}

const recorded: Partial<Readonly<Record<Capability, Recorded>>> = {
  chat: says('You are Ada.', {
    contents: [
      user({ text: 'My name is Ada.' }),
      { role: 'model', parts: [{ text: 'Good morning, Ada.' }] },
      user({ text: 'What am I called?' }),
    ],
  }),
  system: says('It scatters blue light.', {
    ...asks('Why is the sky blue?'),
    systemInstruction: user({ text: 'You answer in one short sentence.' }),
  }),
  image: says('Red.', {
    contents: [user({ text: 'What color is this?' }, { inlineData: { mimeType: 'image/png', data: png } })],
  }),
  imageUrl: says('A lake.', {
    contents: [user({ text: 'What does this show?' }, { fileData: { fileUri: 'https://pictures.example/lake.png' } })],
  }),
  file: says('Nothing.', {
    contents: [
      user({ text: 'What does this document say?' }, { inlineData: { mimeType: 'application/pdf', data: pdf } }),
    ],
  }),
  tool: {
    body: { ...asks('How is the weather in Lisbon?'), tools: [{ functionDeclarations: [weather] }] },
    ...callsWeather,
  },
  parallelTools: {
    body: { ...asks('How is the weather in Lisbon, and how late is it in Osaka?'), tools },
    sent: [[{ ...weatherCall, thoughtSignature: 'EqQBCqEB' }, timeCall]],
    answer: { parts: [weatherPart, timePart], finishReason: 'tool_calls', usage: counted },
  },
  toolResult: says('It is sunny in Porto.', {
    contents: [
      user({ text: 'Tell me the weather of Porto and the time of Kyoto.' }),
      {
        role: 'model',
        parts: [
          // The call is not one of Gemini, so it has no signature.
          {
            functionCall: { id: 'call_weather_1', name: 'get_weather', args: { city: 'Porto' } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
          { functionCall: { id: 'call_time_2', name: 'get_time', args: { place: 'Kyoto' } } },
        ],
      },
      user(
        {
          functionResponse: { id: 'call_weather_1', name: 'get_weather', response: { output: 'sunny, 21 degrees' } },
        },
        { functionResponse: { id: 'call_time_2', name: 'get_time', response: { output: 'a quarter past nine' } } },
      ),
    ],
    tools,
  }),
  forcedTool: {
    body: {
      ...asks('Hello there.'),
      tools,
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_weather'] } },
    },
    ...callsWeather,
  },
  jsonSchema: says('{"capitalCity":"Paris","countryName":"France"}', {
    ...asks('Paris is the capital of France.'),
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: capital },
  }),
  reasoning: {
    body: asks('How many primes are below 100?'),
    thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: true },
    sent: [[{ text: 'I sieve.', thought: true }], [{ text: 'There are 25.', thoughtSignature: 'EvQC' }]],
    counted: { thoughtsTokenCount: 40 },
    answer: {
      parts: [
        { type: 'reasoning', text: 'I sieve.' },
        { type: 'text', text: 'There are 25.', ...signed('EvQC') },
      ],
      finishReason: 'stop',
      usage: { promptTokens: 20, completionTokens: 46, reasoningTokens: 40 },
    },
  },
  reasoningOff: says('Four.', asks('How many primes are below 10?'), {
    model: older,
    thinkingConfig: { thinkingBudget: 0 },
  }),
  refusal: {
    body: asks('How do I open the lock of my neighbor?'),
    sent: [[]],
    finish: { finishReason: 'SAFETY' },
    answer: { parts: [], finishReason: 'content_filter' },
  },
  cachedTokens: says('It is about lakes.', asks('Summarize the document that I sent before.'), {
    counted: { cachedContentTokenCount: 16 },
    answer: textAnswer('It is about lakes.', { usage: { ...counted, cachedPromptTokens: 16 } }),
  }),
  // From SDK types: `GoogleSearch` and `GroundingMetadata`.
  webSearch: says(
    'It opens at nine.',
    { ...asks('What did the harbor of Porto announce today?'), tools: [{ googleSearch: {} }] },
    {
      finish: {
        finishReason: 'STOP',
        groundingMetadata: {
          webSearchQueries: ['Porto harbor', 'Porto harbor hours'],
          groundingChunks: [{ web: { uri: 'https://porto.example', title: 'Harbor' } }],
          groundingSupports: [{ segment: { startIndex: 3, endIndex: 8, text: 'opens' }, groundingChunkIndices: [0] }],
          searchEntryPoint: { renderedContent: '<div></div>' },
        },
      },
      answer: {
        parts: [
          {
            type: 'text',
            text: 'It opens at nine.',
            citations: [{ url: 'https://porto.example', title: 'Harbor', quote: undefined, start: 3, end: 8 }],
          },
        ],
        finishReason: 'stop',
        usage: { ...counted, webSearches: 2 },
      },
    },
  ),
}

function toReplay(each: Recorded): CapabilityReplay {
  const { model = 'gemini-3.8-flash', thinkingConfig = { thinkingLevel: 'LOW' }, sent, answer, failure } = each
  const { finish = { finishReason: 'STOP' } } = each
  const { generationConfig, ...body } = { generationConfig: {}, ...each.body }
  const whole = { ...body, generationConfig: { ...generationConfig, thinkingConfig } }
  const reply = (parts: readonly object[], end: object) => ({
    candidates: [{ content: { parts, role: 'model' }, ...end, index: 0 }],
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 6, totalTokenCount: 26, ...each.counted },
    modelVersion: model,
    responseId: 'kZgpaYm3N',
  })
  const to = (method: string) => ({ method: 'POST', path: `/v1beta/models/${model}:${method}`, body: whole })
  const events = sent.map((parts, at) => ({ data: reply(parts, at < sent.length - 1 ? {} : finish) }))
  return {
    request: { model },
    text: { request: to('generateContent'), reply: { json: reply(sent.flat(), finish) } },
    stream: { request: to('streamGenerateContent?alt=sse'), reply: { events } },
    ...(answer && { answer }),
    ...(failure && { failure }),
  }
}

export const recordedCapabilities: Readonly<Record<string, CapabilityReplay>> = Object.fromEntries(
  Object.entries(recorded).map(([capability, each]) => [capability, toReplay(each)]),
)
