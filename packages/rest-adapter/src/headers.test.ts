import { describe, expect, test } from 'vitest'
import { clientAddress } from '@fairlead/http'
import { forms, serve as serveNode } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const asked = { prompt: 'greet me', model: 'any' }

  describe('every response', () => {
    test('every response has the request id and forbids caching', async () => {
      const { ask } = await serve()
      for (const reply of [
        await ask('GET', '/models'),
        await ask('POST', '/v1/generate', { body: asked }),
        await ask('POST', '/generate', { body: '{' }),
        await ask('GET', '/models', { headers: { authorization: undefined } }),
        await ask('GET', '/nowhere'),
        await ask('PUT', '/models'),
        await ask('GET', '/'),
      ]) {
        expect(reply.headers.get('x-request-id')).toBe(reply.json.meta.request_id)
        expect(reply.headers.get('cache-control')).toBe('no-store')
        expect(reply.headers.get('vary')).toMatch(/^Authorization\b/)
      }
    })

    test('every response has a unique request id', async () => {
      const { ask } = await serve()
      const replies = await Promise.all(Array.from({ length: 20 }, () => ask('GET', '/models')))
      expect(new Set(replies.map(({ json }) => json.meta.request_id)).size).toBe(20)
    })
  })

  describe('forged names and addresses', () => {
    test('forged names and addresses do not replace the request id', async () => {
      const { ask, accessLog } = await serve()
      const forged = { 'x-request-id': 'mine\u0085', 'x-correlation-id': 'mine', traceparent: 'mine' }
      const { headers, text } = await ask('POST', '/generate', { body: asked, headers: forged })
      expect(headers.get('x-request-id')).toMatch(/^req_\d+$/)
      expect(text).not.toContain('mine')
      await expect.poll(() => accessLog).toHaveLength(1)
      expect(JSON.stringify(accessLog)).not.toContain('mine')
    })

    test('forged names and addresses do not change the address of the service, in any header', async () => {
      const { raw, caller, ask } = await serve()
      const body = JSON.stringify({ prompt: 'a lake', model: 'picture' })
      for (const forged of [
        'Host: evil.example',
        'Host: a\r\nX-Forwarded-Host: evil.example',
        'Host: a\r\nX-Forwarded-Proto: javascript\r\nX-Forwarded-Port: 1',
        'Host: a\r\nForwarded: host=evil.example;proto=gopher',
        'Host: a\r\nX-Original-URL: /evil\r\nX-Rewrite-URL: /evil',
        'Host: a\r\nX-HTTP-Method-Override: DELETE\r\nX-Forwarded-Prefix: /evil',
      ]) {
        const answer = await raw(
          `POST /v1/generate/image HTTP/1.1\r\n${forged}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
            `Authorization: Bearer ${caller.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
        expect(answer).toMatch(/^HTTP\/1\.1 200 /)
        expect(answer).toContain('"url":"https://ai.example.com/images/img_')
        expect(answer).not.toMatch(/evil|gopher|javascript/)
      }
      expect((await ask('GET', '/', { headers: { host: 'evil.example' } })).text).not.toContain('evil')
    })

    test.each([
      'GET /models HTTP/1.1\r\nHost: a\r\nX-A: b\rX-C: d\r\n\r\n',
      'GET /models HTTP/1.1\r\nHost: a\r\nX-A: \u0000\r\n\r\n',
      'GET /mo\r\ndels HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /models\u0000 HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /models HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'GET /models HTTP/9.9\r\nHost: a\r\n\r\n',
      'NOPE /models HTTP/1.1\r\nHost: a\r\n\r\n',
      'hello\r\n\r\n',
    ])('forged names and addresses are rejected by the HTTP parser: %j', async (bytes) => {
      const { raw, accessLog, ask } = await serve()
      expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
      expect((await ask('GET', '/')).status).toBe(200)
      await expect.poll(() => accessLog).toHaveLength(1)
    })

    test('forged names and addresses do not appear in the log, except in the path of an unknown route', async () => {
      const { ask, raw, accessLog } = await serve()
      const forged = 'evil%0d%0a{"level":50}%1b[31m'
      await ask('GET', `/models/${forged}`)
      await ask('GET', `/models?${forged}`)
      await ask('GET', `/${forged}`)
      await ask('GET', `/images/${forged}.png`)
      await ask('POST', '/generate', { body: { ...asked, prompt: 'evil\r\n{"level":50}', evil: 1 } })
      await raw(`GET /evil HTTP/1.1\r\nHost: evil\r\nUser-Agent: evil\r\nReferer: evil\r\nConnection: close\r\n\r\n`)
      await expect.poll(() => accessLog).toHaveLength(6)
      expect(accessLog.flatMap(({ path }) => path ?? [])).toEqual(['/evil…', '/evil'])
      expect(JSON.stringify(accessLog.map(({ path: _path, ...logged }) => logged))).not.toContain('evil')
      expect(new Set(accessLog.map(({ route }) => route))).toEqual(
        new Set(['/models/{id}', '/models', '(unknown)', '/images/{id}.png', '/generate']),
      )
    })
  })

  describe('the address of a client', () => {
    test('the address of a client is logged', async () => {
      const direct = await serve()
      await direct.ask('GET', '/models', { headers: { 'x-forwarded-for': '6.6.6.6' } })
      await expect.poll(() => direct.accessLog).toMatchObject([{ address: '127.0.0.1' }])
      const proxied = await serve({ trustedProxies: 1 })
      await proxied.ask('GET', '/models', { headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' } })
      await expect.poll(() => proxied.accessLog).toMatchObject([{ address: '203.0.113.7' }])
    })

    test('the address of a client does not authenticate: a forged one is rejected', async () => {
      const { ask } = await serve({ trustedProxies: 1 })
      const headers = { authorization: undefined, 'x-forwarded-for': '127.0.0.1' }
      expect((await ask('GET', '/models', { headers })).status).toBe(401)
    })
  })
})

describe('clientAddress', () => {
  const from = (
    forwarded: string | undefined,
    trustedProxies: number,
    remoteAddress: string | undefined = '10.0.0.9',
  ) => clientAddress(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, remoteAddress, trustedProxies)

  test.each([
    ['6.6.6.6', '10.0.0.9'],
    ['6.6.6.6, 7.7.7.7', '10.0.0.9'],
    [undefined, '10.0.0.9'],
  ])('clientAddress is the address of the connection without trusted proxies: %s', (forwarded, expected) => {
    expect(from(forwarded, 0)).toBe(expected)
  })

  test.each([
    [1, '203.0.113.7', '203.0.113.7'],
    [1, '6.6.6.6, 203.0.113.7', '203.0.113.7'],
    [1, '6.6.6.6,203.0.113.7', '203.0.113.7'],
    [2, '203.0.113.7, 10.0.0.1', '203.0.113.7'],
    [2, '6.6.6.6, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
    [2, '203.0.113.7', '203.0.113.7'],
    [1, undefined, '10.0.0.9'],
    [1, '', '10.0.0.9'],
    [1, '6.6.6.6, ', '10.0.0.9'],
    [1, 'evil\u001b[31m', '10.0.0.9'],
    [2, 'evil, 10.0.0.1', '10.0.0.1'],
    [1, '203.0.113.7:5123', '203.0.113.7'],
    [1, '[2001:db8::7]:5123', '2001:db8::7'],
    [1, '2001:db8::7', '2001:db8::7'],
    [1, '::ffff:203.0.113.7', '203.0.113.7'],
  ])('clientAddress is the address that %i trusted proxies saw: %s', (proxies, forwarded, expected) => {
    expect(from(forwarded, proxies)).toBe(expected)
  })

  test('clientAddress is an IPv4 address if it is an IPv4-mapped one', () => {
    expect(from(undefined, 0, '::ffff:192.0.2.1')).toBe('192.0.2.1')
  })
})

test('the Node handler adds to the Vary header of a middleware', async () => {
  const { ask } = await serveNode({ before: (_request, response) => void response.setHeader('Vary', 'Origin') })
  expect((await ask('GET', '/models')).headers.get('vary')).toBe('Origin, Authorization')
})
