import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type MainProcess, runMain, temporaryFolder } from './testing/run-main.ts'
import { folderWith } from './testing/write-files.ts'

const secret = 'sk-hush-4711'

function startIn(folder: string, environment: Readonly<Record<string, string>> = {}): MainProcess {
  return runMain({ FAIRLEAD_DATA_DIR: temporaryFolder(), FAIRLEAD_PROVIDERS: '', ...environment }, folder)
}

/** Asks for text with the key that the first start printed. */
async function generate(server: MainProcess, body: object) {
  const url = await server.url
  const [key = ''] = /fl_\w{49}/.exec(server.firstLogin) ?? []
  const reply = await fetch(`${url}/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()) as { data: { content: string; model: string }; meta: Record<string, unknown> }
}

describe('a start with a configuration file', () => {
  test('a start with a configuration file uses its providers, routes, aliases, cache and observer', async () => {
    const folder = folderWith({
      'fairlead.config.ts': `
        const ttlMs: number = 60_000
        export default {
          providers: ['local'],
          routes: { echo: { targets: ['local/mirror'], cache: { ttlMs } } },
          aliases: { parrot: 'echo' },
          observer: { callEnded: ({ modelCall }) => console.log('observed', modelCall.model, modelCall.cached) },
        }`,
    })
    const server = startIn(folder)
    const input = { model: 'echo', prompt: 'hello there' }
    const first = await generate(server, input)
    const second = await generate(server, input)
    expect(server.output).toMatch(/ listens on .*, with the provider local\.\n/)
    expect([first.meta['cached'], second.meta['cached'], second.meta['cost_usd']]).toEqual([false, true, 0])
    expect(second.data).toMatchObject({ model: 'echo', content: first.data.content })
    await expect.poll(() => server.output).toContain('observed echo true')
    const retired = await generate(server, { ...input, model: 'parrot', cache: false })
    expect(retired).toMatchObject({ data: { model: 'echo' }, meta: { cached: false, warnings: [{ field: 'model' }] } })
  })

  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    [
      'a route that leads nowhere',
      { 'fairlead.config.json': '{ "routes": { "smart": { "targets": ["local/scribe", "local/scrib"] } } }' },
      {},
      'fairlead.config.json: routes.smart.targets[1]: unknown model "scrib" of provider "local"; did you mean "scribe"?',
    ],
    [
      'a route that leads nowhere, beside a Redis',
      { 'fairlead.config.json': '{ "providers": ["local"], "routes": { "smart": { "targets": ["unknown/x"] } } }' },
      // Whether something listens there is all one.
      { REDIS_URL: 'redis://127.0.0.1:9' },
      'fairlead.config.json: routes.smart.targets[0]: unknown provider "unknown"',
    ],
    [
      'a key that no key can be, without telling it',
      { 'fairlead.config.json': `{ "providers": [{ "use": "openai", "apiKey": "${secret}\\n" }] }` },
      {},
      'fairlead.config.json: providers[0].apiKey has spaces at its ends',
    ],
    ['a file that is not there', {}, { FAIRLEAD_CONFIG: 'mine.json' }, 'which does not exist'],
  ])('a start with a configuration file fails for %s', async (_, files, environment, said) => {
    const server = startIn(folderWith(files), environment)
    expect(await server.end).toBe(1)
    expect(server.output).toMatch(/^Fairlead cannot start\.\n/)
    expect(server.output).toContain(said)
    expect(server.output).not.toMatch(/\n +at /)
    expect(server.output).not.toContain(secret)
  })
})

describe('a start with a key in the environment', () => {
  test('a start with a key in the environment uses the provider, lists the models of its upstream, and prints what enabled it', async () => {
    const listed = ['gpt-4o-mini-2024-07-18', 'whisper-1', 'm']
    const upstream = createServer((request, response) => {
      const isKnown = ['/v1/models', '/v1/chat/completions'].includes(request.url ?? '')
      const isOurs = request.headers.authorization === `Bearer ${secret}` && isKnown
      const message = { role: 'assistant', content: 'from upstream' }
      const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
      const body = {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        usage,
        data: listed.map((id) => ({ id })),
      }
      response.writeHead(isOurs ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...body, choices: [{ index: 0, message, finish_reason: 'stop' }] }))
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      upstream.close()
      upstream.closeAllConnections()
    })
    const { port } = upstream.address() as AddressInfo
    const server = startIn(temporaryFolder(), {
      OPENAI_API_KEY: secret,
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      FAIRLEAD_PROVIDERS: 'local,openai',
    })
    const url = await server.url
    expect(server.output).toContain(', with the providers local, openai (')
    const [key = ''] = /fl_\w{49}/.exec(server.firstLogin) ?? []
    const models = (await (await fetch(`${url}/models`, { headers: { authorization: `Bearer ${key}` } })).json()) as {
      data: { id: string; type: string; provider: string }[]
    }
    const ids = models.data.filter(({ provider }) => provider === 'openai').map(({ id }) => id)
    expect(ids).toEqual(['gpt-4o-mini-2024-07-18', 'm'])
    const { data, meta } = await generate(server, { model: 'm', prompt: 'hello' })
    expect([data.content, meta['provider'], meta['cost_usd']]).toEqual(['from upstream', 'openai', 0])
    const dated = await generate(server, { model: 'openai/gpt-4o-mini-2024-07-18', prompt: 'hello' })
    expect(dated.meta['cost_usd']).toBe(0.00000135)
    expect(server.output).not.toContain(secret)
  })
})
