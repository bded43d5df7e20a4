import { type ErrorCode, FairleadError } from '@fairlead/core'
import { errorCodes } from '@fairlead/core/adapter'
import { failing, withOutages, testStores } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { errorStatus } from '@fairlead/http'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const asked = { prompt: 'greet me', model: 'any' }

  /** Serves a page that throws an error: all error responses have the same form. */
  async function failingWith(error: unknown) {
    const service = await serve({
      pages: [
        {
          path: '/fail',
          respond: () => {
            throw error
          },
        },
      ],
    })
    return { ...service, reply: await service.ask('GET', '/fail') }
  }

  describe('an error response', () => {
    test.each<[ErrorCode, number]>([
      ['INVALID_REQUEST', 400],
      ['CONTENT_REFUSED', 400],
      ['UNAUTHORIZED', 401],
      ['FORBIDDEN', 403],
      ['NOT_FOUND', 404],
      ['METHOD_NOT_ALLOWED', 405],
      ['CONFLICT', 409],
      ['PRECONDITION_FAILED', 412],
      ['PAYLOAD_TOO_LARGE', 413],
      ['UNSUPPORTED_MEDIA_TYPE', 415],
      ['IDEMPOTENCY_KEY_REUSED', 422],
      ['QUOTA_EXCEEDED', 429],
      ['RATE_LIMIT_EXCEEDED', 429],
      ['INTERNAL_ERROR', 500],
      ['PROVIDER_ERROR', 502],
      ['PROVIDER_UNAVAILABLE', 503],
      ['SERVICE_UNAVAILABLE', 503],
      ['PROVIDER_TIMEOUT', 504],
    ])('an error response for %s has status %i and the documented error envelope', async (code, status) => {
      const { reply, accessLog } = await failingWith(new FairleadError(code, 'What went wrong.'))
      expect(reply.status).toBe(status)
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(reply.json).toEqual({
        success: false,
        error: { code, message: 'What went wrong.', details: { field: null, issue: null, issues: [] } },
        meta: { request_id: expect.stringMatching(/^req_\d+$/), timestamp: '2026-03-14T09:26:53.589Z' },
      })
      await expect.poll(() => accessLog[0]).toMatchObject({ status, code, route: '/fail' })
    })

    test('an error response has a status for every code', () => {
      expect(Object.keys(errorStatus).sort()).toEqual([...errorCodes].sort())
    })

    test('an error response rounds Retry-After up to whole seconds', async () => {
      const { reply } = await failingWith(new FairleadError('SERVICE_UNAVAILABLE', 'Busy.', { retryAfterMs: 1_001 }))
      expect(reply.headers.get('retry-after')).toBe('2')
    })

    test('an error response sends X-Should-Retry: false only if the quota is used up', async () => {
      const monthly = await failingWith(new FairleadError('QUOTA_EXCEEDED', 'Used up.', { retryAfterMs: 1 }))
      const burst = await failingWith(new FairleadError('RATE_LIMIT_EXCEEDED', 'Too fast.', { retryAfterMs: 1 }))
      expect(monthly.reply.headers.get('x-should-retry')).toBe('false')
      expect(burst.reply.headers.has('x-should-retry')).toBe(false)
      expect(burst.reply.headers.get('retry-after')).toBe('1')
    })
  })

  describe('a provider that fails', () => {
    test.each([
      ['retry', 502, 'PROVIDER_ERROR'],
      ['rate_limited', 429, 'RATE_LIMIT_EXCEEDED'],
      ['timeout', 504, 'PROVIDER_TIMEOUT'],
      ['credential', 502, 'PROVIDER_ERROR'],
      ['invalid_request', 400, 'INVALID_REQUEST'],
      ['content_refused', 400, 'CONTENT_REFUSED'],
      ['give_up', 502, 'PROVIDER_ERROR'],
    ] as const)('a provider that fails with %s returns %i and names the provider', async (failure, status, code) => {
      const { ask } = await serve({ providers: [failing('down', failure)] })
      for (const [path, body] of [
        ['/generate', asked],
        ['/v1/generate/image', { prompt: 'a lake', model: 'picture' }],
      ] as const) {
        const reply = await ask('POST', path, { body })
        expect([reply.status, reply.json.error.code]).toEqual([status, code])
        expect(reply.json.error.details).toMatchObject({ provider: 'down', attempts: 1 })
        expect(reply.json).not.toHaveProperty('data')
      }
    })

    test('a provider that fails includes Retry-After when the provider is rate-limited', async () => {
      const { ask } = await serve({ providers: [failing('busy', 'rate_limited', { retryAfterMs: 4_200 })] })
      expect((await ask('POST', '/generate', { body: asked })).headers.get('retry-after')).toBe('5')
    })
  })

  describe('an unavailable store', () => {
    test('an unavailable store returns 503 with Retry-After, without the message of the store', async () => {
      const stores = withOutages(testStores())
      const { ask } = await serve({ stores })
      stores.failNext(10)
      const { status, headers, json } = await ask('POST', '/generate', { body: asked })
      expect([status, json.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(headers.get('retry-after')).toBe('1')
    })
  })

  describe('the response to an unexpected error', () => {
    const inside = 'connect ECONNREFUSED 10.1.2.3:5432 /srv/fairlead/node_modules/pg/lib/client.js'

    test.each([
      ['an error', new Error(inside)],
      ['an error with a cause', new Error('failed', { cause: new Error(inside) })],
      ['a driver’s error', Object.assign(new Error(inside), { code: '22P05', detail: inside, query: inside })],
      ['a text', inside],
      ['nothing', undefined],
    ])('the response to an unexpected error reveals no internals: %s', async (_case, error) => {
      const { reply, logged } = await failingWith(error)
      expect(reply.status).toBe(500)
      expect(reply.json.error).toEqual({
        code: 'INTERNAL_ERROR',
        message: 'Internal server error. Quote the request id when you contact support.',
        details: { field: null, issue: null, issues: [] },
      })
      expect(reply.text).not.toMatch(/ECONNREFUSED|10\.1\.2\.3|node_modules|\.js|\bat /)
      expect([...reply.headers].join()).not.toMatch(/ECONNREFUSED|node_modules/)
      expect(logged).toMatchObject([{ level: 'error', facts: { requestId: reply.json.meta.request_id, error } }])
    })

    test('the response to an unexpected error reveals nothing that a provider or a store threw', async () => {
      const provider = { ...failing('down', 'retry'), generateText: () => Promise.reject(new Error(inside)) }
      const { ask } = await serve({ providers: [provider] })
      const { status, text } = await ask('POST', '/generate', { body: asked })
      expect(status).toBe(502)
      expect(text).not.toContain('ECONNREFUSED')
    })
  })
})
