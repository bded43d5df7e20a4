import type { RecordedEvent } from '@fairlead/testing'
import { type CapabilityReplay, providerSuite } from '@fairlead/testing/suites'
import { anthropic } from './index.ts'
import { type Exchange, exchanges } from './testing/exchanges.ts'
import { toEvents, wireMessage } from './testing/messages.ts'

/** The example replies of the Messages API reference and of the streaming guide. */

const usage = {
  input_tokens: 11,
  output_tokens: 6,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens_details: null,
  service_tier: 'standard',
}

const message = {
  id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-5-5',
  container: null,
  content: [{ type: 'text', text: 'Hello from the lake.', citations: null }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  stop_details: null,
  usage,
}

const events: readonly RecordedEvent[] = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' from the lake.' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null, container: null },
    usage: { output_tokens: 6, input_tokens: null, cache_creation_input_tokens: null, cache_read_input_tokens: null },
  },
  { type: 'message_stop' },
].map((data) => ({ event: data.type, data }))

const request = { model: 'claude-haiku-5-5', prompt: 'Greet me.', maxTokens: 64 }
const body = {
  model: 'claude-haiku-5-5',
  max_tokens: 64,
  messages: [{ role: 'user', content: 'Greet me.' }],
  thinking: { type: 'disabled' },
}
const answer = {
  parts: [{ type: 'text', text: 'Hello from the lake.' }],
  finishReason: 'stop',
  usage: { promptTokens: 11, completionTokens: 6, cachedPromptTokens: 0 },
} as const

const sent = { method: 'POST', path: '/v1/messages' }

function toReplay({ request: differing, params, reply, answer: expected, failure }: Exchange): CapabilityReplay {
  const { model = 'claude-haiku-5-5', ...fields } = params
  const whole = { model, max_tokens: 128_000, ...fields }
  const replied = wireMessage(reply)
  return {
    request: { model, ...differing },
    text: { request: { ...sent, body: whole }, reply: { json: replied } },
    stream: { request: { ...sent, body: { ...whole, stream: true } }, reply: { events: toEvents(replied) } },
    ...(expected && { answer: expected }),
    ...(failure && { failure }),
  }
}

providerSuite(
  'anthropic',
  ({ url, apiKey }) => anthropic({ baseUrl: url, apiKey, models: 'fetched', allow: ['web_search'] }),
  {
    replay: {
      text: { request, exchange: { request: { ...sent, body }, reply: { json: message } }, answer },
      stream: {
        request,
        exchange: { request: { ...sent, body: { ...body, stream: true } }, reply: { events } },
        answer,
      },
    },
    skip: {
      'leaves out maxTokens when it is absent (text)': 'the API requires max_tokens',
      'leaves out maxTokens when it is absent (stream)': 'the API requires max_tokens',
      'sends strict of a responseFormat or warns (text)': 'the API enforces every schema',
      'sends strict of a responseFormat or warns (stream)': 'the API enforces every schema',
    },
    capabilities: Object.fromEntries(Object.entries(exchanges).map(([name, exchange]) => [name, toReplay(exchange)])),
  },
)
