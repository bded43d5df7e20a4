import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { maxCallMs } from '@fairlead/core/server'
import { type Provider, ProviderError, textEvents } from '@fairlead/core/provider'
import { failing, held, fakePainter, scripted, fakeTextModel, testStores } from '@fairlead/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { connectionTimeout, createServer } from './http-server.ts'
import { serveApp } from './testing/serve-app.ts'

/** A connection that sends a text and records the response and the close. */
function open(port: number, text: string) {
  const socket = Object.assign(connect(port, '127.0.0.1'), { heard: '', gone: false })
  socket.setEncoding('latin1')
  socket.on('data', (data) => (socket.heard += data))
  socket.on('close', () => (socket.gone = true))
  socket.on('error', () => {})
  socket.write(text)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Holds up the event loop, as a long computation does. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Begins to answer, and goes on until the caller leaves. */
const dripping: Provider = {
  contract: 2,
  id: 'drip',
  models: [fakeTextModel({ streaming: true })],
  streamText: (_request, { signal }) => textEvents(words(signal)),
}

async function* words(signal: AbortSignal) {
  yield 'one'
  await once(signal, 'abort')
  throw signal.reason
}

describe('a connection that waits for its next request', () => {
  test('a connection that waits for its next request is not reset when that arrives while the event loop is held up', async () => {
    const { port } = await serveApp({ limits: { keepAliveTimeout: 200 } })
    const get = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
    const socket = open(port, get)
    await expect.poll(() => socket.heard).toMatch(/^HTTP\/1\.1 200 /)
    socket.heard = ''
    // After this phase of the event loop, the timers that are due come first.
    await nextTurn()
    socket.write(get)
    // Node adds a second to the timeout, which ends meanwhile.
    stall(1_500)
    await expect.poll(() => socket.heard).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('slow clients', () => {
  test('slow clients are disconnected while they send headers, and others are served meanwhile', async () => {
    const { port, ask } = await serveApp({ limits: { headersTimeout: 300, requestTimeout: 5_000 } })
    const slow = Array.from({ length: 200 }, () => open(port, 'POST /generate HTTP/1.1\r\nHost: a\r\nX-Slow: '))
    const drip = setInterval(() => slow.forEach((socket) => socket.writable && socket.write('x')), 50)
    onTestFinished(() => clearInterval(drip))
    expect((await ask('/models')).status).toBe(200)
    await expect.poll(() => slow.filter(({ gone }) => !gone).length).toBe(0)
    expect(slow[0]?.heard).toMatch(/^HTTP\/1\.1 408 /)
    expect((await ask('/models')).status).toBe(200)
  })

  test('slow clients are disconnected while they send a body', async () => {
    const { port, caller } = await serveApp({ limits: { headersTimeout: 300, requestTimeout: 300 } })
    const socket = open(
      port,
      'POST /generate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
        `Authorization: Bearer ${caller.token}\r\nContent-Length: 1000\r\n\r\n{`,
    )
    await expect.poll(() => socket.gone).toBe(true)
    expect(socket.heard).not.toMatch(/ 200 /)
  })

  test('slow clients are disconnected when they send nothing, before a first request and after one', async () => {
    const { port } = await serveApp({ limits: { keepAliveTimeout: 100, headersTimeout: 200, timeout: 400 } })
    const silent = open(port, '')
    const after = open(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => [silent.gone, after.gone]).toEqual([true, true])
    expect(after.heard).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('slow clients get an error for endless headers', async () => {
    const { port } = await serveApp()
    const socket = open(port, `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}`)
    await expect.poll(() => socket.gone).toBe(true)
    expect(socket.heard).toMatch(/^HTTP\/1\.1 431 /)
  })
})

describe('the limits of the server', () => {
  test('the limits of the server are those documented in docs/running.md', () => {
    const { server } = createServer(() => {}, { isSecure: false })
    expect(server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      timeout: 660_000,
      connectionsCheckingInterval: 2_000,
      maxConnections: 12_000,
      maxRequestsPerSocket: 1_000,
    })
  })

  test('the limits of the server keep a connection open for a minute longer than the longest whole answer of a route', () => {
    const silence = (config: Parameters<typeof maxCallMs>[0]) => connectionTimeout(maxCallMs(config))
    expect(silence({})).toBe(660_000)
    const routes = { slow: { targets: ['a/b'], timeouts: { totalMs: 3_600_000 } } }
    expect(silence({ timeouts: { totalMs: 60_000 }, routes })).toBe(3_660_000)
  })

  test('the limits of the server close a connection over the maximum at once', async () => {
    const { port } = await serveApp({ limits: { maxConnections: 1 } })
    const first = open(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => first.heard).toMatch(/^HTTP\/1\.1 200 /)
    const second = open(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => second.gone).toBe(true)
    expect([first.gone, second.heard]).toEqual([false, ''])
  })

  test('the limits of the server close a connection with the last request that it may carry', async () => {
    const { port } = await serveApp({ limits: { maxRequestsPerSocket: 2 } })
    const socket = open(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2))
    const connections = () => socket.heard.match(/^connection: .*$/gim)
    await expect.poll(connections).toEqual(['Connection: keep-alive', 'Connection: close'])
  })

  test('the limits of the server close a connection without traffic while it waits for a response', async () => {
    const { port, caller } = await serveApp({ limits: { timeout: 200 }, core: { providers: [held('slow')] } })
    const body = JSON.stringify({ model: 'any', prompt: 'x' })
    const socket = open(
      port,
      'POST /generate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
        `Authorization: Bearer ${caller.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await expect.poll(() => socket.gone).toBe(true)
    expect(socket.heard).toBe('')
  })
})

describe('the probes', () => {
  const away = () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:5432'))
  const hangs = () => new Promise<never>(() => {})

  async function probed(outage: 'none' | 'away' | 'hangs' | 'draining' | 'provider') {
    const stores = testStores()
    const served = await serveApp({
      core: {
        stores: { ...stores, ...(outage === 'away' && { read: away }), ...(outage === 'hangs' && { read: hangs }) },
        ...(outage === 'provider' && { providers: [failing('down', 'give_up')] }),
      },
      timeoutMs: 50,
    })
    if (outage === 'draining') served.drain()
    const [healthz, readyz] = [await fetch(`${served.url}/healthz`), await fetch(`${served.url}/readyz`)]
    return { ...served, healthz, readyz }
  }

  test.each([
    ['nothing is wrong', 'none', 200, 200],
    ['the store is unavailable', 'away', 200, 503],
    ['the store hangs', 'hangs', 200, 503],
    ['the server drains', 'draining', 200, 503],
    ['a provider is down, which others may stand in for', 'provider', 200, 200],
  ] as const)('the probes report the state when %s', async (_case, outage, health, ready) => {
    const { healthz, readyz } = await probed(outage)
    expect([healthz.status, readyz.status]).toEqual([health, ready])
    expect(await healthz.json()).toEqual({ status: 'ok' })
    expect(await readyz.json()).toEqual({ status: ready === 200 ? 'ready' : 'not ready' })
  })

  test('the probes return to ready with the store', async () => {
    const stores = testStores()
    let isAway = true
    const read: typeof stores.read = (work) => (isAway ? away() : stores.read(work))
    const { url } = await serveApp({ core: { stores: { ...stores, read } } })
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    isAway = false
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  test('the probes need no key, allow GET and HEAD at one path, and are logged at debug level', async () => {
    const { url, lines } = await serveApp()
    for (const probe of ['/healthz', '/readyz']) {
      expect((await fetch(url + probe, { method: 'HEAD' })).status).toBe(200)
      expect((await fetch(url + probe, { method: 'POST' })).status).toBe(405)
      for (const other of [probe.toUpperCase(), `${probe}/`, `/v1${probe}`]) {
        expect((await fetch(url + other)).status).toBe(404)
      }
    }
    const probes = lines.map((line) => JSON.parse(line)).filter(({ route }) => route.endsWith('z'))
    expect(probes).toHaveLength(4)
    expect(new Set(probes.map(({ level }) => level))).toEqual(new Set([20]))
  })
})

describe('an unexpected error', () => {
  test('an unexpected error is masked outside of the adapters too', async () => {
    const inside = new TypeError('isPromise is not a function at /srv/node_modules/router/lib/layer.js')
    const { url, logged, readiness } = await serveApp()
    Object.assign(readiness, { check: () => Promise.reject(inside) })
    const reply = await fetch(`${url}/readyz`)
    const text = await reply.text()
    expect(reply.status).toBe(500)
    expect(JSON.parse(text)).toMatchObject({
      success: false,
      error: {
        code: 'INTERNAL_ERROR',
        message: 'Internal server error. Quote the request id when you contact support.',
      },
      meta: { request_id: reply.headers.get('x-request-id') },
    })
    expect(text).not.toMatch(/isPromise|node_modules|<pre>/)
    expect(logged).toMatchObject([{ level: 'error', facts: { error: inside } }])
  })
})

describe('every response of the service', () => {
  test('every response of the service has security headers', async () => {
    const { ask } = await serveApp()
    for (const path of ['/', '/models', '/nowhere', '/healthz', '/metrics']) {
      const { headers } = await ask(path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('strict-transport-security')).toMatch(/max-age=/)
      expect(headers.has('x-powered-by')).toBe(false)
      expect(headers.has('access-control-allow-origin')).toBe(false)
    }
  })

  test('every response of the service has Strict-Transport-Security only over https', async () => {
    const { ask } = await serveApp({ baseUrl: 'http://127.0.0.1:8080' })
    expect((await ask('/')).headers.has('strict-transport-security')).toBe(false)
  })

  test('every response of the service allows other sites to embed images', async () => {
    const { ask } = await serveApp({ core: { providers: [fakePainter('brush')] } })
    const body = JSON.stringify({ prompt: 'a lake', model: 'picture' })
    const made = await ask('/generate/image', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example' },
    })
    const { url } = ((await made.json()) as { data: { url: string } }).data
    expect(url).toMatch(/^https:\/\/ai\.example\.com\/images\//)
    const { headers } = await ask(new URL(url).pathname)
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  })

  test('every response of the service is logged, at level error for a 5xx', async () => {
    const { ask, lines } = await serveApp({ core: { providers: [scripted('calm', 'hi')] } })
    await ask('/models')
    await ask('/nowhere', { method: 'PUT' })
    await expect.poll(() => lines).toHaveLength(2)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 30,
        route: '/models',
        status: 200,
        address: '127.0.0.1',
        msg: 'request completed',
      }),
      expect.objectContaining({ level: 30, route: '(unknown)', path: '/nowhere', status: 404, code: 'NOT_FOUND' }),
    ])
  })

  test('every response of the service is logged with its path if the route is unknown, without the query and ids', async () => {
    const { ask, lines } = await serveApp()
    await ask('/generates?key=secret')
    await ask('/openai/v1/assistants', { method: 'POST' })
    await ask(`/v3/images/img_${'1'.repeat(37)}.png`)
    await ask(`${'/x'.repeat(90)}/fl_${'1'.repeat(37)}`)
    await ask('/ab'.repeat(100))
    await expect
      .poll(() => lines.map((line) => JSON.parse(line).path))
      .toEqual([
        '/generates',
        '/openai/v1/assistants',
        '/v3/images/img_…',
        `${'/x'.repeat(90)}/fl_1…`,
        `${'/ab'.repeat(66)}/…`,
      ])
  })

  test.each([
    ['/generate', { model: 'any', prompt: 'hi' }],
    ['/generate', { model: 'any', prompt: 'hi', stream: true }],
    ['/graphql', { query: 'mutation { generate(input: { model: "any", prompt: "hi" }) { generation { content } } }' }],
    ['/openai/v1/chat/completions', { model: 'any', messages: [{ role: 'user', content: 'hi' }] }],
    ['/anthropic/v1/messages', { model: 'any', messages: [{ role: 'user', content: 'hi' }], max_tokens: 9 }],
  ])(
    'every response of the service is logged with the model and the provider that answered: %s %j',
    async (path, body) => {
      const { ask, lines, caller } = await serveApp({ core: { providers: [scripted('calm', 'hello')] } })
      const headers = { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' }
      const response = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
      await response.text()
      await expect.poll(() => lines).toHaveLength(1)
      expect(JSON.parse(lines[0]!)).toMatchObject({ route: path, status: 200, model: 'any', provider: 'calm' })
    },
  )

  test('every response of the service is logged with the provider that failed or was unavailable', async () => {
    const down: Provider = {
      contract: 2,
      id: 'down',
      models: () => Promise.reject(new ProviderError('retry', 'connection refused')),
    }
    const { ask, lines, caller } = await serveApp({ core: { providers: [down] } })
    const headers = { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' }
    await ask('/generate', { method: 'POST', headers, body: JSON.stringify({ model: 'down/any', prompt: 'hi' }) })
    await expect
      .poll(() => lines.map((line) => JSON.parse(line)))
      .toContainEqual(
        expect.objectContaining({ level: 50, status: 503, code: 'PROVIDER_UNAVAILABLE', provider: 'down' }),
      )
  })

  test('every response of the service is logged with the user and the key of authenticated requests', async () => {
    const { ask, lines, keyId, caller } = await serveApp()
    const json = { 'content-type': 'application/json' }
    await ask('/models')
    await ask('/graphql', { method: 'POST', body: JSON.stringify({ query: '{ models { id } }' }), headers: json })
    await ask('/models', { headers: { authorization: `Bearer ${caller.token.slice(0, -1)}` } })
    await expect.poll(() => lines).toHaveLength(3)
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(logged.map((line) => [line['route'], line['keyId'], typeof line['userId']])).toEqual([
      ['/models', keyId, 'string'],
      ['/graphql', keyId, 'string'],
      ['/models', undefined, 'undefined'],
    ])
  })

  test('every response of the service has the error envelope for a malformed target', async () => {
    const { port } = await serveApp()
    // The parser of Node that Express uses warns about such a target, once in a process.
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const socket = open(port, 'GET http://[::1/models HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await expect.poll(() => socket.gone).toBe(true)
    expect(socket.heard).toMatch(/^HTTP\/1\.1 400 .*"success":false/s)
  })

  test.each([
    ['that is not HTTP', 'NO HTTP\r\n\r\n', 400],
    ['of another protocol', '\x16\x03\x01 TLS\r\n\r\n', 400],
    ['with an unknown method', 'NOPE /models HTTP/1.1\r\nHost: a\r\n\r\n', 501],
    ['with two Host headers', 'POST /generate HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n', 400],
    [
      'in parts that contradict each other',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    ['with headers that are too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['that names no host', 'POST /generate HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'whose body has no valid length',
      'POST /auth/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n',
      400,
    ],
  ])('every response of the service has the error envelope for a request %s', async (_what, text, status) => {
    const { port, logged } = await serveApp()
    const socket = open(port, text)
    await expect.poll(() => socket.gone).toBe(true)
    expect(logged).toEqual([])
    const [head = '', body = ''] = socket.heard.split('\r\n\r\n')
    const requestId = /^x-request-id: (.*)$/im.exec(head)?.[1]
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toMatch(/^x-content-type-options: nosniff$/im)
    expect(head).toMatch(/^connection: close$/im)
    expect(JSON.parse(body)).toMatchObject({
      success: false,
      error: {
        code: status === 501 ? 'METHOD_NOT_ALLOWED' : 'INVALID_REQUEST',
        details: { field: null, issue: null, issues: [] },
      },
      meta: { request_id: requestId },
    })
  })

  test('every response of the service is not interrupted by the error for bytes that follow on the connection', async () => {
    const { port, caller } = await serveApp({ core: { providers: [dripping] } })
    const body = JSON.stringify({ model: 'any', prompt: 'hi', stream: true })
    const socket = open(
      port,
      'POST /generate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
        `Authorization: Bearer ${caller.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await expect.poll(() => socket.heard).toMatch(/event: chunk/)
    socket.write('NO HTTP\r\n\r\n')
    await expect.poll(() => socket.gone).toBe(true)
    expect(socket.heard.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  test('every response of the service ignores an unknown Expect header', async () => {
    const { port } = await serveApp()
    const socket = open(port, 'GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n')
    await expect.poll(() => socket.gone).toBe(true)
    expect(socket.heard).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.each([
    ['401', 'POST /generate', 'application/json', 1_000],
    ['404', 'POST /nowhere', 'application/json', 1_000],
    ['405', 'POST /models', 'application/json', 1_000],
    ['413', 'POST /auth/login', 'application/json', 2_000_000],
    ['413', 'POST /graphql', 'application/json', 30_000_000],
    ['413', 'POST /graphql', 'application/json\r\nAccept: multipart/mixed', 30_000_000],
    ['405', 'PUT /graphql', 'application/json', 1_000],
    ['415', 'POST /graphql', 'text/plain', 1_000],
    ['200', 'GET /healthz', 'application/json', 1_000],
  ])(
    'every response of the service closes the connection when it is sent before the body has arrived: %s to %s',
    async (status, line, type, length) => {
      const { port } = await serveApp()
      const socket = open(
        port,
        `${line} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nAuthorization: Bearer bad\r\nContent-Length: ${length}\r\n\r\n{`,
      )
      await expect.poll(() => socket.gone).toBe(true)
      expect(socket.heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*Connection: close\\r\\n`, 'i'))
      expect(socket.heard.match(/HTTP\/1\.1/g)).toHaveLength(1)
    },
  )

  test('every response of the service closes the connection while the server drains', async () => {
    const { ask, drain } = await serveApp()
    expect((await ask('/')).headers.get('connection')).toBe('keep-alive')
    drain()
    expect((await ask('/')).headers.get('connection')).toBe('close')
  })

  test('every response of the service closes the connection of a request that was in flight when the server began to drain', async () => {
    const provider = held('slow')
    const { ask, drain } = await serveApp({ core: { providers: [provider] } })
    const body = JSON.stringify({ model: 'any', prompt: 'x' })
    const asking = ask('/generate', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    await expect.poll(() => provider.calls.length).toBe(1)
    drain()
    provider.release('done')
    expect((await asking).headers.get('connection')).toBe('close')
  })
})
