import { scripted } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

const serve = () => serveApp({ core: { providers: [scripted('calm', 'hello there')] } })
const json = { 'content-type': 'application/json' }
const body = JSON.stringify({ model: 'any', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] })

describe('the root of the service as the base URL of an Anthropic client', () => {
  test.each([
    ['/v1/messages', { type: 'message', content: [{ type: 'text', text: 'hello there' }] }],
    ['/v1/messages/count_tokens', { input_tokens: expect.any(Number) }],
  ])(
    'the root of the service as the base URL of an Anthropic client has %s in the form of Anthropic',
    async (path, expected) => {
      const { url, caller } = await serve()
      const headers = { ...json, 'x-api-key': String(caller.token) }
      const response = await fetch(url + path, { method: 'POST', headers, body })
      expect(await response.json()).toMatchObject(expected)
    },
  )

  test('the root of the service as the base URL of an Anthropic client has errors in the form of Anthropic', async () => {
    const { ask } = await serve()
    const response = await ask('/v1/messages', { method: 'POST', headers: json, body: '{}' })
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ type: 'error', request_id: expect.any(String) }),
    ])
  })
})

describe('an unknown path that ends as one of OpenAI', () => {
  test.each([
    '/openai/chat/completions',
    '/openai/v1/v1/chat/completions',
    '/v1/v1/responses',
    '/chat/completions',
    '/v1/chat/completions/chat/completions',
    '/openai//v1/embeddings/',
    '/anthropic/v1/chat/completions',
    '/openai/models',
  ])('an unknown path that ends as one of OpenAI names its base URL: %s', async (path) => {
    const { ask } = await serve()
    const response = await ask(path, { method: 'POST', headers: json, body })
    const { error } = (await response.json()) as { error: { message: string } }
    expect([response.status, error.message]).toEqual([
      404,
      expect.stringContaining("For OpenAI's clients, the base URL is https://ai.example.com/openai/v1."),
    ])
  })
})

describe('an unknown path that ends as one of Anthropic', () => {
  test.each([
    '/anthropic/messages',
    '/anthropic/v1/v1/messages',
    '/v1/v1/messages/count_tokens',
    '/messages',
    '/openai/v1/messages',
    '/anthropic//v1/messages',
    '/anthropic/models',
  ])('an unknown path that ends as one of Anthropic names its base URL: %s', async (path) => {
    const { ask } = await serve()
    const response = await ask(path, { method: 'POST', headers: json, body })
    const { error } = (await response.json()) as { error: { message: string } }
    expect([response.status, error.message]).toEqual([
      404,
      expect.stringContaining("For Anthropic's clients, the base URL is https://ai.example.com/anthropic."),
    ])
  })
})

test('an unknown path that ends as none names no base URL', async () => {
  const { ask } = await serve()
  const { error } = (await (await ask('/nothing')).json()) as { error: { message: string } }
  expect(error.message).not.toContain('base URL')
})
