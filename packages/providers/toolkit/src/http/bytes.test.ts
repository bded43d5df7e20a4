import { replaying, type UpstreamAnswer } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { schema, textUpstream } from '../testing/text-upstream.ts'

const { client, upstream } = textUpstream()
const { signal } = new AbortController()

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff])
const sendPng: UpstreamAnswer = (response) =>
  void response.writeHead(200, { 'content-type': 'image/PNG; q=1' }).end(png)

const endless: UpstreamAnswer = (response) => {
  response.writeHead(200, { 'content-type': 'image/png' })
  const more = () => {
    while (!response.destroyed && response.write('a'.repeat(64 * 1024)));
  }
  response.on('drain', more)
  more()
}

describe('bytes of a reply', () => {
  test('bytes of a reply are returned with their type', async () => {
    upstream().answer(sendPng)
    const expected = { bytes: Buffer.from(png), mediaType: 'image/png' }
    expect(await client().getBytes({ path: '/image', signal })).toEqual(expected)
    expect(await client().postForBytes({ path: '/draw', body: { prompt: 'a cat' }, signal })).toEqual(expected)
    expect(upstream().requests.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['POST', { prompt: 'a cat' }],
    ])
  })

  test('bytes of a reply are limited', async () => {
    upstream().answer(endless)
    const call = client().getBytes({ path: '/image', signal, maxBytes: 100_000 })
    await expect(call).rejects.toMatchObject({
      failure: 'give_up',
      message: 'acme: the reply has more than 100000 bytes',
    })
  })

  test.each([
    ['JSON', replaying({ json: { text: 'no' } }), 'give_up', 'acme: the reply is application/json instead of bytes'],
    [
      'a page',
      replaying({ headers: { 'content-type': 'text/html' }, text: '<html>' }),
      'retry',
      'acme: the reply is text/html instead of bytes',
    ],
    ['an error', replaying({ status: 429, json: {} }), 'rate_limited', 'acme: answered 429: {}'],
  ])('bytes of a reply are not %s', async (_case, answer, failure, message) => {
    upstream().answer(answer)
    await expect(client().getBytes({ path: '/image', signal })).rejects.toMatchObject({ failure, message })
    await expect(client().postForChunks({ path: '/speak', body: {}, signal }).next()).rejects.toMatchObject({ failure })
  })

  test('bytes of a reply that is an error with status 200 are classified by it', async () => {
    upstream().answer(replaying({ json: { error: 'rude' } }))
    const explainError = () => ({ failure: 'content_refused', message: 'rude' }) as const
    await expect(client({ explainError }).getBytes({ path: '/image', signal })).rejects.toMatchObject({
      failure: 'content_refused',
      detail: 'rude',
    })
  })

  test('bytes of a reply can be read as they arrive', async () => {
    let finish = () => {}
    upstream().answer((response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('one')
      finish = () => void response.end('two')
    })
    const chunks = client().postForChunks({ path: '/speak', body: {}, signal })
    expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe('one')
    finish()
    expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe('two')
    expect(await chunks.next()).toEqual({ done: true, value: undefined })
  })

  test('bytes of a reply that are read as they arrive are limited, and the connection is closed', async () => {
    let hungUp: Promise<void> | undefined
    upstream().answer((response, request) => {
      hungUp = request.hungUp
      return endless(response, request)
    })
    const read = async () => {
      const chunks = client().postForChunks({ path: '/', body: {}, signal, maxBytes: 1_000_000 })
      for await (const { length } of chunks) expect(length).toBeGreaterThan(0)
    }
    await expect(read()).rejects.toMatchObject({ failure: 'give_up' })
    await hungUp
  })
})

describe('a body that is not JSON', () => {
  /** The request as the upstream got it, with the form that its body is. */
  async function send(body: unknown, more: object = {}) {
    const forms: Promise<FormData>[] = []
    upstream().answer((response, { headers, text }) => {
      const type = headers['content-type'] ?? ''
      if (/form/.test(type)) forms.push(new Response(text, { headers: { 'content-type': type } }).formData())
      return replaying({ json: { text: 'ok' } })(response, upstream().requests.at(-1)!)
    })
    await client().postJson({ path: '/upload', body, schema, signal, ...more })
    const { headers, text } = upstream().requests.at(-1)!
    return { type: headers['content-type'], length: headers['content-length'], text, form: await forms[0] }
  }

  test('a body that is not JSON may be a form with files and fields', async () => {
    const body = new FormData()
    body.append('purpose', 'żółw')
    body.append('file', new Blob(['the file'], { type: 'text/plain' }), 'a.txt')
    const { type, length, text, form } = await send(body)
    expect(type).toMatch(/^multipart\/form-data; boundary=/)
    expect(Number(length)).toBe(Buffer.byteLength(text))
    expect(form?.get('purpose')).toBe('żółw')
    const file = form?.get('file') as File
    expect([file.name, file.type, await file.text()]).toEqual(['a.txt', 'text/plain', 'the file'])
  })

  test('a body that is not JSON may be form fields, as token endpoints require', async () => {
    const { type, text } = await send(new URLSearchParams({ grant_type: 'client_credentials', scope: 'a b' }))
    expect(type).toMatch(/^application\/x-www-form-urlencoded/)
    expect(text).toBe('grant_type=client_credentials&scope=a+b')
  })

  test.each([
    ['bytes', () => Buffer.from('sound'), 'application/octet-stream'],
    ['an ArrayBuffer', () => Uint8Array.from(Buffer.from('sound')).buffer, 'application/octet-stream'],
    ['a Blob', () => new Blob(['sound'], { type: 'audio/mpeg' }), 'audio/mpeg'],
    ['a stream of the web', () => new Blob(['so', 'und']).stream(), 'application/octet-stream'],
    ['a generator', () => pieces('so', 'und'), 'application/octet-stream'],
  ])('a body that is not JSON may be %s', async (_case, make, type) => {
    expect(await send(make())).toMatchObject({ type, text: 'sound' })
    expect(await send(make(), { headers: { 'content-type': 'audio/wav' } })).toMatchObject({ type: 'audio/wav' })
  })

  test.each([
    ['bytes', () => Buffer.alloc(11)],
    ['a stream', () => pieces('012345', '67890')],
  ])('a body that is not JSON is limited (%s)', async (_case, make) => {
    const post = { path: '/upload', body: make(), schema, signal, maxUploadBytes: 10 }
    await expect(client().postJson(post)).rejects.toMatchObject({
      failure: 'invalid_request',
      detail: 'The upload has more than 10 bytes.',
    })
  })

  test('a body that is an object with a method is JSON', async () => {
    class Prompt {
      readonly text = 'hi'
      toJSON() {
        return { prompt: this.text }
      }
    }
    expect(await send(new Prompt())).toMatchObject({ type: 'application/json', text: '{"prompt":"hi"}' })
  })
})

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}
