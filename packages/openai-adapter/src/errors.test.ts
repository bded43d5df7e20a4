import { failing, scripted, fakeTextModel } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

const body = { model: 'any', messages: [{ role: 'user', content: 'Hi' }] }

describe('an error of the OpenAI surface', () => {
  test.each<[string, object, number, object]>([
    ['an unknown model', { model: 'gpt-9' }, 404, { param: 'model', code: 'model_not_found' }],
    ['a missing model', { model: undefined }, 400, { param: 'model', code: null }],
    ['a field of another type', { temperature: 'hot' }, 400, { param: 'temperature', code: null }],
  ])('an error of the OpenAI surface is that of OpenAI for %s', async (_case, change, status, error) => {
    const { ask } = await serve()
    const reply = await ask('/chat/completions', { ...body, ...change })
    expect(reply.status).toBe(status)
    expect(reply.json).toEqual({ error: { message: expect.any(String), type: 'invalid_request_error', ...error } })
  })

  test('an error of the OpenAI surface suggests the model that an unknown id was probably meant for', async () => {
    const known = { ...scripted('calm', 'hi'), models: [fakeTextModel({ id: 'gpt-5.4' })] }
    const { ask } = await serve({ providers: [known] })
    const { json } = await ask('/chat/completions', { ...body, model: 'gpt-54' })
    expect(json.error.message).toBe('model: unknown model "gpt-54"; did you mean "gpt-5.4"?')
  })

  test('an error of the OpenAI surface is context_length_exceeded if no prompt of this length fits', async () => {
    const small = { ...scripted('calm', 'hi'), models: [fakeTextModel({ contextSize: 10 })] }
    const { ask } = await serve({ providers: [small] })
    const messages = [{ role: 'user', content: 'a'.repeat(161) }]
    const { status, json } = await ask('/chat/completions', { ...body, messages })
    expect([status, json.error.param, json.error.code]).toEqual([400, 'messages', 'context_length_exceeded'])
  })

  test('an error of the OpenAI surface is context_length_exceeded if the provider finds the prompt too long', async () => {
    const { ask } = await serve({ providers: [failing('small', 'too_long')] })
    const { status, json } = await ask('/chat/completions', body)
    expect([status, json.error.param, json.error.code]).toEqual([400, 'messages', 'context_length_exceeded'])
  })

  test('an error of the OpenAI surface is content_filter if the provider refuses the content', async () => {
    const { ask } = await serve({ providers: [failing('prude', 'content_refused')] })
    const { status, json } = await ask('/chat/completions', body)
    expect([status, json.error.code]).toEqual([400, 'content_filter'])
  })

  test('an error of the OpenAI surface is insufficient_quota, which clients must not retry, after the monthly quota', async () => {
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

  test('an error of the OpenAI surface tells clients not to retry with a wrong key', async () => {
    const { ask } = await serve()
    const { status, headers } = await ask('/chat/completions', body, { authorization: 'Bearer fl_wrong' })
    expect([status, headers.get('x-should-retry')]).toEqual([401, 'false'])
  })

  test('an error of the OpenAI surface says when to retry if the upstream is at its limit', async () => {
    const { ask } = await serve({ providers: [failing('busy', 'rate_limited', { retryAfterMs: 7_000 })] })
    const { status, headers, json } = await ask('/chat/completions', body)
    expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([429, '7', null])
    expect(json.error.code).toBe('rate_limit_exceeded')
  })

  test('an error of the OpenAI surface is 503 if the upstream is overloaded', async () => {
    const { ask } = await serve({ providers: [failing('busy', 'retry', { upstream: { status: 529 } })] })
    expect(await ask('/chat/completions', body)).toMatchObject({
      status: 503,
      json: { error: { type: 'server_error' } },
    })
  })

  test('an error of the OpenAI surface is 404 with the code model_not_found if the upstream does not have the model', async () => {
    const options = { field: 'model', detail: 'The model `any` does not exist.' }
    const { ask } = await serve({ providers: [failing('one', 'give_up', options)] })
    expect(await ask('/chat/completions', body)).toMatchObject({
      status: 404,
      json: {
        error: { code: 'model_not_found', message: 'model: unknown model "any": The model `any` does not exist.' },
      },
    })
  })

  test.each([
    ['prompt', 'messages[1].content[0].image_url', 'messages[1].content[0].image_url'],
    [undefined, 'logit_bias', 'logit_bias'],
    ['reasoning', 'reasoning.effort', 'reasoning_effort'],
  ])(
    'an error of the OpenAI surface has the code of the upstream, and its param for the field %s: %s',
    async (field, param, expected) => {
      const upstream = { status: 400, code: 'invalid_value', param }
      const { ask } = await serve({ providers: [failing('one', 'invalid_request', { field, upstream })] })
      const { json } = await ask('/chat/completions', body)
      expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_value', param: expected })
    },
  )

  test('an error of the OpenAI surface has the upstream’s id of the request in a header', async () => {
    const upstream = { status: 500, requestId: 'req_abc' }
    const { ask } = await serve({ providers: [failing('one', 'retry', { upstream })] })
    expect((await ask('/chat/completions', body)).headers.get('x-upstream-request-id')).toBe('req_abc')
  })

  test('an error of the OpenAI surface does not have the code of an upstream that rejected the operator’s key', async () => {
    const upstream = { status: 401, code: 'invalid_api_key' }
    const { ask } = await serve({ providers: [failing('one', 'credential', { upstream })] })
    expect(await ask('/chat/completions', body)).toMatchObject({ status: 502, json: { error: { code: null } } })
  })

  test('an error of the OpenAI surface is unknown_url for a path that is not there', async () => {
    const { ask } = await serve()
    const { status, json } = await ask('/audio/speech', {})
    expect([status, json.error.code, json.error.message]).toEqual([
      404,
      'unknown_url',
      'Unknown request URL: POST /audio/speech.',
    ])
  })

  test('an error of the OpenAI surface has a request id', async () => {
    const { ask } = await serve()
    const { headers } = await ask('/chat/completions', {}, {})
    expect(headers.get('x-request-id')).toMatch(/^req_\d+$/)
  })
})
