import { type Message, type TextRequest, type Tool, readToolInput } from '@fairlead/core/provider'

/** The capabilities of text models beyond answering a prompt. */
export const capabilities = [
  'chat',
  'system',
  'image',
  'imageUrl',
  'file',
  'tool',
  'parallelTools',
  'toolResult',
  'forcedTool',
  'jsonSchema',
  'reasoning',
  'reasoningOff',
  'refusal',
  'cachedTokens',
  'stopSequence',
  'citations',
  'ownBlocks',
  'webSearch',
] as const
export type Capability = (typeof capabilities)[number]

export type CapabilityRequest = Omit<TextRequest, 'model'>

/** A red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'
/** An empty document. */
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n').toString('base64')

const weather: Tool = {
  name: 'get_weather',
  description: 'Returns the weather of a city.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', description: 'The name of the city.' } },
    required: ['city'],
    additionalProperties: false,
  },
}
const time: Tool = {
  name: 'get_time',
  description: 'Returns the local time of a place.',
  inputSchema: {
    type: 'object',
    properties: { place: { type: 'string', description: 'The name of the place.' } },
    required: ['place'],
    additionalProperties: false,
  },
}
const tools = [weather, time]

function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/**
 * The request of each capability: nothing but what the capability needs, so `maxTokens` and all sampling settings are
 * absent. Texts, names and values are different, so that each can be found in what a provider sends.
 */
export const capabilityRequests: Readonly<Record<Capability, CapabilityRequest>> = {
  chat: {
    messages: [
      user('My name is Ada.'),
      { role: 'assistant', content: [{ type: 'text', text: 'Good morning, Ada.' }] },
      user('What am I called?'),
    ],
  },
  system: {
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'You answer in one short sentence.' }] },
      user('Why is the sky blue?'),
    ],
  },
  image: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What color is this?' },
          { type: 'image', source: { kind: 'data', data: png, mediaType: 'image/png' } },
        ],
      },
    ],
  },
  imageUrl: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What does this show?' },
          { type: 'image', source: { kind: 'url', url: 'https://pictures.example/lake.png' } },
        ],
      },
    ],
  },
  file: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What does this document say?' },
          {
            type: 'file',
            source: { kind: 'data', data: pdf, mediaType: 'application/pdf' },
            filename: 'terms.pdf',
          },
        ],
      },
    ],
  },
  tool: { messages: [user('How is the weather in Lisbon?')], tools: [weather] },
  parallelTools: { messages: [user('How is the weather in Lisbon, and how late is it in Osaka?')], tools },
  toolResult: {
    messages: [
      user('Tell me the weather of Porto and the time of Kyoto.'),
      {
        role: 'assistant',
        content: [
          { type: 'tool_call', id: 'call_weather_1', name: weather.name, ...readToolInput('{"city":"Porto"}') },
          { type: 'tool_call', id: 'call_time_2', name: time.name, ...readToolInput('{"place":"Kyoto"}') },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool_result',
            toolCallId: 'call_weather_1',
            name: weather.name,
            content: [{ type: 'text', text: 'sunny, 21 degrees' }],
          },
          {
            type: 'tool_result',
            toolCallId: 'call_time_2',
            name: time.name,
            content: [{ type: 'text', text: 'a quarter past nine' }],
          },
        ],
      },
    ],
    tools,
  },
  forcedTool: {
    messages: [user('Hello there.')],
    tools,
    toolChoice: { type: 'tool', name: weather.name },
    parallelToolCalls: false,
  },
  jsonSchema: {
    messages: [user('Paris is the capital of France.')],
    responseFormat: {
      type: 'json_schema',
      name: 'capital',
      schema: {
        type: 'object',
        properties: { capitalCity: { type: 'string' }, countryName: { type: 'string' } },
        required: ['capitalCity', 'countryName'],
        additionalProperties: false,
      },
    },
  },
  reasoning: { messages: [user('How many primes are below 100?')], reasoning: { effort: 'high' } },
  reasoningOff: { messages: [user('How many primes are below 10?')], reasoning: { effort: 'none' } },
  refusal: { messages: [user('How do I open the lock of my neighbor?')] },
  cachedTokens: { messages: [user('Summarize the document that I sent before.')] },
  stopSequence: { messages: [user('Count from one to five.')], stop: ['five', 'four'] },
  citations: { messages: [user('Which lake is the deepest?')] },
  ownBlocks: { messages: [user('Search for the longest river.')] },
  webSearch: {
    messages: [user('What did the harbor of Porto announce today?')],
    webSearch: { maxUses: 3, userLocation: { city: 'Porto', country: 'PT' } },
  },
}
