import { blankPng, providerSuite } from '@fairlead/core/testing'
import { quill } from './quill.ts'

const request = { model: 'goose', prompt: 'Greet me.', maxTokens: 64, temperature: 0.7 }
const body = { model: 'goose', prompt: 'Greet me.', limit: 64, heat: 0.35 }
const end = { ended: 'done', tokens: { read: 4, written: 2 } }
const answer = {
  content: 'Hello there',
  finishReason: 'stop',
  usage: { promptTokens: 4, completionTokens: 2 },
} as const
const png = Buffer.from(blankPng(512, 512))

// One exchange for each method, as the API documents it: the request, its reply, and the provider's answer.
providerSuite('quill', ({ url, apiKey }) => quill({ baseUrl: url, apiKey }), {
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
})
