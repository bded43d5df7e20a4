import { describe, expect, test } from 'vitest'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const missing = 'This requires an API key: send it as "Authorization: Bearer <API key>".'
  const mistyped = 'The API key is malformed or mistyped.'

  describe('the Authorization header', () => {
    test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
      'the Authorization header accepts the scheme in any case: %s',
      async (scheme) => {
        const { ask, caller } = await serve()
        const { status } = await ask('GET', '/models', { headers: { authorization: `${scheme} ${caller.token}` } })
        expect(status).toBe(200)
      },
    )

    test.each([
      ['is missing', undefined, missing],
      ['is empty', '', missing],
      ['has no token', 'Bearer', missing],
      ['has another scheme', 'Basic Zmw6', missing],
      ['has no scheme', 'fl_token', missing],
      ['has two tokens', 'Bearer fl_a fl_b', missing],
      ['runs scheme and token together', 'Bearer:fl_token', missing],
      ['has a token that is not an API key', 'Bearer hunter2', mistyped],
      ['has a mistyped key', `Bearer fl_${'0'.repeat(49)}`, mistyped],
      ['has a token of 8,000 characters', `Bearer ${'x'.repeat(8_000)}`, mistyped],
    ])('a request returns 401 if its Authorization header %s', async (_case, authorization, message) => {
      const { ask } = await serve()
      for (const [method, path] of [
        ['GET', '/models'],
        ['POST', '/generate'],
        ['POST', '/v1/generate/image'],
        ['POST', '/api/v1/analyze'],
      ] as const) {
        const { status, headers, json } = await ask(method, path, { headers: { authorization } })
        expect(status).toBe(401)
        expect(headers.get('www-authenticate')).toBe('Bearer')
        expect(json.error).toEqual({
          code: 'UNAUTHORIZED',
          message,
          details: { field: null, issue: null, issues: [] },
        })
      }
    })

    test('an unknown key returns 401', async () => {
      const { ask } = await serve()
      const { caller: stranger } = await serve()
      const { status, json } = await ask('GET', '/models', { headers: { authorization: `Bearer ${stranger.token}` } })
      expect([status, json.error.message]).toEqual([401, 'The API key is unknown.'])
    })

    test.each([
      ['revoked', { revokedAt: 0 }, 'The API key was revoked.'],
      ['expired', { expiresAt: 0 }, 'The API key has expired.'],
    ])('a key that is %s returns 401', async (_case, key, message) => {
      const { ask, addCaller } = await serve()
      const { credentials } = await addCaller({ key })
      const { status, headers, json } = await ask('GET', '/models', {
        headers: { authorization: `Bearer ${credentials.token}` },
      })
      expect([status, headers.get('www-authenticate'), json.error.message]).toEqual([401, 'Bearer', message])
    })

    test.each([
      ['of a suspended user', { user: { status: 'suspended' } }, 'This account is suspended.'],
      ['without the scope', { key: { scopes: ['analyze'] } }, 'The credential lacks the scope "models".'],
    ] as const)('a key %s returns 403', async (_case, facts, message) => {
      const { ask, addCaller } = await serve()
      const { credentials } = await addCaller(facts)
      const { status, headers, json } = await ask('GET', '/models', {
        headers: { authorization: `Bearer ${credentials.token}` },
      })
      expect([status, json.error.code, json.error.message]).toEqual([403, 'FORBIDDEN', message])
      expect(headers.has('www-authenticate')).toBe(false)
    })

    test('the Authorization header is the only source of API keys: queries, other headers, and cookies are ignored', async () => {
      const { ask, caller } = await serve()
      for (const [path, headers] of [
        [`/models?api_key=${caller.token}`, {}],
        ['/models', { 'x-api-key': caller.token }],
        ['/models', { cookie: `authorization=Bearer ${caller.token}` }],
      ] as const) {
        expect((await ask('GET', path, { headers: { authorization: undefined, ...headers } })).status).toBe(401)
      }
    })
  })
})
