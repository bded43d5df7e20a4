import { scripted } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

const ours = 'https://app.example.com'
const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
const paths = [
  '/',
  '/models',
  '/v1/generate',
  '/api/v1/analyze',
  '/images/img_1.png',
  '/healthz',
  '/metrics',
  '/nowhere',
]

describe('a page of an allowed origin', () => {
  const config = { corsOrigins: ['http://localhost:3000', ours] }

  test('a page of an allowed origin gets a preflight response without a key and without using quota', async () => {
    const { url, ask } = await serveApp({ config })
    const { status, headers } = await fetch(`${url}/v1/generate`, {
      method: 'OPTIONS',
      headers: { origin: ours, ...preflight },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(ours)
    expect(headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE')
    expect(headers.get('access-control-allow-headers')).toBe('authorization')
    expect(headers.get('access-control-max-age')).toBe('600')
    expect(headers.has('access-control-allow-credentials')).toBe(false)
    expect((await ask('/models')).headers.get('x-ratelimit-remaining')).toBe('999')
  })

  test.each([
    ['/generate', 'authorization,content-type,idempotency-key'],
    ['/shipments/shp_1', 'authorization,content-type,if-match,if-none-match'],
    ['/events/stream', 'authorization,last-event-id'],
    [
      '/openai/v1/chat/completions',
      'authorization,content-type,x-stainless-lang,x-stainless-retry-count,openai-project',
    ],
    ['/v1/chat/completions', 'authorization,content-type,x-stainless-os,x-stainless-runtime-version'],
    [
      '/anthropic/v1/messages',
      'anthropic-beta,anthropic-dangerous-direct-browser-access,anthropic-version,content-type,x-api-key,x-stainless-arch',
    ],
    ['/graphql', 'authorization,content-type,x-graphql-yoga-csrf,apollo-require-preflight'],
    ['/openapi.json', 'if-none-match'],
    ['/nowhere', 'authorization'],
  ])('a page of an allowed origin may send the headers of an SDK to %s', async (path, requested) => {
    const { url } = await serveApp({ config: { ...config, anonymousRequestsPerMinute: 1 } })
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await fetch(url + path, {
        method: 'OPTIONS',
        headers: { origin: ours, 'access-control-request-method': 'POST', 'access-control-request-headers': requested },
      })
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, ours])
      expect(headers.get('access-control-allow-headers')).toBe(requested)
      expect(headers.get('vary')).toBe('Origin, Access-Control-Request-Headers')
    }
  })

  test('a page of an allowed origin can read streams, and 429 of every API', async () => {
    const limited = { ...config, anonymousRequestsPerMinute: 1 }
    const { url, ask } = await serveApp({ config: limited, core: { providers: [scripted('calm', 'hello')] } })
    const headers = { origin: ours, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'any', prompt: 'hi', stream: true })
    const stream = await ask('/generate', { method: 'POST', headers, body })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    await stream.text()
    await fetch(`${url}/`)
    const refused = ['/', '/models', '/openai/v1/models', '/anthropic/v1/models'].map((path) =>
      fetch(url + path, { headers }),
    )
    const query = {
      method: 'POST',
      headers: { ...headers, 'x-graphql-yoga-csrf': '1' },
      body: '{"query":"{ __typename }"}',
    }
    for (const response of await Promise.all([...refused, fetch(`${url}/graphql`, query)])) {
      expect(response.status).toBe(429)
      expect(response.headers.get('access-control-allow-origin')).toBe(ours)
      expect(response.headers.get('access-control-expose-headers')).toMatch(/Retry-After.*X-Request-Id/)
    }
    expect(stream.headers.get('access-control-allow-origin')).toBe(ours)
  })

  test('a page of an allowed origin can read responses and errors with their limits and request ids', async () => {
    const { ask } = await serveApp({ config })
    for (const path of ['/models', '/nowhere', '/models/none']) {
      const { headers } = await ask(path, { headers: { origin: ours } })
      expect(headers.get('access-control-allow-origin')).toBe(ours)
      expect(headers.get('vary')).toBe('Origin, Authorization, Accept-Encoding')
      const exposed = headers.get('access-control-expose-headers')?.split(',')
      expect(exposed).toEqual(
        expect.arrayContaining([
          'RateLimit',
          'RateLimit-Policy',
          'X-RateLimit-Remaining',
          'Retry-After',
          'X-Request-Id',
        ]),
      )
    }
  })
})

describe('a page of any other origin', () => {
  test.each([
    'https://evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com.evil.example',
    'https://evil-app.example.com',
    'https://APP.example.com',
    'null',
    '*',
  ])('a page of any other origin is never let in, nor reflected: %s', async (origin) => {
    for (const corsOrigins of [[], [ours]]) {
      const { url, ask } = await serveApp({ config: { corsOrigins } })
      for (const path of paths) {
        const answers = [
          await ask(path, { headers: { origin } }),
          await fetch(url + path, { method: 'OPTIONS', headers: { origin, ...preflight } }),
        ]
        for (const { headers } of answers) {
          expect(headers.has('access-control-allow-origin')).toBe(false)
          expect(headers.has('access-control-allow-credentials')).toBe(false)
        }
      }
    }
  })
})
