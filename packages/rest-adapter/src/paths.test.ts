import { describe, expect, test } from 'vitest'
import { forms, serve as serveNode } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  describe('a path', () => {
    test.each([
      '/Models',
      '/MODELS',
      '/V1/models',
      '/models/',
      '//models',
      '/models//',
      '/v1',
      '/v1/',
      '/api/v1',
      '/v1/v1/models',
      '/api/models',
      '/api/v1/v1/models',
      '/v2/models',
      '/generate/',
      '/generate/images',
      '/%6dodels',
      '/models%2F',
      '/models;a=b',
      '/models%00',
    ])('a path returns 404 if it is unknown: %s', async (path) => {
      const { raw } = await serve()
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 404 /)
      expect(answer).toContain(`"code":"NOT_FOUND","message":"Route not found: GET ${path}. GET / lists the routes."`)
    })

    test('a path is also found in the absolute form, with any host', async () => {
      const { raw, caller } = await serve()
      const answer = await raw(
        `GET http://elsewhere.example/models?type=text HTTP/1.1\r\nHost: a\r\nConnection: close\r\n` +
          `Authorization: Bearer ${caller.token}\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    })

    test('a path returns 404 without a key if it is unknown', async () => {
      const { ask } = await serve()
      expect((await ask('GET', '/nowhere', { headers: { authorization: undefined } })).status).toBe(404)
    })
  })

  describe('a method', () => {
    test.each([
      ['GET', '/generate', 'POST'],
      ['HEAD', '/generate', 'POST'],
      ['PUT', '/v1/generate/image', 'POST'],
      ['DELETE', '/analyze', 'POST'],
      ['POST', '/models', 'GET, HEAD'],
      ['PATCH', '/api/v1/models', 'GET, HEAD'],
      ['OPTIONS', '/models/any', 'GET, HEAD'],
      ['POST', '/', 'GET, HEAD'],
      ['DELETE', '/images/img_1.png', 'GET, HEAD'],
    ])('a method returns 405 if the path does not support it: %s %s', async (method, path, allowed) => {
      const { ask, accessLog } = await serve()
      const { status, headers } = await ask(method, path)
      expect([status, headers.get('allow')]).toEqual([405, allowed])
      await expect.poll(() => accessLog.map(({ code }) => code)).toEqual(['METHOD_NOT_ALLOWED'])
    })
  })

  describe('the body of a 405', () => {
    test('the body of a 405 lists the methods of the path', async () => {
      const { ask } = await serve()
      expect((await ask('POST', '/models')).json.error).toEqual({
        code: 'METHOD_NOT_ALLOWED',
        message: 'This path supports only GET, HEAD.',
        details: { field: null, issue: null, issues: [] },
      })
    })
  })

  describe('HEAD', () => {
    test.each(['/models', '/models/any', '/v1/models?type=text', '/', '/models?type=video', '/models/none'])(
      'HEAD is answered like GET, without the body: %s',
      async (path) => {
        const { ask } = await serve()
        const get = await ask('GET', path)
        const head = await ask('HEAD', path)
        expect(head.text).toBe('')
        expect(head.status).toBe(get.status)
        for (const name of ['content-type', 'content-length', 'cache-control', 'vary']) {
          expect(head.headers.get(name)).toBe(get.headers.get(name))
        }
      },
    )
  })

  describe('GET /', () => {
    test('GET / returns the service, its version, documents, and paths, without a key', async () => {
      const { ask } = await serve({
        service: { name: 'Fairlead', version: '1.2.3', documents: { docs: '/docs' } },
      })
      const { status, json } = await ask('GET', '/', { headers: { authorization: undefined } })
      expect(status).toBe(200)
      expect(json).toEqual({
        success: true,
        data: {
          name: 'Fairlead',
          version: '1.2.3',
          documents: { openapi: '/openapi.json', openapi_yaml: '/openapi.yaml', docs: '/docs' },
          paths: expect.arrayContaining(['POST /generate', 'POST /generate/image', 'POST /analyze', 'GET /models']),
        },
        meta: { request_id: expect.stringMatching(/^req_\d+$/), timestamp: '2026-03-14T09:26:53.589Z' },
      })
    })
  })

  describe('a page', () => {
    const page = {
      path: '/pages/{name}.txt',
      respond: (_exchange: unknown, { name = '' }) => ({
        status: 200,
        headers: { 'Content-Type': 'text/plain' },
        body: name,
      }),
    } as const

    test('a page is served at its own path only, beside the operations', async () => {
      const { ask, accessLog } = await serve({ pages: [page] })
      const { status, headers, text } = await ask('GET', '/pages/one.txt')
      expect([status, text]).toEqual([200, 'one'])
      expect(headers.get('x-request-id')).toMatch(/^req_\d+$/)
      expect((await ask('GET', '/v1/pages/one.txt')).status).toBe(404)
      expect((await ask('GET', '/pages/oneXtxt')).status).toBe(404)
      expect((await ask('POST', '/pages/one.txt')).status).toBe(405)
      await expect.poll(() => accessLog[0]?.route).toBe('/pages/{name}.txt')
    })

    test('a page returns a masked error and logs it if it throws', async () => {
      const broken = {
        path: '/broken',
        respond: () => {
          throw new Error('secret internals')
        },
      } as const
      const { ask, logged } = await serve({ pages: [broken] })
      const { status, json, text } = await ask('GET', '/broken')
      expect(status).toBe(500)
      expect(json.error.code).toBe('INTERNAL_ERROR')
      expect(text).not.toContain('secret')
      expect(logged).toMatchObject([{ level: 'error', facts: { requestId: json.meta.request_id } }])
    })
  })
})

// A `Request` resolves dot segments itself.
test.each(['/./models', '/v1/../models'])('the Node handler answers the path %s with 404', async (path) => {
  const { raw } = await serveNode()
  expect(await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 404 /)
})
