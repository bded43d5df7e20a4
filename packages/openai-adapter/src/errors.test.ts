import { failing, scripted, textModel } from '@fairlead/core/testing'
import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const body = { model: 'any', messages: [{ role: 'user', content: 'Hi' }] }

describe('an error of the OpenAI surface', () => {
  test.each<[string, object, number, object]>([
    ['an unknown model', { model: 'gpt-9' }, 404, { param: 'model', code: 'model_not_found' }],
    ['a missing model', { model: undefined }, 400, { param: 'model', code: null }],
    ['a field of another type', { temperature: 'hot' }, 400, { param: 'temperature', code: null }],
  ])('is that of OpenAI for %s', async (_case, change, status, error) => {
    const { ask } = await serve()
    const reply = await ask('/chat/completions', { ...body, ...change })
    expect(reply.status).toBe(status)
    expect(reply.json).toEqual({ error: { message: expect.any(String), type: 'invalid_request_error', ...error } })
  })

  test('is context_length_exceeded if no prompt of this length fits', async () => {
    const small = { ...scripted('calm', 'hi'), models: [textModel({ contextSize: 10 })] }
    const { ask } = await serve({ providers: [small] })
    const messages = [{ role: 'user', content: 'a'.repeat(161) }]
    const { status, json } = await ask('/chat/completions', { ...body, messages })
    expect([status, json.error.param, json.error.code]).toEqual([400, 'messages', 'context_length_exceeded'])
  })

  test('is context_length_exceeded if the provider finds the prompt too long', async () => {
    const { ask } = await serve({ providers: [failing('small', 'too_long')] })
    const { status, json } = await ask('/chat/completions', body)
    expect([status, json.error.param, json.error.code]).toEqual([400, 'messages', 'context_length_exceeded'])
  })

  test('is content_filter if the provider refuses the content', async () => {
    const { ask } = await serve({ providers: [failing('prude', 'content_refused')] })
    const { status, json } = await ask('/chat/completions', body)
    expect([status, json.error.code]).toEqual([400, 'content_filter'])
  })

  test('is insufficient_quota, which clients must not retry, after the monthly quota', async () => {
    const { ask, addCaller } = await serve()
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: 1 } })
    const headers = { authorization: `Bearer ${credentials.token}` }
    await ask('/chat/completions', body, headers)
    const reply = await ask('/chat/completions', body, headers)
    expect([reply.status, reply.json.error.type, reply.json.error.code]).toEqual([
      429,
      'insufficient_quota',
      'insufficient_quota',
    ])
    expect(reply.headers.get('x-should-retry')).toBe('false')
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('tells clients not to retry with a wrong key', async () => {
    const { ask } = await serve()
    const { status, headers } = await ask('/chat/completions', body, { authorization: 'Bearer fl_wrong' })
    expect([status, headers.get('x-should-retry')]).toEqual([401, 'false'])
  })

  test('says when to retry if the provider is busy', async () => {
    const { ask } = await serve({ providers: [failing('busy', 'rate_limited', { retryAfterMs: 7_000 })] })
    const { status, headers } = await ask('/chat/completions', body)
    expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([503, '7', null])
  })

  test('is unknown_url for a path that is not there', async () => {
    const { ask } = await serve()
    const { status, json } = await ask('/audio/speech', {})
    expect([status, json.error.code, json.error.message]).toEqual([
      404,
      'unknown_url',
      'Unknown request URL: POST /audio/speech.',
    ])
  })

  test('has a request id', async () => {
    const { ask } = await serve()
    const { headers } = await ask('/chat/completions', {}, {})
    expect(headers.get('x-request-id')).toMatch(/^req_\d+$/)
  })
})
