import { textAnswer } from '@fairlead/core/provider'
import { blankPng } from '@fairlead/testing'
import { providerSuite } from '@fairlead/testing/suites'
import { google } from './index.ts'
import { recordedCapabilities } from './testing/recorded-capabilities.ts'

/** Replies as the reference of `generateContent` and the guides of text and image generation show them. */

const usageMetadata = {
  promptTokenCount: 4,
  candidatesTokenCount: 5,
  totalTokenCount: 9,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 4 }],
}
const facts = { usageMetadata, modelVersion: 'gemini-2.5-flash', responseId: 'kZgpaYm3N' }

function reply(text: string, finish: object) {
  return { candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...finish }], ...facts }
}

const request = { model: 'gemini-2.5-flash', prompt: 'Greet me.', maxTokens: 64 }
const body = {
  contents: [{ role: 'user', parts: [{ text: 'Greet me.' }] }],
  generationConfig: { maxOutputTokens: 64, temperature: 0.7, topP: 1, thinkingConfig: { thinkingBudget: 0 } },
}
const answer = textAnswer('Hello from the lake.', {
  usage: { promptTokens: 4, completionTokens: 5, cachedPromptTokens: 0, native: { google: usageMetadata } },
  response: { id: 'kZgpaYm3N', model: 'gemini-2.5-flash' },
})

const pathOf = (model: string, method: string) => `/v1beta/models/${model}:${method}`
const textPath = pathOf('gemini-2.5-flash', 'generateContent')
const streamPath = pathOf('gemini-2.5-flash', 'streamGenerateContent?alt=sse')
const imagePath = pathOf('gemini-nano-banana-2.1', 'generateContent')
const embedPath = pathOf('gemini-embedding-2', 'batchEmbedContents')
const embedding = (text: string) => ({
  model: 'models/gemini-embedding-2',
  content: { role: 'user', parts: [{ text }] },
})
const png = Buffer.from(blankPng(1024, 1024)).toString('base64')

providerSuite(
  'google',
  ({ url, apiKey }) => google({ baseUrl: `${url}/v1beta`, apiKey, models: 'fetched', allow: ['googleSearch'] }),
  {
    capabilities: recordedCapabilities,
    skip: {
      'has a replay of stopSequence': 'the API does not name the stop sequence',
      'sends strict of a responseFormat or warns (text)': 'the API enforces every schema',
      'sends strict of a responseFormat or warns (stream)': 'the API enforces every schema',
    },
    replay: {
      text: {
        request,
        exchange: {
          request: { method: 'POST', path: textPath, body },
          reply: { json: reply('Hello from the lake.', { finishReason: 'STOP' }) },
        },
        answer,
      },
      stream: {
        request,
        exchange: {
          request: { method: 'POST', path: streamPath, body },
          reply: {
            events: [
              { data: reply('Hello', {}) },
              { data: reply(' from the', {}) },
              { data: reply(' lake.', { finishReason: 'STOP' }) },
            ],
          },
        },
        answer,
      },
      embedding: {
        request: { model: 'gemini-embedding-2', texts: ['A lake.', 'A hill.'] },
        exchange: {
          request: {
            method: 'POST',
            path: embedPath,
            body: { requests: [embedding('A lake.'), embedding('A hill.')] },
          },
          reply: {
            json: {
              embeddings: [{ values: [0.25, -0.5, 0.125] }, { values: [-0.75, 0.5, 1] }],
              usageMetadata: { promptTokenCount: 6 },
            },
          },
        },
        answer: {
          embeddings: [
            [0.25, -0.5, 0.125],
            [-0.75, 0.5, 1],
          ],
          promptTokens: 6,
        },
      },
      image: {
        request: { model: 'gemini-nano-banana-2.1', width: 1024, height: 1024, prompt: 'A lake at dawn.' },
        exchange: {
          request: {
            method: 'POST',
            path: imagePath,
            body: {
              contents: [{ role: 'user', parts: [{ text: 'A lake at dawn.' }] }],
              generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '1:1' } },
            },
          },
          reply: {
            json: {
              candidates: [
                {
                  content: { parts: [{ inlineData: { mimeType: 'image/png', data: png } }], role: 'model' },
                  finishReason: 'STOP',
                  index: 0,
                },
              ],
              usageMetadata: {
                ...usageMetadata,
                candidatesTokenCount: 1_120,
                candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_120 }],
              },
            },
          },
        },
        answer: { promptTokens: 4 },
      },
    },
  },
)
