import { once } from 'node:events'
import { get, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { json as readJson } from 'node:stream/consumers'
import { scripted } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

const long = scripted('long', 'a sentence of a long story. '.repeat(200))

/** The headers on the wire: `fetch` would remove the encoding. */
async function headersOf(url: string, method: string, headers: Record<string, string>, body?: string) {
  const sent = method === 'GET' ? get(url, { headers }) : request(url, { method, headers }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response.headers
}

describe('compression', () => {
  async function served() {
    const { url, caller } = await serveApp({ core: { providers: [long] } })
    return { url, headers: { authorization: `Bearer ${caller.token}`, 'accept-encoding': 'gzip' } }
  }

  test('compresses a JSON response above 1 kB for clients that accept it', async () => {
    const { url, headers } = await served()
    expect(await headersOf(`${url}/openapi.json`, 'GET', headers)).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    const plain = await headersOf(`${url}/openapi.json`, 'GET', { ...headers, 'accept-encoding': 'identity' })
    expect(plain['content-encoding']).toBeUndefined()
  })

  test('leaves a short response as it is', async () => {
    const { url, headers } = await served()
    expect((await headersOf(`${url}/healthz`, 'GET', headers))['content-encoding']).toBeUndefined()
  })

  test('leaves a response to POST as it is', async () => {
    const { url, headers } = await served()
    const json = { ...headers, 'content-type': 'application/json' }
    const reply = await headersOf(`${url}/generate`, 'POST', json, '{"model": "any", "prompt": "x"}')
    expect(Number(reply['content-length'])).toBeGreaterThan(5_000)
    expect(reply['content-encoding']).toBeUndefined()
  })
})

describe('a call, which goes past the router of Express', () => {
  const ours = 'https://app.example.com'

  /** The status and headers, and the error. Only a target in the absolute form, which few clients send, goes to the router. */
  async function answered(port: number, path: string, headers: OutgoingHttpHeaders, isAbsolute: boolean) {
    const target = isAbsolute ? `http://127.0.0.1:${port}${path}` : path
    const sent = request({ port, path: target, method: 'POST', headers })
    sent.end('{"model": "any", "prompt": "x", "messages": []}')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const { error } = (await readJson(response)) as { readonly error?: object }
    const { date: _date, 'x-request-id': _id, 'request-id': _other, ...others } = response.headers
    return { status: response.statusCode, headers: others, error }
  }

  const paths = ['/generate', '/v1/generate', '/openai/v1/chat/completions', '/anthropic/v1/messages', '/nowhere']
  const clients = [
    ['a page', { origin: ours }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a program', {}],
  ] as const

  test.each(paths.flatMap((path) => clients.map(([client, headers]) => [path, client, headers] as const)))(
    'has the same response as one that does not: %s from %s',
    async (path, _client, own) => {
      const { port, caller } = await serveApp({ config: { corsOrigins: [ours] } })
      for (const authorization of [`Bearer ${caller.token}`, 'Bearer wrong']) {
        const headers = { authorization, 'content-type': 'application/json', ...own }
        const response = await answered(port, path, headers, false)
        expect(response).toEqual(await answered(port, path, headers, true))
        expect(response.headers.vary).toContain('Origin')
        expect(response.headers['x-content-type-options']).toBe('nosniff')
      }
    },
  )
})
