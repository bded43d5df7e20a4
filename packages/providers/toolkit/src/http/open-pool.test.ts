import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { openTestUpstream } from '@fairlead/testing'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createHttpClient } from '../index.ts'
import { schema } from '../testing/text-upstream.ts'
import { openPool } from './open-pool.ts'

afterEach(() => vi.unstubAllEnvs())

/** A proxy that knows one name, which no DNS server knows, and may require a password. */
async function startProxy(upstream: string, password?: string) {
  const requests: string[] = []
  const sockets = new Set<Duplex>()
  const expected = password && `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`
  const { hostname, port } = new URL(upstream)
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    if (expected && request.headers['proxy-authorization'] !== expected) return void response.writeHead(407).end()
    const { pathname } = new URL(request.url ?? '')
    const onward = forward({ host: hostname, port, path: pathname, method: request.method, headers: request.headers })
    onward.on('response', (reply) => reply.pipe(response.writeHead(reply.statusCode ?? 0, reply.headers)))
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.on('connect', (request, socket: Duplex) => {
    requests.push(`CONNECT ${request.url}`)
    sockets.add(socket)
    if (expected && request.headers['proxy-authorization'] !== expected) {
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    const onward = connect(Number(port), hostname)
    sockets.add(onward)
    socket.pipe(onward).pipe(socket)
    for (const each of [socket, onward]) each.on('error', () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** An upstream that answers, and a client of it through the name that only the proxy knows. */
async function setup({ password, given = password }: { password?: string; given?: string | undefined } = {}) {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  upstream.answer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"hello"}')
  })
  const { address, requests } = await startProxy(upstream.url, password)
  const userInfo = given === undefined ? '' : `ada:${given}@`
  vi.stubEnv('HTTP_PROXY', `http://${userInfo}${address}`)
  vi.stubEnv('HTTPS_PROXY', `http://${userInfo}${address}`)
  vi.stubEnv('NO_PROXY', 'internal.test')
  const ask = (baseUrl: string) => {
    const client = createHttpClient({ id: 'acme', baseUrl })
    onTestFinished(() => client.close())
    return client.getJson({ path: '/chat', schema, signal: new AbortController().signal })
  }
  return { upstream, address, requests, ask }
}

describe('the proxy of the environment', () => {
  test('the proxy of the environment gets the requests for other hosts, and resolves their names', async () => {
    const { requests, ask } = await setup()
    expect(await ask('http://upstream.test')).toEqual({ text: 'hello' })
    expect(requests).toEqual(['GET http://upstream.test/chat'])
  })

  test('the proxy of the environment opens tunnels for https, in which it sees no request', async () => {
    const { requests, ask } = await setup()
    // The upstream does not speak TLS, so the handshake fails in the tunnel.
    await expect(ask('https://upstream.test')).rejects.toThrow('the connection failed')
    expect(requests).toEqual(['CONNECT upstream.test:443'])
  })

  test('the proxy of the environment gets its user and password', async () => {
    const { ask } = await setup({ password: 'canary-4711' })
    expect(await ask('http://upstream.test')).toEqual({ text: 'hello' })
  })

  test('the proxy of the environment is not used for hosts of NO_PROXY and for this machine', async () => {
    const { upstream, requests, ask } = await setup()
    expect(await ask(upstream.url)).toEqual({ text: 'hello' })
    await expect(ask('http://internal.test')).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/)
    expect(requests).toEqual([])
  })

  test('the proxy of the environment is named without its password if it rejects a tunnel', async () => {
    const { address, ask } = await setup({ password: 'right', given: 'canary-4711' })
    const error = await ask('https://upstream.test').catch((reason: unknown) => String(reason))
    expect(error).toContain(`(HTTPS_PROXY is http://${address})`)
    expect(error).toContain('407')
    expect(error).not.toContain('canary-4711')
  })

  test('the proxy of the environment must be a URL, and an error does not repeat it', () => {
    const open = () => openPool('https://upstream.test', 1_000, { https_proxy: 'ada:canary-4711@proxy' })
    expect(open).toThrow(
      new TypeError('https_proxy: must be the URL of a proxy, such as http://proxy.example.com:3128'),
    )
  })

  test('the proxy of the environment of another protocol is not used, and without one the pool is as before', () => {
    const { dispatcher, proxy } = openPool('https://upstream.test', 1_000, { HTTP_PROXY: 'http://proxy.test:3128' })
    expect([dispatcher.constructor.name, proxy]).toEqual(['Pool', undefined])
  })
})
