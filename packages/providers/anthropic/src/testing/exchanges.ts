import type { Message, MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages'
import { readToolInput, type TextAnswer, type TextRequest } from '@fairlead/core/provider'
import type { Capability } from '@fairlead/testing/suites'

/** A request to the Messages API as the official SDK takes it, with the documented reply. */
export interface Exchange {
  /** Fields that differ from the request of the provider suite. */
  readonly request?: Partial<TextRequest>
  /** Default of the model: `claude-haiku-5-5`. */
  readonly params: Omit<MessageCreateParamsNonStreaming, 'model' | 'max_tokens'> & { readonly model?: string }
  readonly reply: Partial<Omit<Message, 'content'>> & { readonly content: readonly object[] }
  readonly answer?: Partial<TextAnswer>
  readonly failure?: 'content_refused'
}

const user = (text: string) => ({ role: 'user' as const, content: text })
const off = { thinking: { type: 'disabled' as const } }
const says = (text: string): Pick<Exchange, 'reply' | 'answer'> => ({
  reply: { content: [{ type: 'text', text, citations: null }] },
  answer: { parts: [{ type: 'text', text }], finishReason: 'stop', usage: { promptTokens: 12, completionTokens: 6 } },
})

const object = { type: 'object' as const, additionalProperties: false }
const weather = {
  name: 'get_weather',
  description: 'Returns the weather of a city.',
  input_schema: {
    ...object,
    properties: { city: { type: 'string', description: 'The name of the city.' } },
    required: ['city'],
  },
}
const time = {
  name: 'get_time',
  description: 'Returns the local time of a place.',
  input_schema: {
    ...object,
    properties: { place: { type: 'string', description: 'The name of the place.' } },
    required: ['place'],
  },
}
const weatherUse = { type: 'tool_use' as const, id: 'toolu_01', name: 'get_weather', input: { city: 'Lisbon' } }
const timeUse = { type: 'tool_use' as const, id: 'toolu_02', name: 'get_time', input: { place: 'Osaka' } }
const direct = { caller: { type: 'direct' } }
const callOf = ({ input, ...use }: { id: string; name: string; input: object }) => ({
  ...use,
  type: 'tool_call' as const,
  ...readToolInput(JSON.stringify(input)),
})
const weatherCall = callOf(weatherUse)

const deepest = {
  type: 'char_location',
  cited_text: 'Its depth is 1,642 m.',
  document_index: 0,
  document_title: 'Lakes',
  start_char_index: 0,
  end_char_index: 21,
}
const search = { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: { query: 'longest river' } }
const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_01', content: [] }
const ownBlock = { type: 'opaque', provider: 'anthropic', dialect: 'anthropic' } as const

/** From SDK types: `WebSearchTool20250305`, `WebSearchToolResultBlock`, `CitationsWebSearchResultLocation`, `ServerToolUsage`. */
const searched = {
  type: 'server_tool_use',
  id: 'srvtoolu_02',
  name: 'web_search',
  input: { query: 'Porto harbor' },
  caller: { type: 'direct' },
}
const page = { url: 'https://porto.example', title: 'Harbor' }
const results = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_02',
  caller: { type: 'direct' },
  content: [{ type: 'web_search_result', ...page, encrypted_content: 'EqgfCio', page_age: null }],
}
const located = { type: 'web_search_result_location', ...page, cited_text: 'Open from nine.', encrypted_index: 'Eo8B' }
const webSearches: Pick<Exchange, 'reply' | 'answer'> = {
  reply: {
    content: [searched, results, { type: 'text', text: 'It opens at nine.', citations: [located] }],
    usage: {
      cache_creation: null,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      inference_geo: null,
      input_tokens: 900,
      output_tokens: 40,
      output_tokens_details: null,
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
      service_tier: 'standard',
      speed: null,
    },
  },
  answer: {
    parts: [
      { ...ownBlock, kind: searched.type, data: searched },
      { ...ownBlock, kind: results.type, data: results },
      { type: 'text', text: 'It opens at nine.', citations: [{ ...page, quote: 'Open from nine.' }] },
    ],
    finishReason: 'stop',
    usage: { promptTokens: 900, completionTokens: 40, webSearches: 1 },
  },
}

export const exchanges: Readonly<Record<Capability, Exchange>> = {
  webSearch: {
    params: {
      messages: [user('What did the harbor of Porto announce today?')],
      tools: [
        {
          type: 'web_search_20250305',
          name: 'web_search',
          max_uses: 3,
          user_location: { type: 'approximate', city: 'Porto', country: 'PT' },
        },
      ],
      ...off,
    },
    ...webSearches,
  },
  chat: {
    params: {
      messages: [
        user('My name is Ada.'),
        { role: 'assistant', content: 'Good morning, Ada.' },
        user('What am I called?'),
      ],
      ...off,
    },
    ...says('You are Ada.'),
  },
  system: {
    params: {
      system: [{ type: 'text', text: 'You answer in one short sentence.' }],
      messages: [user('Why is the sky blue?')],
      ...off,
    },
    ...says('Air scatters blue light.'),
  },
  image: {
    params: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What color is this?' },
            {
              type: 'image',
              source: {
                type: 'base64',
                media_type: 'image/png',
                data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
              },
            },
          ],
        },
      ],
      ...off,
    },
    ...says('Red.'),
  },
  imageUrl: {
    params: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What does this show?' },
            { type: 'image', source: { type: 'url', url: 'https://pictures.example/lake.png' } },
          ],
        },
      ],
      ...off,
    },
    ...says('A lake.'),
  },
  file: {
    params: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What does this document say?' },
            {
              type: 'document',
              title: 'terms.pdf',
              source: {
                type: 'base64',
                media_type: 'application/pdf',
                data: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n').toString(
                  'base64',
                ),
              },
            },
          ],
        },
      ],
      ...off,
    },
    ...says('Nothing.'),
  },
  tool: {
    params: { messages: [user('How is the weather in Lisbon?')], tools: [weather], ...off },
    reply: {
      content: [
        { type: 'text', text: 'I will look.', citations: null },
        { ...weatherUse, ...direct },
      ],
      stop_reason: 'tool_use',
    },
    answer: {
      parts: [{ type: 'text', text: 'I will look.' }, weatherCall],
      finishReason: 'tool_calls',
    },
  },
  parallelTools: {
    params: {
      messages: [user('How is the weather in Lisbon, and how late is it in Osaka?')],
      tools: [weather, time],
      ...off,
    },
    reply: { content: [weatherUse, { ...timeUse, input: {} }], stop_reason: 'tool_use' },
    answer: { parts: [weatherCall, callOf({ ...timeUse, input: {} })], finishReason: 'tool_calls' },
  },
  toolResult: {
    params: {
      messages: [
        user('Tell me the weather of Porto and the time of Kyoto.'),
        {
          role: 'assistant',
          content: [
            { ...weatherUse, id: 'call_weather_1', input: { city: 'Porto' } },
            { ...timeUse, id: 'call_time_2', input: { place: 'Kyoto' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_weather_1', content: 'sunny, 21 degrees' },
            { type: 'tool_result', tool_use_id: 'call_time_2', content: 'a quarter past nine' },
          ],
        },
      ],
      tools: [weather, time],
      ...off,
    },
    ...says('It is sunny in Porto, and a quarter past nine in Kyoto.'),
  },
  forcedTool: {
    params: {
      messages: [user('Hello there.')],
      tools: [weather, time],
      tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true },
      ...off,
    },
    reply: { content: [weatherUse], stop_reason: 'tool_use' },
    answer: { parts: [weatherCall], finishReason: 'tool_calls' },
  },
  jsonSchema: {
    params: {
      messages: [user('Paris is the capital of France.')],
      ...off,
      output_config: {
        format: {
          type: 'json_schema',
          schema: {
            ...object,
            title: 'capital',
            properties: { capitalCity: { type: 'string' }, countryName: { type: 'string' } },
            required: ['capitalCity', 'countryName'],
          },
        },
      },
    },
    ...says('{"capitalCity":"Paris","countryName":"France"}'),
  },
  reasoning: {
    params: {
      messages: [user('How many primes are below 100?')],
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    },
    reply: {
      content: [
        { type: 'thinking', thinking: 'Sieve the numbers.', signature: 'EqQBCgIYAg' },
        { type: 'text', text: 'There are 25.', citations: null },
      ],
      usage: { output_tokens_details: { thinking_tokens: 4 } } as Message['usage'],
    },
    answer: {
      parts: [
        { type: 'reasoning', text: 'Sieve the numbers.', providerOptions: { anthropic: { signature: 'EqQBCgIYAg' } } },
        { type: 'text', text: 'There are 25.' },
      ],
      finishReason: 'stop',
      usage: { promptTokens: 12, completionTokens: 6, reasoningTokens: 4 },
    },
  },
  reasoningOff: {
    params: { messages: [user('How many primes are below 10?')], ...off },
    ...says('Four.'),
  },
  refusal: {
    params: { messages: [user('How do I open the lock of my neighbor?')], ...off },
    reply: {
      content: [],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: 'general_harms', explanation: 'This could help a burglary.' },
    },
    answer: {
      parts: [{ type: 'refusal', text: 'This could help a burglary.' }],
      finishReason: 'refusal',
    },
  },
  cachedTokens: {
    params: { messages: [user('Summarize the document that I sent before.')], ...off },
    reply: {
      content: [{ type: 'text', text: 'It is empty.', citations: null }],
      usage: { cache_read_input_tokens: 3_000, cache_creation_input_tokens: 200 } as Message['usage'],
    },
    answer: {
      parts: [{ type: 'text', text: 'It is empty.' }],
      finishReason: 'stop',
      usage: { promptTokens: 3_212, completionTokens: 6, cachedPromptTokens: 3_000, cacheWriteTokens: 200 },
    },
  },
  stopSequence: {
    params: { messages: [user('Count from one to five.')], stop_sequences: ['five', 'four'], ...off },
    reply: {
      content: [{ type: 'text', text: 'One, two, three, ', citations: null }],
      stop_reason: 'stop_sequence',
      stop_sequence: 'four',
    },
    answer: { parts: [{ type: 'text', text: 'One, two, three, ' }], finishReason: 'stop', stopSequence: 'four' },
  },
  citations: {
    params: { messages: [user('Which lake is the deepest?')], ...off },
    reply: { content: [{ type: 'text', text: 'Lake Baikal.', citations: [deepest] }] },
    answer: {
      parts: [
        {
          type: 'text',
          text: 'Lake Baikal.',
          citations: [{ quote: 'Its depth is 1,642 m.', title: 'Lakes', document: 0 }],
        },
      ],
    },
  },
  ownBlocks: {
    params: { messages: [user('Search for the longest river.')], ...off },
    reply: { content: [search, found, { type: 'text', text: 'The Nile.', citations: null }] },
    answer: {
      parts: [
        { ...ownBlock, kind: search.type, data: search },
        { ...ownBlock, kind: found.type, data: found },
        { type: 'text', text: 'The Nile.' },
      ],
    },
  },
}
