import type { Message } from '@anthropic-ai/sdk/resources/messages'
import { readToolInput, type Tool } from '@fairlead/core/provider'
import type { Exchange } from './exchanges.ts'
import { said } from './messages.ts'

/** Exchanges that the provider suite lacks: options of the provider, and unusual parts. */
export interface FurtherExchange extends Required<Omit<Exchange, 'failure'>> {
  readonly title: string
}

const inputSchema = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] }
const weather: Tool = { name: 'get_weather', description: 'The weather of a city.', inputSchema }
const wireWeather = { name: 'get_weather', description: 'The weather of a city.', input_schema: inputSchema }
const user = (text: string) => ({ role: 'user' as const, content: text })
const toolUse = (id: string, city: string) => ({ type: 'tool_use' as const, id, name: 'get_weather', input: { city } })
const toolCall = (id: string, city: string) => ({
  type: 'tool_call' as const,
  id,
  name: 'get_weather',
  ...readToolInput(JSON.stringify({ city })),
})
const off = { thinking: { type: 'disabled' as const } }
const hello = [{ type: 'text', text: 'Hello there.', citations: null }]
const mark = (ttl: '5m' | '1h') => ({ cache_control: { type: 'ephemeral' as const, ttl } })

export const furtherExchanges: readonly FurtherExchange[] = [
  {
    title: 'a system prompt with a cache mark',
    request: {
      messages: [
        {
          role: 'system',
          content: [{ type: 'text', text: 'Be brief.', providerOptions: { anthropic: mark('1h') } }],
        },
        said('user', 'Greet me.'),
      ],
    },
    params: {
      system: [{ type: 'text', text: 'Be brief.', ...mark('1h') }],
      messages: [user('Greet me.')],
      ...off,
    },
    reply: {
      content: hello,
      usage: { cache_creation_input_tokens: 2_000, cache_read_input_tokens: 300 } as Message['usage'],
    },
    answer: {
      parts: [{ type: 'text', text: 'Hello there.' }],
      usage: { promptTokens: 2_312, completionTokens: 6, cachedPromptTokens: 300, cacheWriteTokens: 2_000 },
    },
  },
  {
    title: 'images and documents',
    request: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { kind: 'url', url: 'https://example.com/lake.png' } },
            { type: 'image', source: { kind: 'data', data: 'iVBORw0KGgo=', mediaType: 'image/png' } },
            {
              type: 'file',
              source: { kind: 'data', data: 'JVBERi0xLjc=', mediaType: 'application/pdf' },
              filename: 'report.pdf',
            },
            {
              type: 'file',
              source: { kind: 'url', url: 'https://example.com/a.pdf', mediaType: 'application/pdf' },
            },
            { type: 'file', source: { kind: 'data', data: 'TsO8c3Nl', mediaType: 'text/markdown' } },
            { type: 'text', text: 'What is this?' },
          ],
        },
      ],
    },
    params: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'url', url: 'https://example.com/lake.png' } },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            {
              type: 'document',
              title: 'report.pdf',
              source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjc=' },
            },
            { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Nüsse' } },
            { type: 'text', text: 'What is this?' },
          ],
        },
      ],
      ...off,
    },
    reply: { content: hello },
    answer: { parts: [{ type: 'text', text: 'Hello there.' }] },
  },
  {
    title: 'tool results, one of them an error',
    request: {
      messages: [
        said('user', 'Weather in Oslo and Bergen?'),
        { role: 'assistant', content: [toolCall('toolu_01', 'Oslo'), toolCall('toolu_02', 'Bergen')] },
        {
          role: 'tool',
          content: [
            {
              type: 'tool_result',
              toolCallId: 'toolu_01',
              name: 'get_weather',
              content: [
                { type: 'text', text: '4 °C' },
                { type: 'image', source: { kind: 'data', data: 'iVBORw0KGgo=', mediaType: 'image/png' } },
              ],
            },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool_result',
              toolCallId: 'toolu_02',
              name: 'get_weather',
              content: [{ type: 'text', text: 'no such city' }],
              isError: true,
              providerOptions: { anthropic: mark('5m') },
            },
          ],
        },
        said('user', 'In short.'),
      ],
      tools: [weather],
    },
    params: {
      messages: [
        user('Weather in Oslo and Bergen?'),
        { role: 'assistant', content: [toolUse('toolu_01', 'Oslo'), toolUse('toolu_02', 'Bergen')] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_01',
              content: [
                { type: 'text', text: '4 °C' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
              ],
            },
            {
              type: 'tool_result',
              tool_use_id: 'toolu_02',
              content: 'no such city',
              is_error: true,
              ...mark('5m'),
            },
            { type: 'text', text: 'In short.' },
          ],
        },
      ],
      tools: [wireWeather],
      ...off,
    },
    reply: { content: [{ type: 'text', text: '4 °C in Oslo.', citations: null }] },
    answer: { parts: [{ type: 'text', text: '4 °C in Oslo.' }], finishReason: 'stop' },
  },
  {
    title: 'reasoning with signed and redacted thinking',
    request: { model: 'claude-opus-5-5', messages: [said('user', '17 × 23?')], reasoning: { effort: 'high' } },
    params: {
      model: 'claude-opus-5-5',
      messages: [user('17 × 23?')],
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    },
    reply: {
      content: [
        { type: 'thinking', thinking: '17 × 20 + 17 × 3.', signature: 'EqQBCgIYAg' },
        { type: 'redacted_thinking', data: 'EmwKAhgB' },
        { type: 'text', text: '391', citations: null },
      ],
      usage: { output_tokens_details: { thinking_tokens: 4 } } as Message['usage'],
    },
    answer: {
      parts: [
        { type: 'reasoning', text: '17 × 20 + 17 × 3.', providerOptions: { anthropic: { signature: 'EqQBCgIYAg' } } },
        { type: 'reasoning', text: '', providerOptions: { anthropic: { data: 'EmwKAhgB' } } },
        { type: 'text', text: '391' },
      ],
      usage: { promptTokens: 12, completionTokens: 6, cachedPromptTokens: 0, reasoningTokens: 4 },
    },
  },
  {
    title: 'thinking that is sent back, without new thinking',
    request: {
      messages: [
        said('user', 'Weather in Oslo?'),
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: '', providerOptions: { anthropic: { signature: 'EqQBCgIYAg' } } },
            { type: 'reasoning', text: '', providerOptions: { anthropic: { data: 'EmwKAhgB' } } },
            { type: 'text', text: 'Which Oslo?' },
          ],
        },
        said('user', 'In Norway.'),
      ],
      reasoning: { effort: 'none' },
      providerOptions: { anthropic: { metadata: { user_id: 'u1' } } },
    },
    params: {
      messages: [
        user('Weather in Oslo?'),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: '', signature: 'EqQBCgIYAg' },
            { type: 'redacted_thinking', data: 'EmwKAhgB' },
            { type: 'text', text: 'Which Oslo?' },
          ],
        },
        user('In Norway.'),
      ],
      ...off,
      metadata: { user_id: 'u1' },
    },
    reply: {
      content: [{ type: 'text', text: 'I cannot say', citations: null }],
      stop_reason: 'refusal',
    },
    answer: { parts: [{ type: 'text', text: 'I cannot say' }], finishReason: 'refusal' },
  },
]
