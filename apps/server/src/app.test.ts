import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import { scripted } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

const long = scripted('long', 'a sentence of a long story. '.repeat(200))

/** The headers on the wire: `fetch` would remove the encoding. */
async function fetchHeaders(url: string, method: string, headers: Record<string, string>, body?: string) {
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

  test('compression compresses a JSON response above 1 kB for clients that accept it', async () => {
    const { url, headers } = await served()
    expect(await fetchHeaders(`${url}/openapi.json`, 'GET', headers)).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    const plain = await fetchHeaders(`${url}/openapi.json`, 'GET', { ...headers, 'accept-encoding': 'identity' })
    expect(plain['content-encoding']).toBeUndefined()
  })

  test('compression leaves a short response as it is', async () => {
    const { url, headers } = await served()
    expect((await fetchHeaders(`${url}/healthz`, 'GET', headers))['content-encoding']).toBeUndefined()
  })

  test('compression leaves a response to POST as it is', async () => {
    const { url, headers } = await served()
    const json = { ...headers, 'content-type': 'application/json' }
    const reply = await fetchHeaders(`${url}/generate`, 'POST', json, '{"model": "any", "prompt": "x"}')
    expect(Number(reply['content-length'])).toBeGreaterThan(5_000)
    expect(reply['content-encoding']).toBeUndefined()
  })
})
