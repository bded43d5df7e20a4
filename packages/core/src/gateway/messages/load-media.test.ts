import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { OutboundError } from '../../runtime/outbound/send-outbound.ts'
import { createOutbound, type Outbound } from '../../runtime/outbound/outbound.ts'
import { blankPng, fakeOutbound, scripted, fakeTextModel, testCore } from '@fairlead/testing'
import type { TextModel } from '../model.ts'
import type { Provider, TextRequest } from '../provider.ts'

const png = Buffer.from(blankPng(8, 8))
const pngUrl = 'https://images.example/a.png'

interface Page {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** Responds with these pages, by their URLs. */
function web(pages: Readonly<Record<string, Page>>): Outbound & { readonly asked: readonly string[] } {
  const asked: string[] = []
  return {
    ...fakeOutbound(),
    asked,
    async request(url) {
      asked.push(url)
      const { status = 200, headers = {}, body = Buffer.alloc(0) } = pages[url] ?? { status: 404 }
      return { status, headers, body, truncated: false }
    },
  }
}

async function setup(outbound: Outbound, facts: Partial<TextModel> = {}) {
  const requests: TextRequest[] = []
  const calm = scripted('calm', 'hello')
  const provider: Provider = {
    ...calm,
    models: [fakeTextModel({ vision: true, streaming: true, ...facts })],
    generateText: async (request, call) => {
      requests.push(request)
      return calm.generateText!(request, call)
    },
    streamText: (request, call) => {
      requests.push(request)
      return calm.streamText!(request, call)
    },
  }
  const world = await testCore({ providers: [provider], media: { outbound } })
  const generate = (...parts: readonly object[]) =>
    world.core.run(operations.generate, world.caller, {
      model: 'any',
      messages: [
        { role: 'system', content: 'Look.' },
        { role: 'user', content: [{ type: 'text', text: 'What is it?' }, ...parts] },
      ],
    })
  const sent = () => requests.map(({ messages }) => messages[1]?.content.slice(1))
  return { ...world, requests, generate, sent }
}

describe('images and files that messages have as URLs', () => {
  test('images and files that messages have as URLs are loaded once each, and sent as data', async () => {
    const pdf = Buffer.from('%PDF-1.7')
    const pages = {
      [pngUrl]: { body: png },
      'https://files.example/a.pdf': { body: pdf, headers: { 'content-type': 'application/pdf; q=1' } },
    }
    const outbound = web(pages)
    const { generate, sent } = await setup(outbound)
    const image = { type: 'image', url: pngUrl }
    const file = { type: 'file', url: 'https://files.example/a.pdf', mediaType: 'application/pdf', filename: 'a.pdf' }
    expect(await generate(image, file, image)).toMatchObject({ success: true })
    const loaded = { type: 'image', source: { kind: 'data', mediaType: 'image/png', data: png.toString('base64') } }
    const bytes = { kind: 'data', mediaType: 'application/pdf', data: pdf.toString('base64') }
    const document = { type: 'file', filename: 'a.pdf', source: bytes }
    expect(sent()).toEqual([[loaded, document, loaded]])
    expect([...outbound.asked].sort()).toEqual(Object.keys(pages).sort())
  })

  test('images and files that messages have as URLs are loaded from the results of tools', async () => {
    const { fairlead, requests } = await setup(web({ [pngUrl]: { body: png } }), { tools: true })
    await fairlead.generate({
      model: 'any',
      messages: [
        { role: 'user', content: 'Take a picture.' },
        { role: 'assistant', content: [{ type: 'tool_call', id: 'c', name: 'camera', input: {} }] },
        {
          role: 'tool',
          content: [{ type: 'tool_result', toolCallId: 'c', content: [{ type: 'image', url: pngUrl }] }],
        },
      ],
    })
    const content = [{ type: 'image', source: { kind: 'data', mediaType: 'image/png', data: png.toString('base64') } }]
    expect(requests[0]?.messages[2]?.content).toMatchObject([{ type: 'tool_result', content }])
  })

  test('images and files that messages have as URLs are loaded before a stream', async () => {
    const { fairlead, requests } = await setup(web({ [pngUrl]: { body: png } }))
    const messages = [{ role: 'user', content: [{ type: 'image', url: pngUrl }] }] as const
    const stream = fairlead.generate.stream({ model: 'any', messages })
    for await (const { content } of stream) expect(content).toBe('hello')
    expect(requests[0]?.messages[0]?.content).toMatchObject([
      { type: 'image', source: { kind: 'data', data: png.toString('base64') } },
    ])
  })

  test('images and files that messages have as URLs are left to models that load URLs themselves', async () => {
    const outbound = web({})
    const { generate, sent } = await setup(outbound, { urls: true })
    await generate({ type: 'image', url: pngUrl })
    expect(sent()).toEqual([[{ type: 'image', source: { kind: 'url', url: pngUrl } }]])
    expect(outbound.asked).toEqual([])
  })

  test('images and files that messages have as URLs follow three redirects', async () => {
    const to = (location: string) => ({ status: 302, headers: { location } })
    const outbound = web({
      'https://a.example/': to('/b'),
      'https://a.example/b': to('https://c.example/'),
      'https://c.example/': to(pngUrl),
      [pngUrl]: { body: png },
      'https://d.example/': to('https://a.example/'),
    })
    const { generate } = await setup(outbound)
    expect(await generate({ type: 'image', url: 'https://a.example/' })).toMatchObject({ success: true })
    expect(await generate({ type: 'image', url: 'https://d.example/' })).toMatchObject({
      error: { details: { issue: 'cannot be loaded: the server redirected more than 3 times' } },
    })
  })

  test.each<[string, object, Page, string]>([
    ['a status other than 200', {}, { status: 403 }, 'cannot be loaded: the server responded with 403'],
    ['no image', {}, { body: Buffer.from('<html>') }, 'must be an image of type image/png'],
    [
      'a file of another media type',
      { type: 'file', mediaType: 'application/pdf' },
      { headers: { 'content-type': 'text/html; charset=utf-8' } },
      'has the media type "text/html", not "application/pdf"',
    ],
    [
      'a redirect to an invalid URL',
      {},
      { status: 301, headers: { location: 'https://' } },
      'redirected to an invalid URL',
    ],
  ])(
    'images and files that messages have as URLs reject %s, free of charge, and name the part',
    async (_case, part, page, issue) => {
      const { generate, requests, stores, keyId } = await setup(web({ [pngUrl]: page }))
      const reply = await generate({ type: 'image', url: pngUrl, ...part })
      expect(reply).toMatchObject({
        error: { code: 'INVALID_REQUEST', details: { field: 'messages[1].content[1].url' } },
      })
      expect(reply).toHaveProperty('error.details.issue', expect.stringContaining(issue))
      expect(requests).toEqual([])
      expect(await stores.read((view) => view.counters.peek(keyId))).toMatchObject({ used: 0 })
    },
  )

  test('images and files that messages have as URLs are limited to 100 URLs, 20 at a time', async () => {
    let inFlight = 0
    let most = 0
    const request: Outbound['request'] = async () => {
      most = Math.max(most, ++inFlight)
      await new Promise((resolve) => setImmediate(resolve))
      inFlight--
      return { status: 200, headers: {}, body: png, truncated: false }
    }
    const { generate } = await setup({ ...fakeOutbound(), request })
    const images = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ type: 'image', url: `https://images.example/${at}` }))
    expect(await generate(...images(100))).toMatchObject({ success: true })
    expect(most).toBe(20)
    const field = 'messages[1].content[101].url'
    expect(await generate(...images(101))).toMatchObject({ error: { details: { field } } })
  })

  test('images and files that messages have as URLs end when the caller closes the request', async () => {
    const aborted: unknown[] = []
    const request: Outbound['request'] = (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          aborted.push(signal.reason)
          reject(signal.reason)
        })
      })
    const { fairlead, requests } = await setup({ ...fakeOutbound(), request })
    const messages = [{ role: 'user', content: [{ type: 'image', url: pngUrl }] }] as const
    const caller = new AbortController()
    const reply = fairlead.generate({ model: 'any', messages }, { signal: caller.signal })
    setImmediate(() => caller.abort(new Error('closed')))
    await expect(reply).rejects.toThrow('closed')
    expect(aborted).toHaveLength(1)
    expect(requests).toEqual([])
  })
})

describe('the guard of media', () => {
  async function serve(listener: RequestListener) {
    const server = createServer(listener).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    return (server.address() as AddressInfo).port
  }

  /** Every host name resolves to the test server. */
  const local = (allowNetworks: readonly string[]) =>
    createOutbound({ allowNetworks, setting: 'ALLOWED', resolve: async () => ['127.0.0.1'] })

  test.each([
    ['https://169.254.169.254/latest', 'must not'],
    ['https://127.0.0.1/', 'must not'],
    ['https://[::1]/', 'must not'],
    ['https://inside.example/', 'must have a host name that resolves to a public address'],
  ])('the guard of media rejects %s without contacting it', async (url, issue) => {
    const { generate, requests } = await setup(local([]))
    const reply = await generate({ type: 'image', url })
    const reason = expect.stringContaining(`cannot be loaded: the URL ${issue}`)
    expect(reply).toHaveProperty('error.details.issue', reason)
    expect(requests).toEqual([])
  })

  test('the guard of media does not tell callers the addresses of the network', async () => {
    const { generate } = await setup({
      ...fakeOutbound(),
      request: () => Promise.reject(new OutboundError('connect', 'connect ECONNREFUSED 10.1.2.3:443')),
    })
    const reply = await generate({ type: 'image', url: pngUrl })
    const issue = 'cannot be loaded: the server could not be reached'
    expect(reply).toMatchObject({ error: { details: { field: 'messages[1].content[1].url', issue } } })
  })

  test('the guard of media checks the target of a redirect', async () => {
    let contacted = 0
    const port = await serve((_request, response) => {
      contacted++
      response.writeHead(302, { location: `http://169.254.169.254/` }).end()
    })
    const outbound = local(['listed.example'])
    const redirecting: Outbound = {
      ...outbound,
      request: (url, request) =>
        outbound.request(url.replace('https://listed.example', `http://listed.example:${port}`), request),
    }
    const { generate } = await setup(redirecting)
    const reply = await generate({ type: 'image', url: 'https://listed.example/' })
    expect(contacted).toBe(1)
    expect(reply).toHaveProperty('error.details.issue', expect.stringContaining('link-local or cloud metadata address'))
  })

  test('the guard of media limits all responses of a request together to 20 MiB', async () => {
    const port = await serve((_request, response) => response.end(Buffer.alloc(12 * 1_048_576)))
    const outbound = local(['listed.example'])
    const request: Outbound['request'] = (url, options) =>
      outbound.request(url.replace('https://listed.example', `http://listed.example:${port}`), options)
    const { generate } = await setup({ ...outbound, request })
    const file = (name: string) => ({
      type: 'file',
      mediaType: 'application/pdf',
      url: `https://listed.example/${name}`,
    })
    expect(await generate(file('a'))).toMatchObject({ success: true })
    expect(await generate(file('a'), file('b'))).toMatchObject({
      error: { details: { issue: 'cannot be loaded: the images and files of a request may have 20 MiB together' } },
    })
  })
})
