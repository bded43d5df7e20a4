import type OpenAI from 'openai'
import {
  capital,
  city,
  dataUrlIn,
  earlier,
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

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming
export type Completion = OpenAI.Chat.Completions.ChatCompletion
type Choice = Completion['choices'][0]
export type Call = OpenAI.Chat.Completions.ChatCompletionMessageFunctionToolCall

const model = 'gpt-5.4-mini'

function completion(
  message: Partial<Choice['message']>,
  finish_reason: Choice['finish_reason'] = 'stop',
  counts: Completion['usage'] = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
): Completion {
  return {
    id: 'chatcmpl-BHqXz',
    object: 'chat.completion',
    created: 1_795_248_831,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, refusal: null, ...message },
        logprobs: null,
        finish_reason,
      },
    ],
    usage: counts,
  }
}

function call(id: string, name: string, json: string): Call {
  return { id, type: 'function', function: { name, arguments: json } }
}

const functions = [weather, time].map((tool) => ({ type: 'function' as const, function: { ...tool } }))
/** The default of the provider is the lowest effort. */
const off = { model, reasoning_effort: 'none' } as const satisfies Partial<Body>

function ask(content: string): Body['messages'] {
  return [{ role: 'user', content }]
}

export const chatExchanges: OfficialExchanges<Body, Completion> = {
  chat: {
    body: {
      ...off,
      messages: [
        { role: 'user', content: textIn('chat', 0) },
        { role: 'assistant', content: textIn('chat', 1) },
        { role: 'user', content: textIn('chat', 2) },
      ],
    },
    reply: completion({ content: 'You are Ada.' }),
    answer: texted('You are Ada.'),
  },
  system: {
    body: {
      ...off,
      messages: [{ role: 'system', content: textIn('system', 0) }, ...ask(textIn('system', 1))],
    },
    reply: completion({ content: 'It scatters blue light.' }),
    answer: texted('It scatters blue light.'),
  },
  image: {
    body: {
      ...off,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: textIn('image') },
            { type: 'image_url', image_url: { url: dataUrlIn('image') } },
          ],
        },
      ],
    },
    reply: completion({ content: 'Red.' }),
    answer: texted('Red.'),
  },
  imageUrl: {
    body: {
      ...off,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: textIn('imageUrl') },
            { type: 'image_url', image_url: { url: 'https://pictures.example/lake.png' } },
          ],
        },
      ],
    },
    reply: completion({ content: 'A lake.' }),
    answer: texted('A lake.'),
  },
  file: {
    body: {
      ...off,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: textIn('file') },
            { type: 'file', file: { filename: 'terms.pdf', file_data: dataUrlIn('file') } },
          ],
        },
      ],
    },
    reply: completion({ content: 'Nothing.' }),
    answer: texted('Nothing.'),
  },
  tool: {
    body: { ...off, messages: ask(textIn('tool')), tools: functions.slice(0, 1) },
    reply: completion({ tool_calls: [call('call_a', weather.name, city)] }, 'tool_calls'),
    answer: { parts: [weatherCall], finishReason: 'tool_calls', usage },
  },
  parallelTools: {
    body: { ...off, messages: ask(textIn('parallelTools')), tools: functions },
    reply: completion(
      { content: 'One moment.', tool_calls: [call('call_a', weather.name, city), call('call_b', time.name, place)] },
      'tool_calls',
    ),
    answer: {
      parts: [{ type: 'text', text: 'One moment.' }, weatherCall, timeCall],
      finishReason: 'tool_calls',
      usage,
    },
  },
  toolResult: {
    body: {
      ...off,
      messages: [
        ...ask(textIn('toolResult')),
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            call('call_weather_1', weather.name, earlier.weather),
            call('call_time_2', time.name, earlier.time),
          ],
        },
        { role: 'tool', tool_call_id: 'call_weather_1', content: 'sunny, 21 degrees' },
        { role: 'tool', tool_call_id: 'call_time_2', content: 'a quarter past nine' },
      ],
      tools: functions,
    },
    reply: completion({ content: 'Sunny in Porto; 9:15 in Kyoto.' }),
    answer: texted('Sunny in Porto; 9:15 in Kyoto.'),
  },
  forcedTool: {
    body: {
      ...off,
      messages: ask(textIn('forcedTool')),
      tools: functions,
      tool_choice: { type: 'function', function: { name: weather.name } },
      parallel_tool_calls: false,
    },
    // With a forced tool, the API gives `stop` as the reason.
    reply: completion({ tool_calls: [call('call_a', weather.name, city)] }),
    answer: { parts: [weatherCall], finishReason: 'tool_calls', usage },
  },
  jsonSchema: {
    body: {
      ...off,
      messages: ask(textIn('jsonSchema')),
      response_format: { type: 'json_schema', json_schema: { name: 'capital', schema: capital, strict: true } },
    },
    reply: completion({ content: '{"capitalCity":"Paris","countryName":"France"}' }),
    answer: texted('{"capitalCity":"Paris","countryName":"France"}'),
  },
  reasoning: {
    body: { model, reasoning_effort: 'high', messages: ask(textIn('reasoning')) },
    reply: completion({ content: '25.' }, 'stop', {
      prompt_tokens: 20,
      completion_tokens: 300,
      total_tokens: 320,
      completion_tokens_details: { reasoning_tokens: 256 },
    }),
    answer: {
      parts: [{ type: 'text', text: '25.' }],
      finishReason: 'stop',
      usage: { promptTokens: 20, completionTokens: 300, reasoningTokens: 256 },
    },
  },
  reasoningOff: {
    body: { ...off, messages: ask(textIn('reasoningOff')) },
    reply: completion({ content: '4.' }),
    answer: texted('4.'),
  },
  refusal: {
    body: { ...off, messages: ask(textIn('refusal')) },
    reply: completion({ refusal: 'I can’t help with that.' }),
    answer: { parts: [{ type: 'refusal', text: 'I can’t help with that.' }], finishReason: 'refusal' },
  },
  cachedTokens: {
    body: { ...off, messages: ask(textIn('cachedTokens')) },
    reply: completion({ content: 'It is short.' }, 'stop', {
      prompt_tokens: 2_000,
      completion_tokens: 5,
      total_tokens: 2_005,
      prompt_tokens_details: { cached_tokens: 1_920, audio_tokens: 0 },
    }),
    answer: {
      parts: [{ type: 'text', text: 'It is short.' }],
      finishReason: 'stop',
      usage: { promptTokens: 2_000, completionTokens: 5, cachedPromptTokens: 1_920 },
    },
  },
}

/** The fields that only a streamed request has. */
export const chatStreamFields = { stream: true, stream_options: { include_usage: true } } as const
