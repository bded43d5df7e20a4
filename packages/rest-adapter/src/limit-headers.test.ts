import { describe, expect, test } from 'vitest'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const names = [
    'ratelimit',
    'ratelimit-policy',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ] as const
  const asked = { prompt: 'greet me', model: 'any' }

  const endOfMarch = Date.parse('2026-04-01T00:00:00Z') / 1000
  const secondsLeft = Math.ceil(endOfMarch - Date.parse('2026-03-14T09:26:53.589Z') / 1000)

  function readLimits(headers: Headers) {
    return Object.fromEntries(names.map((name) => [name, headers.get(name)]))
  }

  function limitHeaders(remaining: number, limit = 1000) {
    return {
      ratelimit: `"monthly";r=${remaining};t=${secondsLeft}`,
      'ratelimit-policy': `"monthly";q=${limit};w=${31 * 24 * 3600}`,
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(endOfMarch),
    }
  }

  async function withLimit(quotaLimit: number | null) {
    const service = await serve()
    const { credentials } = await service.addCaller({ user: { tier: 'enterprise', quotaLimit } })
    return { ...service, headers: { authorization: `Bearer ${credentials.token}` } }
  }

  describe('a client with a quota', () => {
    test('a client with a quota gets its limits with every successful response', async () => {
      const { ask } = await serve()
      expect(readLimits((await ask('GET', '/models')).headers)).toEqual(limitHeaders(999))
      expect(readLimits((await ask('POST', '/generate', { body: asked })).headers)).toEqual(limitHeaders(998))
      expect(
        readLimits((await ask('POST', '/v1/analyze', { body: { text: 'x', tasks: ['entities'] } })).headers),
      ).toEqual(limitHeaders(997))
    })

    test.each([
      ['a malformed body', 400, 'POST', '/generate', '{'],
      ['an invalid field', 400, 'POST', '/generate', { ...asked, top_p: 2 }],
      ['an unknown model', 400, 'POST', '/generate', { ...asked, model: 'none' }],
      ['a path with an unknown model', 404, 'GET', '/models/none', undefined],
      ['a provider that fails', 502, 'POST', '/generate', { ...asked, model: 'broken' }],
    ] as const)(
      'a client with a quota gets its limits with an error too, which costs no unit: %s',
      async (_case, expected, method, path, body) => {
        const { ask } = await serve()
        const { status, headers } = await ask(method, path, { body })
        expect(status).toBe(expected)
        expect(readLimits(headers)).toEqual(limitHeaders(1000))
      },
    )

    test('a client with a quota gets 429 until the month ends after its last unit', async () => {
      const { ask, headers, clock } = await withLimit(2)
      expect(readLimits((await ask('GET', '/models', { headers })).headers)).toEqual(limitHeaders(1, 2))
      expect(readLimits((await ask('GET', '/models', { headers })).headers)).toEqual(limitHeaders(0, 2))
      const refused = await ask('POST', '/generate', { headers, body: asked })
      expect(refused.status).toBe(429)
      expect(readLimits(refused.headers)).toEqual(limitHeaders(0, 2))
      expect(refused.headers.get('retry-after')).toBe(String(secondsLeft))
      expect(refused.headers.get('x-should-retry')).toBe('false')
      expect(refused.json.error).toEqual({
        code: 'QUOTA_EXCEEDED',
        message: 'The quota of 2 requests per month is used up. It resets at 2026-04-01T00:00:00.000Z.',
        details: { field: null, issue: null, issues: [] },
      })
      clock.jumpTo('2026-04-01T00:00:00Z')
      expect((await ask('POST', '/generate', { headers, body: asked })).status).toBe(200)
    })

    test('a client with a quota gets validation errors before quota errors', async () => {
      const { ask, headers } = await withLimit(0)
      expect((await ask('POST', '/generate', { headers, body: { ...asked, top_p: 2 } })).status).toBe(400)
      expect((await ask('POST', '/generate', { headers, body: asked })).status).toBe(429)
    })
  })

  describe('a client without limits', () => {
    test('a client without limits gets no limit headers', async () => {
      const { ask, headers } = await withLimit(null)
      for (const reply of [
        await ask('GET', '/models', { headers }),
        await ask('POST', '/generate', { headers, body: asked }),
        await ask('POST', '/generate', { headers, body: { ...asked, model: 'none' } }),
        await ask('GET', '/models', { headers: { authorization: undefined } }),
        await ask('GET', '/nowhere', { headers }),
        await ask('GET', '/', { headers }),
      ]) {
        expect(readLimits(reply.headers)).toEqual(Object.fromEntries(names.map((name) => [name, null])))
      }
    })
  })

  describe('a client with a burst limit', () => {
    test('a client with a burst limit gets both limits in the headers, and 429 with Retry-After above the burst limit', async () => {
      const { ask, clock } = await serve({ rateLimits: { requestsPerMinute: { free: 2 } } })
      expect(readLimits((await ask('GET', '/models')).headers)).toMatchObject({
        'ratelimit-policy': `"burst";q=2;w=60, "monthly";q=1000;w=${31 * 24 * 3600}`,
        ratelimit: `"burst";r=1;t=30, "monthly";r=999;t=${secondsLeft}`,
        'x-ratelimit-remaining': '999',
      })
      await ask('GET', '/models')
      const rejected = await ask('POST', '/generate', { body: asked })
      expect(rejected.status).toBe(429)
      expect(rejected.json.error).toMatchObject({
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'The limit of 2 requests per minute is exceeded. Try again in 30 s.',
      })
      expect(rejected.headers.get('ratelimit')).toBe(`"burst";r=0;t=30, "monthly";r=998;t=${secondsLeft}`)
      expect(rejected.headers.get('retry-after')).toBe('30')
      expect(rejected.headers.get('x-should-retry')).toBeNull()
      clock.advance(30_000)
      expect((await ask('POST', '/generate', { body: asked })).status).toBe(200)
    })

    test('a client with a burst limit gets only the headers of the burst limit if it has no quota', async () => {
      const { ask, addCaller } = await serve({ rateLimits: { requestsPerMinute: { enterprise: 60 } } })
      const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: null } })
      const headers = { authorization: `Bearer ${credentials.token}` }
      expect(readLimits((await ask('GET', '/models', { headers })).headers)).toEqual({
        'ratelimit-policy': '"burst";q=60;w=60',
        ratelimit: '"burst";r=59;t=1',
        'x-ratelimit-limit': null,
        'x-ratelimit-remaining': null,
        'x-ratelimit-reset': null,
      })
    })
  })
})
