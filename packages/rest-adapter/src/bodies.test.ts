import { connect } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { forms } from './testing/serve.ts'

describe.each(forms)('%s', (_form, serve) => {
  const asked = { prompt: 'greet me', model: 'any' }
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

  describe('a body', () => {
    test.each([
      ['[]', 'The body must be a JSON object.'],
      ['null', 'The body must be a JSON object.'],
      ['7', 'The body must be a JSON object.'],
      ['"prompt"', 'The body must be a JSON object.'],
      ['true', 'The body must be a JSON object.'],
      ['{', 'The body is not valid JSON: close brace expected at line 1 column 2.'],
      ['{"prompt": "x",}', 'The body is not valid JSON: property name expected at line 1 column 16.'],
      ["{'prompt': 'x'}", 'The body is not valid JSON: invalid symbol at line 1 column 2.'],
      ['{\n  "a": NaN}', 'The body is not valid JSON: invalid symbol at line 2 column 8.'],
      ['{"a": 01}', 'The body is not valid JSON'],
      ['{"a": "\t"}', 'The body is not valid JSON'],
      ['{"a": 1} 2', 'The body is not valid JSON: end of file expected at line 1 column 10.'],
      ['prompt=x&model=any', 'The body is not valid JSON: invalid symbol at line 1 column 1.'],
      [' ', 'The body is not valid JSON: value expected at line 1 column 2.'],
      [Uint8Array.of(0x22, 0xff, 0x22), 'The body is not valid UTF-8.'],
      [Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), 'The body is not valid UTF-8.'],
      [Buffer.from('{"prompt":"x"}', 'utf16le'), 'The body is not valid JSON'],
    ])('a body is rejected if it is not a JSON object in UTF-8: %j', async (body, message) => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/generate', { body })
      expect(status).toBe(400)
      expect(json.error).toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining(message),
        details: { field: null },
      })
    })

    test('a body is read as an empty object if it is missing or empty', async () => {
      const { ask } = await serve()
      for (const body of [undefined, '']) {
        const { status, json } = await ask('POST', '/analyze', { body })
        expect(status).toBe(400)
        expect(json.error.details.issues).toEqual([
          { field: 'text', issue: 'is required' },
          { field: 'tasks', issue: 'is required' },
        ])
      }
    })

    test('a body can start with a byte order mark', async () => {
      const { ask } = await serve()
      expect((await ask('POST', '/generate', { body: `\uFEFF${JSON.stringify(asked)}` })).status).toBe(200)
    })

    test.each([
      'application/json',
      'Application/JSON',
      'application/json; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/json ; charset=utf-8',
      'application/json;',
      'application/json; profile=x',
    ])('a body is accepted as %s', async (type) => {
      const { ask } = await serve()
      expect((await ask('POST', '/generate', { body: asked, headers: { 'content-type': type } })).status).toBe(200)
    })

    test.each([
      '',
      'text/plain',
      'text/json',
      'application/jsonp',
      'application/vnd.api+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
      'application/json; charset=utf-16',
      'application/json; charset=utf-7',
      'application/json; charset=',
    ])('a body is rejected with 415 when sent as %j', async (type) => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/generate', { body: asked, headers: { 'content-type': type } })
      expect(status).toBe(415)
      expect(json.error).toMatchObject({
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'Send the body as "Content-Type: application/json", in UTF-8.',
      })
    })

    test('a body is not read for an unauthorized client', async () => {
      const { ask } = await serve()
      const { status } = await ask('POST', '/generate', { body: '{', headers: { authorization: 'Bearer unknown' } })
      expect(status).toBe(401)
    })

    test('a body is accepted up to the maximum size and rejected with 413 above it', async () => {
      const { ask } = await serve({ maxBodyBytes: 100 })
      const fill = (bytes: number) => JSON.stringify({ ...asked, prompt: 'x'.repeat(bytes - 27) })
      expect(fill(100)).toHaveLength(100)
      expect((await ask('POST', '/generate', { body: fill(100) })).status).toBe(200)
      const { status, json } = await ask('POST', '/generate', { body: fill(101) })
      expect(status).toBe(413)
      expect(json.error).toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The body may have at most 100 bytes.',
      })
    })

    test('a body is rejected with 413 above the maximum size if its length is not declared', async () => {
      const { raw, caller } = await serve({ maxBodyBytes: 100 })
      const answer = await raw(
        'POST /generate HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n' +
          `Authorization: Bearer ${caller.token}\r\nTransfer-Encoding: chunked\r\n\r\n` +
          `65\r\n${'x'.repeat(0x65)}\r\n0\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    })

    test.each([
      ['/generate', asked, 20],
      ['/analyze', { text: 'Ada.', tasks: ['sentiment'] }, 1],
    ])('a body of POST %s with %j has a default limit of %i MiB', async (path, body, mebibytes) => {
      const { ask } = await serve()
      const json = JSON.stringify(body)
      const filled = json + ' '.repeat(mebibytes * 1024 * 1024 - json.length)
      expect((await ask('POST', path, { body: filled })).status).toBe(200)
      expect((await ask('POST', path, { body: `${filled} ` })).status).toBe(413)
    })

    test('a body is rejected with 413 above 100,000 JSON tokens, whatever its size', async () => {
      const { ask } = await serve()
      // 20 MiB of these take a second to parse.
      const { status, json } = await ask('POST', '/generate', { body: `{"prompt":[${'{},'.repeat(2_000_000)}{}]}` })
      expect(status).toBe(413)
      expect(json.error).toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The body may have at most 100,000 JSON tokens.',
      })
      const accepted = await ask('POST', '/generate', { body: `{"prompt":[${'{},'.repeat(33_000)}{}]}` })
      expect([accepted.status, accepted.json.error.details.issue]).toEqual([400, 'must be a string'])
    })

    test('a body logs no error if the client disconnects before its end', async () => {
      const { port, server, caller, accessLog, logged } = await serve()
      const socket = connect(port, '127.0.0.1')
      socket.write(
        'POST /generate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
          `Authorization: Bearer ${caller.token}\r\nContent-Length: 100\r\n\r\n{"prompt"`,
      )
      await new Promise((resolve) => server.once('request', resolve))
      socket.destroy()
      await expect.poll(() => accessLog).toMatchObject([{ aborted: true, route: '/generate', status: 499 }])
      expect(logged).toEqual([])
    })
  })

  describe('a compressed body', () => {
    test.each([
      ['gzip', gzipSync(Buffer.alloc(5_000_000))],
      ['deflate', deflateSync(Buffer.alloc(5_000_000))],
      ['br', Buffer.from('x')],
      ['identity, gzip', gzipSync('{}')],
    ])('a compressed body is rejected with 415 before it is read: %s', async (encoding, body) => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/generate', { body, headers: { 'content-encoding': encoding } })
      expect(status).toBe(415)
      expect(json.error.message).toBe('Send the body without a Content-Encoding.')
    })
  })

  describe('deep JSON', () => {
    test('deep JSON is accepted up to 64 levels and rejected from 65', async () => {
      const { ask } = await serve()
      const at64 = await ask('POST', '/generate', { body: `{"x":${nested(63)}}` })
      expect(at64.json.error.details.issues).toContainEqual({ field: 'x', issue: 'is not a known field' })
      const at65 = await ask('POST', '/generate', { body: `{"x":${nested(64)}}` })
      expect(at65.status).toBe(400)
      expect(at65.json.error.details.issue).toBe('must not be nested deeper than 64 levels')
    })

    test.each(['/generate', '/generate/image', '/analyze'])(
      'deep JSON does not overflow the stack at any depth: %s',
      async (path) => {
        const { ask, logged } = await serve()
        for (const levels of [1_000, 20_000]) {
          for (const body of [
            `{"x":${nested(levels)}}`,
            `${'{"x":'.repeat(levels / 4)}1${'}'.repeat(levels / 4)}`,
            nested(levels),
          ]) {
            const { status, json } = await ask('POST', path, { body })
            expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST'])
          }
        }
        expect(logged).toEqual([])
      },
    )
  })

  describe('property names of Object.prototype', () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf']

    test.each(names)('property names of Object.prototype are rejected as unknown fields: %s', async (name) => {
      const { ask } = await serve()
      for (const [path, valid] of [
        ['/generate', asked],
        ['/generate/image', { prompt: 'a lake', model: 'picture' }],
        ['/analyze', { text: 'Ada.', tasks: ['sentiment'] }],
      ] as const) {
        const body = `${JSON.stringify(valid).slice(0, -1)},"${name}":{"isAdmin":true,"polluted":1}}`
        const { status, json } = await ask('POST', path, { body })
        expect(status).toBe(400)
        expect(json.error.details).toMatchObject({ field: name, issue: expect.stringContaining('not a known field') })
      }
      const { status, json } = await ask('GET', `/models?${name}=x`)
      expect(status).toBe(400)
      expect(json.error.details.field).toBe(name)
      expect({}).not.toHaveProperty('polluted')
      expect({}).not.toHaveProperty('isAdmin')
    })

    test.each(names)(
      'property names of Object.prototype are rejected as a model, task, and language: %s',
      async (name) => {
        const { ask } = await serve()
        expect((await ask('POST', '/generate', { body: { ...asked, model: name } })).status).toBe(400)
        expect((await ask('POST', '/analyze', { body: { text: 'x', tasks: [name] } })).status).toBe(400)
        expect((await ask('GET', `/models/${name}`)).status).toBe(404)
        expect((await ask('GET', `/${name}`)).status).toBe(404)
      },
    )
  })

  describe('huge numbers', () => {
    test.each([
      ['max_tokens', '12345678901234567890'],
      ['max_tokens', '9007199254740993'],
      ['max_tokens', '1e400'],
      ['max_tokens', '-1e400'],
      ['temperature', '1e400'],
      ['temperature', '1e308'],
      ['seed', '9007199254740992'],
      ['seed', '-9007199254740992'],
      ['seed', '12345678901234567890123'],
    ])('huge numbers are rejected, never rounded: %s %s', async (field, digits) => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/generate', {
        body: `{"prompt":"x","model":"any","${field}":${digits}}`,
      })
      expect(status).toBe(400)
      expect(json.error.details.field).toBe(field)
    })
  })

  describe('text that stores would store differently', () => {
    test.each([
      ['{"prompt":"a\\u0000b","model":"any"}', 'prompt', 'must not contain NUL characters'],
      ['{"prompt":"\\ud800","model":"any"}', 'prompt', 'must be well-formed Unicode, without lone surrogates'],
      ['{"prompt":"\\udc00\\ud800","model":"any"}', 'prompt', 'must be well-formed Unicode, without lone surrogates'],
      ['{"prompt":"x","model":"a\\u0000"}', 'model', 'must not contain NUL characters'],
      ['{"prompt":"x","model":"any","stop":["ok","\\u0000"]}', 'stop[1]', 'must not contain NUL characters'],
      ['{"prompt":"x","model":"any","max_tokens":"\\u0000"}', 'max_tokens', 'must not contain NUL characters'],
    ])('text that stores would store differently is rejected with its field: %s', async (body, field, issue) => {
      const { ask } = await serve()
      const { status, json } = await ask('POST', '/generate', { body })
      expect(status).toBe(400)
      expect(json.error.details).toMatchObject({ field, issue })
    })

    test('text that stores would store differently is rejected in names of fields too', async () => {
      const { ask } = await serve()
      for (const name of ['a\\u0000', '\\ud800']) {
        const { status } = await ask('POST', '/generate', { body: `{"prompt":"x","model":"any","${name}":1}` })
        expect(status).toBe(400)
      }
    })

    test('text that stores would store differently does not include other characters, which are accepted unchanged', async () => {
      const { ask } = await serve()
      const prompt = '\u{1F9ED} é \u202E \uFFFF \x01 \u2028'
      expect((await ask('POST', '/generate', { body: { ...asked, prompt } })).status).toBe(200)
    })
  })
})
