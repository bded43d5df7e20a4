import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runMain } from '../testing/run-main.ts'
import { folderWith } from '../testing/write-files.ts'

/** An OpenAI-compatible server that answers with the key of the request, at once or when the test releases it. */
async function upstream() {
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    const key = request.headers.authorization ?? ''
    const answer = () => {
      response.setHeader('content-type', 'application/json')
      if (request.url?.endsWith('/models')) return response.end(JSON.stringify({ data: [{ id: 'any' }] }))
      const message = { role: 'assistant', content: key }
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
    }
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => (body.includes('slowly') ? waiting.push(answer) : answer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    waiting,
    release: () => waiting.splice(0).forEach((answer) => answer()),
  }
}

const provider = (baseUrl: string, more: object = {}) => ({
  use: 'openai-compatible',
  id: 'rack',
  baseUrl,
  apiKey: { env: 'RACK_API_KEY' },
  ...more,
})

interface Reply {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of any shape
  readonly json: any
}

/** The service with a configuration file and with the key of its provider in another file. */
async function served(file: string, config: string, environment: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({ [file]: config, 'rack-key': 'first\n' })
  const main = runMain(
    {
      FAIRLEAD_PROVIDERS: 'auto',
      FAIRLEAD_CONFIG: file,
      RACK_API_KEY_FILE: join(folder, 'rack-key'),
      ...environment,
    },
    folder,
  )
  const url = await main.url
  const [, key] = /^ {2}(fl_\w{49})$/m.exec(main.firstLogin) ?? []
  const send = async (path: string, request: RequestInit, token = key): Promise<Reply> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const reply = await fetch(url + path, { ...request, headers })
    return { status: reply.status, json: await reply.json() }
  }
  const post = (path: string, body: object = {}, token?: string) =>
    send(path, { method: 'POST', body: JSON.stringify(body) }, token)
  return {
    main,
    get: (path: string) => send(path, {}),
    post,
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    remove: (name: string) => rmSync(join(folder, name)),
    ask: (prompt = 'Hi', model = 'rack/any') => post('/generate', { model, prompt }),
    reload: () => post('/admin/reload'),
  }
}

const json = (url: string, more: object = {}, others: object = {}) =>
  JSON.stringify({ providers: [provider(url, more)], ...others })

describe('SIGHUP', () => {
  test('SIGHUP rotates the key of a provider while calls are in flight', async () => {
    const { url, waiting, release } = await upstream()
    const { main, ask, write } = await served('fairlead.config.json', json(url))
    const slow = ask('slowly')
    await expect.poll(() => waiting.length).toBe(1)
    write('rack-key', 'second\n')
    main.signal('SIGHUP')
    await expect.poll(() => main.output).toContain('configuration reloaded')
    expect(await ask()).toMatchObject({ status: 200, json: { data: { content: 'Bearer second' } } })
    release()
    expect(await slow).toMatchObject({ status: 200, json: { data: { content: 'Bearer first' } } })
    expect(main.output).toContain('"trigger":"SIGHUP","providers":{"added":[],"removed":[],"changed":["rack"]}')
    expect(main.output).not.toContain('second')
  })

  test('SIGHUP keeps the running configuration if the file is invalid, and logs each field with its fix', async () => {
    const { url } = await upstream()
    const { main, ask, write } = await served('fairlead.config.json', json(url))
    write('fairlead.config.json', json(url, {}, { routes: { smart: { targets: ['rock/any'] } }, tiemouts: {} }))
    main.signal('SIGHUP')
    await expect.poll(() => main.output).toContain('configuration invalid, nothing changed')
    expect(main.output).toContain('fairlead.config.json: tiemouts is not a known field; did you mean timeouts?')
    expect(await ask()).toMatchObject({ status: 200 })
  })

  test('SIGHUP to several processes adds one entry to the audit log', async () => {
    const { url } = await upstream()
    const { main, get, reload, write } = await served('fairlead.config.json', json(url), { FAIRLEAD_WORKERS: '2' })
    await expect.poll(async () => (await reload()).json.data.processes).toBe(2)
    const entries = async () => (await get('/audit?action=reloadConfiguration&actor=operator')).json.data
    write('rack-key', 'second')
    main.signal('SIGHUP')
    await expect.poll(entries).toHaveLength(1)
    // Reloads take turns: nothing of the signal is left after it.
    expect(await reload()).toMatchObject({ status: 200 })
    expect(await entries()).toMatchObject([
      { credential: null, target: { type: 'configuration' }, after: { providers: { changed: ['rack'] } } },
    ])
  })
})

describe('POST /admin/reload', () => {
  test('POST /admin/reload reports the changed providers and routes, and what needs a restart', async () => {
    const { url } = await upstream()
    const { ask, reload, write } = await served('fairlead.config.json', json(url))
    expect(await reload()).toMatchObject({ status: 200, json: { data: { providers: { changed: [] }, processes: 1 } } })
    const providers = [provider(url), provider(url, { id: 'shelf' })]
    const routes = { smart: { targets: ['shelf/any'] } }
    write('fairlead.config.json', JSON.stringify({ providers, routes, rateLimits: { writesPerMinute: 10 } }))
    expect((await reload()).json.data).toEqual({
      providers: { added: ['shelf'], removed: [], changed: [] },
      routes: { added: ['smart'], removed: [], changed: [] },
      needs_restart: ['rateLimits'],
      processes: 1,
      other_nodes_within_seconds: 60,
    })
    expect(await ask('Hi', 'smart')).toMatchObject({ json: { meta: { provider: 'shelf' } } })
  })

  test('POST /admin/reload returns 400 and changes nothing for an invalid file, a missing variable or a missing key file', async () => {
    const { url } = await upstream()
    const { ask, reload, write, remove } = await served('fairlead.config.json', json(url))
    const changes: readonly [object, RegExp][] = [
      [{ routes: { smart: { targets: ['rock/any'] } } }, /routes\.smart\.targets\[0\]/],
      [{ providers: [provider('http://x', { timeouts: 1 })] }, /providers\[0\]\.timeouts/],
      [{ providers: [provider('http://x', { apiKey: { env: 'NO_SUCH_KEY' } })] }, /NO_SUCH_KEY/],
    ]
    for (const [change, field] of changes) {
      write('fairlead.config.json', json(url, {}, change))
      const { status, json: body } = await reload()
      expect([status, body.error.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(body.error.message).toMatch(/^The request found an invalid configuration: fairlead\.config\.json: /)
      expect(body.error.message).toMatch(field)
      expect(await ask()).toMatchObject({ status: 200 })
    }
    write('fairlead.config.json', json(url))
    remove('rack-key')
    const { status, json: body } = await reload()
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('RACK_API_KEY_FILE')])
    expect(await ask()).toMatchObject({ status: 200 })
  })

  test('POST /admin/reload needs an admin', async () => {
    const { url } = await upstream()
    const { post } = await served('fairlead.config.json', json(url))
    const signup = { email: 'ada@example.com', password: 'a long enough password', name: 'Ada' }
    const { json: body } = await post('/auth/signup', signup)
    expect((await post('/admin/reload', {}, body.data.access_token)).status).toBe(403)
    expect((await post('/admin/reload', {}, 'none')).status).toBe(401)
  })

  test('POST /admin/reload imports a changed .ts file again', async () => {
    const { url } = await upstream()
    const config = (id: string) => `export default ${JSON.stringify({ providers: [provider(url, { id })] })} as object`
    const { ask, reload, write } = await served('fairlead.config.ts', config('rack'))
    write('fairlead.config.ts', config('shelf'))
    expect((await reload()).json.data.providers).toEqual({ added: ['shelf'], removed: ['rack'], changed: [] })
    expect(await ask('Hi', 'shelf/any')).toMatchObject({ status: 200 })
  })

  test('POST /admin/reload reloads all processes, or none', async () => {
    const { url } = await upstream()
    const { main, ask, reload, write } = await served('fairlead.config.json', json(url), { FAIRLEAD_WORKERS: '2' })
    // The second process starts after the first is ready.
    await expect.poll(async () => (await reload()).json.data.processes).toBe(2)
    write('fairlead.config.json', json(url, { timeouts: 1 }))
    expect((await reload()).status).toBe(400)
    write('fairlead.config.json', json(url))
    write('rack-key', 'second')
    expect((await reload()).json.data).toMatchObject({ providers: { changed: ['rack'] }, processes: 2 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask()))
    expect(new Set(answers.map(({ json: { data } }) => data.content))).toEqual(new Set(['Bearer second']))
    write('rack-key', 'third')
    main.signal('SIGHUP')
    await expect.poll(() => main.output).toContain('"trigger":"SIGHUP"')
    expect((await ask()).json.data.content).toBe('Bearer third')
  })
})
