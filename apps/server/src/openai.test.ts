import { embedder, fakePainter, scripted } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

const providers = [scripted('calm', 'hello there'), fakePainter('brush'), embedder('vectors')]

async function serve() {
  const app = await serveApp({ core: { providers } })
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await app.ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of any shape
    return { status: response.status, json: (await response.json()) as any }
  }
  return { ...app, post }
}

describe('the service, for clients of OpenAI', () => {
  test.each(['/openai/v1', '/v1'])('the service for clients of OpenAI answers under %s', async (base) => {
    const { post } = await serve()
    const messages = [{ role: 'user', content: 'Hi' }]
    expect((await post(`${base}/chat/completions`, { model: 'any', messages })).json.object).toBe('chat.completion')
    expect((await post(`${base}/completions`, { model: 'any', prompt: 'Hi' })).json.object).toBe('text_completion')
    expect((await post(`${base}/embeddings`, { model: 'vectors', input: 'Hi' })).json.object).toBe('list')
    expect((await post(`${base}/responses`, { model: 'any', input: 'Hi' })).json.object).toBe('response')
  })

  test.each(['/openai/v1', '/v1'])(
    'the service for clients of OpenAI serves the images that it generates under %s',
    async (base) => {
      const { post, url } = await serve()
      const { json } = await post(`${base}/images/generations`, { model: 'picture', prompt: 'A cat' })
      const { origin, pathname } = new URL(json.data[0].url)
      expect(origin).toBe('https://ai.example.com')
      const image = await fetch(url + pathname)
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    },
  )

  test('the service for clients of OpenAI lists models in the form of OpenAI alone under /openai/v1', async () => {
    const { ask } = await serve()
    const { data, ...list } = (await (await ask('/openai/v1/models')).json()) as { data: object[] }
    expect(list).toEqual({ object: 'list' })
    expect(data[0]).toEqual({ id: 'any', object: 'model', created: expect.any(Number), owned_by: 'calm' })
  })

  test('the service for clients of OpenAI logs the whole path of a request', async () => {
    const { post, lines } = await serve()
    await post('/openai/v1/completions', { model: 'any', prompt: 'Hi' })
    await expect.poll(() => lines.join('')).toMatch('"route":"/openai/v1/completions"')
  })
})
