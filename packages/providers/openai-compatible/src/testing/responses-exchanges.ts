import type OpenAI from 'openai'
import {
  capital,
  city,
  dataUrlIn,
  earlier,
  type OfficialExchange,
  type OfficialExchanges,
  place,
  textIn,
  texted,
  time,
  timeCall,
  usage,
  weather,
  weatherCall,
} from './official-exchanges.ts'

type Responses = OpenAI.Responses.Response
type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming
export type Item = OpenAI.Responses.ResponseOutputItem
type Usage = OpenAI.Responses.ResponseUsage
/** As sent: the SDK adds the text of all items. */
export type Reply = Omit<Responses, 'output_text'>

const model = 'gpt-6.1-sol'

const counts: Usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 25,
}
/** The API always counts reasoning. */
const counted = { ...usage, reasoningTokens: 0 }

function response(output: readonly Item[], usageOf: Partial<Usage> = {}): Reply {
  return {
    id: 'resp_68a1',
    object: 'response',
    created_at: 1_795_248_831,
    status: 'completed',
    access_programs: null,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model,
    output: [...output],
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: { ...counts, ...usageOf },
  }
}

function said(text: string): Item {
  const content = [{ type: 'output_text' as const, text, annotations: [] }]
  return { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }
}

function call(call_id: string, name: string, json: string): Item {
  return { id: `fc_${call_id}`, type: 'function_call', status: 'completed', call_id, name, arguments: json }
}

function earlierCall(call_id: string, name: string, json: string) {
  return { type: 'function_call', call_id, name, arguments: json } as const
}

/** The fields of every request of a model that reasons. */
const low = {
  model,
  store: false,
  reasoning: { effort: 'low' },
  include: ['reasoning.encrypted_content'],
} satisfies Body

function ask(content: string): OpenAI.Responses.ResponseInputItem[] {
  return [{ role: 'user', content }]
}

const functions = [weather, time].map((tool) => ({ type: 'function' as const, ...tool, strict: false }))

function answered(text: string) {
  return { reply: response([said(text)]), answer: { ...texted(text), usage: counted } }
}

const search: Item = {
  id: 'ws_1',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', queries: ['Porto harbor'] },
}
const opening: Item = {
  id: 'ws_2',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'open_page', url: 'https://porto.example' },
}
const source = { url: 'https://porto.example', title: 'Harbor' }

/** A search that the API runs, and the page that it opens for nothing. From SDK types: `WebSearchTool`, `ResponseFunctionWebSearch`. */
export const searchExchange: OfficialExchange<Body, Reply> = {
  body: {
    ...low,
    input: ask(textIn('webSearch')),
    tools: [{ type: 'web_search', user_location: { type: 'approximate', city: 'Porto', country: 'PT' } }],
    max_tool_calls: 3,
  },
  reply: response([
    search,
    opening,
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [
        {
          type: 'output_text',
          text: 'It opens at nine.',
          annotations: [{ type: 'url_citation', start_index: 3, end_index: 8, ...source }],
        },
      ],
    },
  ]),
  answer: {
    parts: [
      { type: 'opaque', provider: 'openai', dialect: 'openai-responses', kind: search.type, data: { ...search } },
      { type: 'opaque', provider: 'openai', dialect: 'openai-responses', kind: opening.type, data: { ...opening } },
      { type: 'text', text: 'It opens at nine.', citations: [{ ...source, start: 3, end: 8 }] },
    ],
    finishReason: 'stop',
    usage: { ...counted, webSearches: 1 },
  },
}

export const responsesExchanges: OfficialExchanges<Body, Reply> = {
  chat: {
    body: {
      ...low,
      input: [
        { role: 'user', content: textIn('chat', 0) },
        { role: 'assistant', content: textIn('chat', 1) },
        { role: 'user', content: textIn('chat', 2) },
      ],
    },
    ...answered('You are Ada.'),
  },
  system: {
    body: { ...low, input: [{ role: 'system', content: textIn('system', 0) }, ...ask(textIn('system', 1))] },
    ...answered('It scatters blue light.'),
  },
  image: {
    body: {
      ...low,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: textIn('image') },
            { type: 'input_image', image_url: dataUrlIn('image'), detail: 'auto' },
          ],
        },
      ],
    },
    ...answered('Red.'),
  },
  imageUrl: {
    body: {
      ...low,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: textIn('imageUrl') },
            { type: 'input_image', image_url: 'https://pictures.example/lake.png', detail: 'auto' },
          ],
        },
      ],
    },
    ...answered('A lake.'),
  },
  file: {
    body: {
      ...low,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: textIn('file') },
            { type: 'input_file', filename: 'terms.pdf', file_data: dataUrlIn('file') },
          ],
        },
      ],
    },
    ...answered('Nothing.'),
  },
  tool: {
    body: { ...low, input: ask(textIn('tool')), tools: functions.slice(0, 1) },
    reply: response([
      { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAAAB' },
      call('call_a', weather.name, city),
    ]),
    answer: {
      parts: [
        {
          type: 'reasoning',
          text: '',
          providerOptions: { openai: { id: 'rs_1', summary: [], encrypted_content: 'gAAAAB' } },
        },
        weatherCall,
      ],
      finishReason: 'tool_calls',
      usage: counted,
    },
  },
  parallelTools: {
    body: { ...low, input: ask(textIn('parallelTools')), tools: functions },
    reply: response([
      { ...said('One moment.'), phase: 'commentary' } as Item,
      call('call_a', weather.name, city),
      call('call_b', time.name, place),
    ]),
    answer: {
      parts: [
        { type: 'text', text: 'One moment.', providerOptions: { openai: { phase: 'commentary' } } },
        weatherCall,
        timeCall,
      ],
      finishReason: 'tool_calls',
      usage: counted,
    },
  },
  toolResult: {
    body: {
      ...low,
      input: [
        ...ask(textIn('toolResult')),
        earlierCall('call_weather_1', weather.name, earlier.weather),
        earlierCall('call_time_2', time.name, earlier.time),
        { type: 'function_call_output', call_id: 'call_weather_1', output: 'sunny, 21 degrees' },
        { type: 'function_call_output', call_id: 'call_time_2', output: 'a quarter past nine' },
      ],
      tools: functions,
    },
    ...answered('Sunny in Porto; 9:15 in Kyoto.'),
  },
  forcedTool: {
    body: {
      ...low,
      input: ask(textIn('forcedTool')),
      tools: functions,
      tool_choice: { type: 'function', name: weather.name },
      parallel_tool_calls: false,
    },
    reply: response([call('call_a', weather.name, city)]),
    answer: { parts: [weatherCall], finishReason: 'tool_calls', usage: counted },
  },
  jsonSchema: {
    body: {
      ...low,
      input: ask(textIn('jsonSchema')),
      text: { format: { type: 'json_schema', name: 'capital', schema: capital, strict: true } },
    },
    ...answered('{"capitalCity":"Paris","countryName":"France"}'),
  },
  reasoning: {
    body: { ...low, input: ask(textIn('reasoning')), reasoning: { effort: 'high' } },
    reply: response(
      [
        {
          id: 'rs_1',
          type: 'reasoning',
          summary: [
            { type: 'summary_text', text: 'I count them.' },
            { type: 'summary_text', text: 'There are 25.' },
          ],
          encrypted_content: 'gAAAAB',
        },
        said('25.'),
      ],
      { output_tokens: 300, output_tokens_details: { reasoning_tokens: 256 }, total_tokens: 320 },
    ),
    answer: {
      parts: [
        {
          type: 'reasoning',
          text: 'I count them.\n\nThere are 25.',
          providerOptions: {
            openai: {
              id: 'rs_1',
              summary: [
                { type: 'summary_text', text: 'I count them.' },
                { type: 'summary_text', text: 'There are 25.' },
              ],
              encrypted_content: 'gAAAAB',
            },
          },
        },
        { type: 'text', text: '25.' },
      ],
      finishReason: 'stop',
      usage: { promptTokens: 20, completionTokens: 300, reasoningTokens: 256 },
    },
  },
  // A model that cannot answer without reasoning reasons as little as it can.
  reasoningOff: { body: { ...low, input: ask(textIn('reasoningOff')) }, ...answered('4.') },
  refusal: {
    body: { ...low, input: ask(textIn('refusal')) },
    reply: response([
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'refusal', refusal: 'I can’t help with that.' }],
      },
    ]),
    answer: { parts: [{ type: 'refusal', text: 'I can’t help with that.' }], finishReason: 'refusal' },
  },
  cachedTokens: {
    body: { ...low, input: ask(textIn('cachedTokens')) },
    reply: response([said('It is short.')], {
      input_tokens: 2_000,
      input_tokens_details: { cached_tokens: 1_920, cache_write_tokens: 64 },
      total_tokens: 2_005,
    }),
    answer: {
      parts: [{ type: 'text', text: 'It is short.' }],
      finishReason: 'stop',
      usage: { ...counted, promptTokens: 2_000, cachedPromptTokens: 1_920, cacheWriteTokens: 64 },
    },
  },
}
