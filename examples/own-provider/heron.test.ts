import { textAnswer } from '@fairlead/core/provider'
import { blankPng } from '@fairlead/testing'
import { providerSuite, suiteApiKey } from '@fairlead/testing/suites'
import { heron } from './heron.ts'

const tokenRequest = {
  name: 'token request',
  request: {
    method: 'POST',
    path: '/token',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_secret: suiteApiKey }).toString(),
  },
  reply: { json: { access_token: 'token-Jq7Vw2Zr9Xb4', expires_in: 3_600 } },
}
const png = Buffer.from(blankPng(512, 512))
const ask = { method: 'GET', path: '/drawings/drawing-4711' }

providerSuite('heron', ({ url, apiKey }) => heron({ baseUrl: url, apiKey, everyMs: 1 }), {
  // CI runs all tests.
  quick: process.env['CI'] === undefined,
  secretIn: 'token request',
  replay: {
    stream: {
      request: { model: 'reed', prompt: 'Greet me.', maxTokens: 64, temperature: 0.7 },
      exchanges: [
        tokenRequest,
        {
          request: {
            method: 'POST',
            path: '/write',
            body: { model: 'reed', prompt: 'Greet me.', limit: 64, heat: 0.7, share: 1 },
          },
          reply: {
            lines: [{ piece: 'Hello' }, { piece: ' there' }, { end: 'done', tokens: { read: 4, written: 2 } }],
          },
        },
      ],
      answer: textAnswer('Hello there', { usage: { promptTokens: 4, completionTokens: 2 } }),
    },
    image: {
      request: { model: 'lake', prompt: 'A lake at dawn.', width: 512, height: 512 },
      exchanges: [
        tokenRequest,
        {
          request: {
            method: 'POST',
            path: '/drawings',
            body: { model: 'lake', prompt: 'A lake at dawn.', wide: 512, high: 512 },
          },
          reply: { json: { id: 'drawing-4711' } },
        },
        { request: ask, reply: { json: { state: 'drawing' } } },
        { main: true, request: ask, reply: { json: { state: 'drawn', png: png.toString('base64') } } },
      ],
      failing: { json: { state: 'failed', reason: 'The ink ran dry.' } },
      answer: { png },
    },
  },
})
