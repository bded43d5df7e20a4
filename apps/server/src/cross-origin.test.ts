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

  test('gets a preflight response without a key and without using quota', async () => {
    const { url, ask } = await serveApp({ config })
    const { status, headers } = await fetch(`${url}/v1/generate`, {
      method: 'OPTIONS',
      headers: { origin: ours, ...preflight },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(ours)
    expect(headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE')
    expect(headers.get('access-control-allow-headers')).toMatch(/Authorization,Content-Type,Idempotency-Key,If-Match/)
    expect(headers.get('access-control-max-age')).toBe('600')
    expect(headers.has('access-control-allow-credentials')).toBe(false)
    expect((await ask('/models')).headers.get('x-ratelimit-remaining')).toBe('999')
  })

  test('can read responses and errors with their limits and request ids', async () => {
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
  ])('is never let in, nor reflected: %s', async (origin) => {
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
