import { createOpenAI } from '@ai-sdk/openai'
import { textAnswer } from '@fairlead/core/provider'
import { blankPng } from '@fairlead/testing'
import { providerSuite } from '@fairlead/testing/suites'
import { aiSdk, boundedFetch } from './index.ts'
import { chatCompletions } from './testing/chat-completions.ts'

const request = { model: 'gpt-4o-mini', prompt: 'Greet me.', maxTokens: 64, temperature: 0.7 }
const body = {
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'Greet me.' }],
  max_tokens: 64,
  temperature: 0.7,
}
const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 }
const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'gpt-4o-mini' }
const answer = textAnswer('Hello there', {
  usage: { promptTokens: 9, completionTokens: 2, native: { 'ai-sdk': usage } },
  response: { id: 'chatcmpl-1', model: 'gpt-4o-mini' },
})

function choice(delta: object, finish_reason: string | null = null) {
  return { ...chunk, choices: [{ index: 0, delta, finish_reason }] }
}

providerSuite(
  'ai-sdk over @ai-sdk/openai',
  ({ url, apiKey }) => {
    const openai = createOpenAI({ baseURL: url, apiKey, fetch: boundedFetch({ maxBytes: 4 * 1024 * 1024 }) })
    return aiSdk({
      models: [
        { model: openai.chat('gpt-4o-mini'), structured: true },
        { model: openai.image('gpt-image-1'), sizes: ['256x256'] },
        { model: openai.embedding('text-embedding-3-small'), embedding: { dimensions: 1_536, minDimensions: 256 } },
      ],
    })
  },
  {
    capabilities: chatCompletions,
    skip: {
      'has a replay of stopSequence': 'the AI SDK does not name the stop sequence',
      'reads the vectors in the order of their index (embedding)': '@ai-sdk/openai ignores the index',
    },
    replay: {
      embedding: {
        request: { model: 'text-embedding-3-small', texts: ['A lake.', 'A hill.'] },
        exchange: {
          request: {
            method: 'POST',
            path: '/embeddings',
            body: { model: 'text-embedding-3-small', input: ['A lake.', 'A hill.'], encoding_format: 'float' },
          },
          reply: {
            json: {
              object: 'list',
              data: [
                { object: 'embedding', index: 0, embedding: [0.25, -0.5] },
                { object: 'embedding', index: 1, embedding: [-0.75, 0.5] },
              ],
              model: 'text-embedding-3-small',
              usage: { prompt_tokens: 6, total_tokens: 6 },
            },
          },
        },
        answer: {
          embeddings: [
            [0.25, -0.5],
            [-0.75, 0.5],
          ],
          promptTokens: 6,
        },
      },
      text: {
        request,
        exchange: {
          request: { method: 'POST', path: '/chat/completions', body },
          reply: {
            json: {
              id: 'chatcmpl-1',
              object: 'chat.completion',
              created: 1_760_000_000,
              model: 'gpt-4o-mini',
              choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
              usage,
            },
          },
        },
        answer,
      },
      stream: {
        request,
        exchange: {
          request: {
            method: 'POST',
            path: '/chat/completions',
            body: { ...body, stream: true, stream_options: { include_usage: true } },
          },
          reply: {
            events: [
              { data: choice({ role: 'assistant', content: 'Hello' }) },
              { data: choice({ content: ' there' }) },
              { data: choice({}, 'stop') },
              { data: { ...chunk, choices: [], usage } },
              { data: '[DONE]' },
            ],
          },
        },
        answer,
      },
      image: {
        request: { model: 'gpt-image-1', prompt: 'A lake', width: 256, height: 256 },
        exchange: {
          request: {
            method: 'POST',
            path: '/images/generations',
            body: { model: 'gpt-image-1', prompt: 'A lake', n: 1, size: '256x256' },
          },
          reply: {
            json: { created: 1_760_000_000, data: [{ b64_json: Buffer.from(blankPng(256, 256)).toString('base64') }] },
          },
        },
        answer: {},
      },
    },
  },
)
