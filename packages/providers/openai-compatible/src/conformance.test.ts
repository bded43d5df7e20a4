import { readFileSync } from 'node:fs'
import { blankPng, type RecordedExchange, type RecordedReply } from '@fairlead/testing'
import { type CapabilityReplay, providerSuite, type ProviderSuiteOptions } from '@fairlead/testing/suites'
import { openaiCompatible } from './index.ts'
import { chatExchanges, chatStreamFields } from './testing/chat-exchanges.ts'
import type { OfficialExchange, OfficialExchanges } from './testing/official-exchanges.ts'
import { responsesExchanges, searchExchange } from './testing/responses-exchanges.ts'
import { streamCompletion, streamResponse } from './testing/streamed-replies.ts'

function fixture(name: string): RecordedExchange {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as RecordedExchange
}

/** The exchanges of an API, whole and as a stream. */
function createReplays<Body extends { readonly model?: unknown }, Reply>(
  path: string,
  exchanges: Partial<OfficialExchanges<Body, Reply>> & { readonly webSearch?: OfficialExchange<Body, Reply> },
  streamFields: object,
  streamed: (reply: Reply) => RecordedReply,
): NonNullable<ProviderSuiteOptions['capabilities']> {
  const replays = Object.entries(exchanges).map(([capability, { body, reply, answer }]): [string, CapabilityReplay] => [
    capability,
    {
      request: { model: String(body.model) },
      text: { request: { method: 'POST', path, body }, reply: { json: reply } },
      stream: { request: { method: 'POST', path, body: { ...body, ...streamFields } }, reply: streamed(reply) },
      ...(answer ? { answer } : { failure: 'content_refused' }),
    },
  ])
  return Object.fromEntries(replays)
}

const embedding = {
  request: { model: 'text-embedding-3-small', texts: ['A lake.', 'A river.'] },
  exchange: {
    request: {
      method: 'POST',
      path: '/v1/embeddings',
      body: { model: 'text-embedding-3-small', input: ['A lake.', 'A river.'], encoding_format: 'base64' },
    },
    reply: {
      json: {
        object: 'list',
        // Little-endian floats: 0.5 and -1; 0.25 and 2.
        data: [
          { object: 'embedding', index: 0, embedding: 'AAAAPwAAgL8=' },
          { object: 'embedding', index: 1, embedding: 'AACAPgAAAEA=' },
        ],
        model: 'text-embedding-3-small',
        usage: { prompt_tokens: 6, total_tokens: 6 },
      },
    },
  },
  answer: {
    embeddings: [
      [0.5, -1],
      [0.25, 2],
    ],
    promptTokens: 6,
  },
}

const skip = { 'has a replay of stopSequence': 'OpenAI does not name the stop sequence' }
const png = Buffer.from(blankPng(1536, 1024))

providerSuite(
  'openai-compatible',
  ({ url, apiKey }) => openaiCompatible({ preset: 'openai', baseUrl: `${url}/v1`, apiKey }),
  {
    replay: {
      text: {
        request: { model: 'gpt-4.1-mini', prompt: 'Write a haiku about rain.' },
        exchange: fixture('text'),
        answer: {
          parts: [{ type: 'text', text: 'Rain on the tin roof,\nthe gutters speak all at once.\nI put down my book.' }],
          finishReason: 'stop',
          usage: { promptTokens: 13, completionTokens: 21, cachedPromptTokens: 4 },
        },
      },
      stream: {
        request: { model: 'gpt-4.1-mini' },
        exchange: fixture('stream'),
        answer: {
          parts: [{ type: 'text', text: 'Good morning!' }],
          finishReason: 'stop',
          usage: { promptTokens: 9, completionTokens: 3 },
        },
      },
      image: {
        request: { model: 'gpt-image-1.5', prompt: 'A lake at dawn.', width: 1536, height: 1024 },
        exchange: {
          request: {
            method: 'POST',
            path: '/v1/images/generations',
            body: { model: 'gpt-image-1.5', prompt: 'A lake at dawn.', n: 1, size: '1536x1024', quality: 'medium' },
          },
          reply: {
            json: {
              created: 1795248832,
              background: 'opaque',
              data: [{ b64_json: png.toString('base64') }],
              output_format: 'png',
              quality: 'medium',
              size: '1536x1024',
              usage: {
                input_tokens: 12,
                output_tokens: 1584,
                total_tokens: 1596,
                input_tokens_details: { image_tokens: 0, text_tokens: 12 },
              },
            },
          },
        },
        answer: { png, promptTokens: 12 },
      },
      embedding,
    },
    capabilities: createReplays('/v1/chat/completions', chatExchanges, chatStreamFields, streamCompletion),
    skip,
  },
)

const greeting = { model: 'gpt-6.1-sol', prompt: 'Greet me.' }
const greetingBody = {
  model: 'gpt-6.1-sol',
  input: [{ role: 'user', content: 'Greet me.' }],
  store: false,
  max_output_tokens: 64,
  reasoning: { effort: 'low' },
  include: ['reasoning.encrypted_content'],
}
const { reply: greeted, answer: greetingAnswer } = responsesExchanges.chat
const cutOff = { ...greeted, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } } as const
/** In one piece, because the suite exchanges the first of the longest texts. */
const inOnePiece = (text: string) => [text]

providerSuite(
  'openai-compatible with the Responses API',
  ({ url, apiKey }) => {
    const options = {
      preset: 'openai',
      baseUrl: `${url}/v1`,
      apiKey,
      dialect: { responses: true },
      allow: ['web_search'],
    } as const
    // The suite above tests them.
    const { generateImage: _image, embed: _embed, ...texts } = openaiCompatible(options)
    return texts
  },
  {
    requests: { text: { model: 'gpt-6.1-sol' } },
    replay: {
      text: {
        request: greeting,
        exchange: {
          request: { method: 'POST', path: '/v1/responses', body: greetingBody },
          reply: { json: greeted },
        },
        answer: greetingAnswer!,
        cutOff: { json: cutOff },
      },
      stream: {
        request: greeting,
        exchange: {
          request: { method: 'POST', path: '/v1/responses', body: { ...greetingBody, stream: true } },
          reply: streamResponse(greeted, inOnePiece),
        },
        answer: greetingAnswer!,
        cutOff: streamResponse(cutOff),
      },
    },
    capabilities: createReplays(
      '/v1/responses',
      { ...responsesExchanges, webSearch: searchExchange },
      { stream: true },
      (reply) => streamResponse(reply),
    ),
    skip,
  },
)
