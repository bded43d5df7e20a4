import { testClock, testCore } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { anonymousLimit } from './anonymous-limit.ts'
import { serveApp } from './testing/serve-app.ts'

const config = { anonymousRequestsPerMinute: 4 }
/** In seconds: one request recovers in 15, and one over GraphQL takes all of a small limit. */
const wait = expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60)
const graphql = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-graphql-yoga-csrf': '1' },
  body: '{"query":"{ __schema { queryType { name } } }"}',
}

describe('requests without a credential', () => {
  test('requests without a credential over the limit of their network get 429 with Retry-After, before anything is done', async () => {
    const { url, lines } = await serveApp({ config })
    for (let n = 0; n < 4; n++) expect((await fetch(`${url}/openapi.json?download`)).status).toBe(200)
    for (const path of ['/openapi.json', '/docs', '/', '/models', '/images/img_1.png', '/dashboard']) {
      const response = await fetch(url + path)
      expect([path, response.status, Number(response.headers.get('retry-after'))]).toEqual([path, 429, wait])
      expect(await response.json()).toMatchObject({ success: false, error: { code: 'RATE_LIMIT_EXCEEDED' } })
    }
    await expect.poll(() => lines.filter((line) => line.includes('"status":429')).length).toBe(6)
  })

  test('requests without a credential get the error of the API that they use', async () => {
    const { url } = await serveApp({ config })
    for (let n = 0; n < 4; n++) await fetch(`${url}/nowhere`)
    const errorOf = async (path: string, init?: RequestInit) => {
      const response = await fetch(url + path, init)
      expect([response.status, Number(response.headers.get('retry-after'))]).toEqual([429, wait])
      return response.json()
    }
    expect(await errorOf('/openai/v1/models')).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    expect(await errorOf('/anthropic/v1/models')).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    expect(await errorOf('/graphql', graphql)).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMIT_EXCEEDED' } }],
    })
  })

  test('requests without a credential to the probes and the metrics are not limited', async () => {
    const { url } = await serveApp({ config })
    for (let n = 0; n < 6; n++) {
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      expect((await fetch(`${url}/metrics`)).status).toBe(401)
    }
    expect((await fetch(`${url}/`)).status).toBe(200)
  })

  test('requests without a credential count as 20 over GraphQL, which may read the whole schema', async () => {
    const { url } = await serveApp({ config: { anonymousRequestsPerMinute: 30 } })
    expect((await fetch(`${url}/graphql`, graphql)).status).toBe(200)
    expect((await fetch(`${url}/graphql`, graphql)).status).toBe(429)
    for (let n = 0; n < 10; n++) expect((await fetch(`${url}/`)).status).toBe(200)
    expect((await fetch(`${url}/`)).status).toBe(429)
  })

  test('requests without a credential are counted per network', async () => {
    const { url } = await serveApp({ config: { ...config, trustedProxies: 1 } })
    const from = async (address: string) => (await fetch(`${url}/`, { headers: { 'x-forwarded-for': address } })).status
    for (const last of [1, 2, 3, 4]) expect(await from(`203.0.113.${last}`)).toBe(200)
    expect([await from('203.0.113.5'), await from('203.0.114.5'), await from('2001:db8::1')]).toEqual([429, 200, 200])
  })
})

describe('requests with a credential', () => {
  test('requests with a valid credential are not limited', async () => {
    const { url, ask } = await serveApp({ config })
    for (let n = 0; n < 5; n++) await fetch(`${url}/`)
    expect((await fetch(`${url}/`)).status).toBe(429)
    for (const path of ['/models', '/openapi.json', '/openai/v1/models', '/nowhere']) {
      expect([200, 404]).toContain((await ask(path)).status)
    }
  })

  test('requests with a wrong credential count as anonymous, wherever it is sent', async () => {
    const wrong = `Bearer fl_${'a'.repeat(49)}`
    const { url } = await serveApp({ config })
    const statuses = []
    for (const path of ['/models', '/openapi.json', '/openai/v1/models', '/nowhere']) {
      statuses.push((await fetch(url + path, { headers: { authorization: wrong } })).status)
    }
    statuses.push((await fetch(`${url}/anthropic/v1/models`, { headers: { 'x-api-key': 'wrong' } })).status)
    expect(statuses).toEqual([401, 200, 401, 404, 401])
    // A request is counted once its response was sent. These requests count too.
    let others = 0
    const ask = () => {
      others += 1
      return fetch(`${url}/`)
    }
    await expect.poll(async () => (await ask()).status).toBe(429)
    expect(others).toBeLessThan(statuses.length)
    const later = await fetch(`${url}/openapi.json`, { headers: { authorization: wrong } })
    expect(later.status).toBe(429)
  })
})

describe('the limit', () => {
  async function limited() {
    const clock = testClock()
    const { core } = await testCore()
    const warnings: unknown[] = []
    const logger = { warn: (message: unknown) => void warnings.push(message) }
    const limit = anonymousLimit({ requestsPerMinute: 6, trustedProxies: 0, logger, clock })
    const admit = limit.admitTo(core)
    const ask = (headers = {}) => admit('192.0.2.1', headers, undefined)
    return { clock, ask, warnings }
  }

  test('the limit of requests without a credential recovers continuously', async () => {
    const { clock, ask } = await limited()
    for (let n = 0; n < 6; n++) void ask()
    expect(() => ask()).toThrow('Too many requests without a valid API key')
    clock.advance(10_000)
    void ask()
    expect(() => ask()).toThrow('Too many requests without a valid API key')
  })

  test('the limit of requests without a credential warns once of a proxy that is not trusted', async () => {
    const { ask, warnings } = await limited()
    void ask()
    expect(warnings).toEqual([])
    for (let n = 0; n < 3; n++) void ask({ 'x-forwarded-for': '203.0.113.7' })
    expect(warnings).toEqual([expect.stringContaining('FAIRLEAD_TRUST_PROXY is 0')])
  })
})
