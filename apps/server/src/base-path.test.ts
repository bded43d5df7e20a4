import { scripted, fakePainter } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { start } from './start.ts'
import { pathProxy } from './testing/path-proxy.ts'
import { temporaryFolder } from './testing/run-main.ts'

async function served(mode: 'keeps' | 'removes') {
  const { origin, home, passTo, close } = await pathProxy(mode)
  onTestFinished(close)
  const config = readConfig({ PORT: '0', FAIRLEAD_DATA_DIR: temporaryFolder(), FAIRLEAD_BASE_URL: `${home}/` })
  const node = await start(config, {
    service: { name: 'Fairlead', version: '1.2.3' },
    logTo: { write: () => {} },
    loadProviders: async () => [scripted('calm', 'hello there'), fakePainter('brush')],
    graceMs: 0,
  })
  onTestFinished(() => node.stop())
  passTo(node.port)
  const { apiKey } = node.firstAdmin!
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(home + path, {
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${apiKey}`, ...init.headers },
    })
  const post = (path: string, body: object) =>
    ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { origin, home, ask, post }
}

const html = { accept: 'text/html' }

/** The addresses in a page that a browser loads at once. */
function findAssets(page: string, address: string): readonly string[] {
  return [...page.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, link = '']) => new URL(link, address).href)
    .filter((link) => !link.startsWith('data:'))
}

describe.each(['keeps', 'removes'] as const)('under a path that the proxy %s', (mode) => {
  test('the pages of the API load all of their files', async () => {
    const { home, ask } = await served(mode)
    for (const path of ['/docs', '/graphql']) {
      const response = await ask(path, { headers: html })
      expect([path, response.status]).toEqual([path, 200])
      const assets = findAssets(await response.text(), response.url)
      expect(assets.length).toBeGreaterThan(0)
      for (const asset of assets) {
        expect(asset).toContain(`${home}/`)
        expect([asset, (await fetch(asset)).status]).toEqual([asset, 200])
      }
    }
  })

  test('every surface answers', async () => {
    const { ask, post } = await served(mode)
    const messages = [{ role: 'user', content: 'Hi' }]
    // Before the others: while these load their code, the stores may take longer than it waits.
    const ready = await ask('/readyz')
    const others = await Promise.all([
      ask('/healthz'),
      ask('/metrics'),
      ask('/openapi.yaml'),
      ask('/models'),
      ask('/v1/models'),
      ask('/api/v1/models?type=text'),
      ask('/openai/v1/models'),
      ask('/anthropic/v1/models'),
      post('/generate', { model: 'any', prompt: 'Hi' }),
      post('/graphql', { query: '{ models { id } }' }),
      post('/openai/v1/chat/completions', { model: 'any', messages }),
      post('/v1/chat/completions', { model: 'any', messages }),
      post('/anthropic/v1/messages', { model: 'any', messages, max_tokens: 9 }),
    ])
    const answers = [ready, ...others]
    expect(answers.map(({ url, status }) => [url, status])).toEqual(answers.map(({ url }) => [url, 200]))
  })

  test('every link has the path', async () => {
    const { origin, home, ask, post } = await served(mode)
    for (const path of ['', '/', '?from=mail']) {
      expect((await ask(path, { headers: html })).headers.get('location')).toBe('/ai/dashboard')
    }
    const service = (await (await ask('/')).json()) as {
      data: { documents: Record<string, string>; paths: readonly string[] }
    }
    for (const path of [service.data.documents['openapi'], service.data.documents['docs']]) {
      expect((await fetch(origin + path)).status).toBe(200)
    }
    expect(service.data.paths).toContain('GET /ai/models')
    for (const path of service.data.paths) {
      const [, , part] = path.split('/')
      expect(() => readConfig({ FAIRLEAD_BASE_URL: `${origin}/${part}` })).toThrow('own paths')
    }
    const document = (await (await ask('/openapi.json')).json()) as { servers: object }
    expect(document.servers).toEqual([{ url: home }])
    const party = { name: 'Ada', street: '1 Main St', city: 'Oslo', postal_code: '0150', country: 'NO' }
    const parcels = [{ weight_kg: 1, length_cm: 1, width_cm: 1, height_cm: 1 }]
    const created = await post('/shipments', { reference: 'r1', origin: party, destination: party, parcels })
    const location = created.headers.get('location') ?? ''
    expect([created.status, location]).toEqual([201, expect.stringMatching(/^\/ai\/shipments\/shp_/)])
    expect((await ask(location.slice('/ai'.length))).status).toBe(200)
    expect(await (await ask('/nowhere')).text()).toContain('GET /ai/ lists the routes.')
  })

  test('images have addresses that work, over REST and for clients of OpenAI', async () => {
    const { home, post } = await served(mode)
    const rest = (await (await post('/generate/image', { model: 'picture', prompt: 'A cat' })).json()) as {
      data: { url: string }
    }
    const openai = (await (
      await post('/openai/v1/images/generations', { model: 'picture', prompt: 'A cat', response_format: 'url' })
    ).json()) as { data: [{ url: string }] }
    for (const url of [rest.data.url, openai.data[0].url]) {
      expect(url).toContain(`${home}/`)
      expect((await fetch(url)).status).toBe(200)
    }
  })

  test('the session cookie is for that path only', async () => {
    const { post } = await served(mode)
    const body = { email: 'ada@example.com', password: 'a long enough password', name: 'Ada', session: 'cookie' }
    const cookie = (await post('/auth/signup', body)).headers.get('set-cookie')
    expect(cookie).toMatch(/^fairlead_session=\w+; Max-Age=\d+; Path=\/ai; HttpOnly; SameSite=Strict$/)
  })
})

describe('FAIRLEAD_BASE_URL', () => {
  test.each(['/v1', '/openai', '/graphql', '/docs/'])(
    'FAIRLEAD_BASE_URL must not have the path %s of the service itself',
    (path) => {
      expect(() => readConfig({ FAIRLEAD_BASE_URL: `https://example.com${path}` })).toThrow(
        "FAIRLEAD_BASE_URL must not have one of the service's own paths",
      )
    },
  )
})
