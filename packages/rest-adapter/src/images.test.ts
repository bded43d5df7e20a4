import { failing } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { forms, serve as serveNode, type ServeOptions } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  async function withImage(options: ServeOptions = {}) {
    const service = await serve(options)
    const { json } = await service.ask('POST', '/generate/image', { body: { prompt: 'a lake', model: 'picture' } })
    const path = new URL(json.data.url).pathname
    return { ...service, id: json.data.id as string, path }
  }

  describe('GET /images/{id}.png', () => {
    test('GET /images/{id}.png serves the PNG at the URL of the result without authentication', async () => {
      const { url, path, id } = await withImage()
      const response = await fetch(url + path)
      const png = Buffer.from(await response.arrayBuffer())
      expect(response.status).toBe(200)
      expect(png.subarray(1, 4).toString()).toBe('PNG')
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1024, 1024])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(png.length),
        'cache-control': 'public, max-age=31536000, immutable',
        etag: `"${id}"`,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-request-id': expect.stringMatching(/^req_\d+$/),
      })
      expect(response.headers.has('ratelimit')).toBe(false)
    })

    test('GET /images/{id}.png answers HEAD without a body', async () => {
      const { ask, path } = await withImage()
      const { status, headers, text } = await ask('HEAD', path)
      expect([status, text]).toEqual([200, ''])
      expect(headers.get('content-type')).toBe('image/png')
      expect(Number(headers.get('content-length'))).toBeGreaterThan(60)
    })

    test.each([
      ['its tag', (tag: string) => tag],
      ['its tag, weak', (tag: string) => `W/${tag}`],
      ['a list with its tag', (tag: string) => `"other", ${tag}`],
      ['any', () => '*'],
    ])('GET /images/{id}.png returns 304 for an If-None-Match with %s', async (_case, ifNoneMatch) => {
      const { ask, path, id } = await withImage()
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, text } = await ask(method, path, {
          headers: { 'if-none-match': ifNoneMatch(`"${id}"`) },
        })
        expect([status, text]).toEqual([304, ''])
        expect(headers.get('etag')).toBe(`"${id}"`)
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      }
    })

    test.each([(tag: string) => tag.slice(1, -1), () => '"other"', (tag: string) => `"x${tag.slice(1)}`, () => ''])(
      'GET /images/{id}.png returns 200 with the image if If-None-Match does not match',
      async (ifNoneMatch) => {
        const { ask, path, id } = await withImage()
        expect((await ask('GET', path, { headers: { 'if-none-match': ifNoneMatch(`"${id}"`) } })).status).toBe(200)
      },
    )

    test('GET /images/{id}.png returns 404 for an unknown image, and forbids caching of the response', async () => {
      const { ask } = await serve()
      for (const name of [`img_${'1'.repeat(37)}`, 'img_1', 'IMG_1', 'x']) {
        const { status, headers, json } = await ask('GET', `/images/${name}.png`, { headers: { 'if-none-match': '*' } })
        expect([status, json.error.message]).toEqual([404, 'Image not found.'])
        expect(headers.get('cache-control')).toBe('no-store')
      }
    })

    test('GET /images/{id}.png returns 404 for a prefix or another extension', async () => {
      const { ask, path, id } = await withImage()
      for (const other of [
        `/v1${path}`,
        `/api/v1${path}`,
        `/images/${id}`,
        `/images/${id}.jpg`,
        `${path}/`,
        path.toUpperCase(),
      ]) {
        expect((await ask('GET', other)).status).toBe(404)
      }
    })

    test('GET /images/{id}.png does not log the id of the image', async () => {
      const { ask, path, id, accessLog } = await withImage()
      await ask('GET', path)
      await expect.poll(() => accessLog).toHaveLength(2)
      expect(JSON.stringify(accessLog)).not.toContain(id)
      expect(accessLog[1]).toMatchObject({ route: '/images/{id}.png', status: 200 })
    })

    test('GET /images/{id}.png has no image to serve if the generation failed', async () => {
      const { ask } = await serve({ providers: [failing('down', 'give_up')] })
      const { json } = await ask('POST', '/generate/image', { body: { prompt: 'a lake', model: 'picture' } })
      expect(json).not.toHaveProperty('data')
    })
  })
})

describe('path traversal', () => {
  const dots = [
    '..',
    '%2e%2e',
    '%2E.',
    '.%2e',
    '%252e%252e',
    '..%00',
    '....',
    '%c0%ae%c0%ae',
    '%u002e%u002e',
    '%e2%80%a5',
  ]
  const slashes = ['/', '%2f', '%2F', '\\', '%5c', '%252f', '%c0%af', '//', '/./', ';/']
  const steps = dots.flatMap((dot) => slashes.map((slash) => `${dot}${slash}`))
  const paths = steps.flatMap((step) => [
    `/images/${step}package.json`,
    `/images/${step.repeat(6)}etc/passwd`,
    `/images/${step.repeat(6)}etc/passwd%00.png`,
    `/images/${step}fairlead.db.png`,
    `/images/img_1${step}${step}fairlead.db.png`,
  ])

  test(`path traversal returns 404 in ${dots.length * slashes.length} encodings at five positions`, async () => {
    const { raw, accessLog } = await serveNode()
    const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')
    const received = await raw(Buffer.from(`${requests}GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`))
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toHaveLength(paths.length + 1)
    expect(new Set(statuses)).toEqual(new Set(['404']))
    expect(received).not.toMatch(/root:|SQLite format|"dependencies"/)
    await expect.poll(() => accessLog).toHaveLength(paths.length + 1)
  })
})
