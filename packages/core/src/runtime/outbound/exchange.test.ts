import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { testClock } from '@fairlead/testing'
import { createOutbound, type OutboundOptions } from './outbound.ts'

const request = { method: 'POST', body: '{"a":"é"}', timeoutMs: 15_000, maxResponseBytes: 1_000 } as const

function open(options: Partial<OutboundOptions> = {}) {
  const resolve = async () => ['127.0.0.1']
  const outbound = createOutbound({ setting: 'ALLOW_NETWORKS', allowNetworks: ['127.0.0.1'], resolve, ...options })
  onTestFinished(outbound.close)
  return outbound
}

/** Listens on 127.0.0.1 and returns the port. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A receiver that sends these bytes when a request arrives. @param end whether it then closes the connection */
async function openRaw(bytes: string, end = false) {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(bytes)
      if (end) socket.end()
    })
  })
  return `http://127.0.0.1:${await listen(server)}/`
}

const openHttp = async (listener: RequestListener) => `http://127.0.0.1:${await listen(createHttpServer(listener))}/`

describe('request', () => {
  test('request sends the method, path, headers and exact bytes, and returns the response', async () => {
    const url = await openHttp(async (message, response) => {
      const body = await buffer(message)
      const { method, url: path, headers } = message
      response.writeHead(201, { 'content-type': 'application/json', 'x-received': headers['webhook-id'] })
      response.end(JSON.stringify([method, path, headers['content-length'], body.toString()]))
    })
    const sent = { ...request, headers: { 'webhook-id': 'msg_1' } }
    const { status, headers, body, truncated } = await open().request(`${url}a%20b?c=d#e`, sent)
    expect([status, headers['x-received'], truncated]).toEqual([201, 'msg_1', false])
    expect(JSON.parse(body.toString())).toEqual(['POST', '/a%20b?c=d', '10', '{"a":"é"}'])
  })

  test('request reuses a connection to the same host without adding listeners to it', async () => {
    const warned = vi.spyOn(process, 'emitWarning')
    onTestFinished(() => warned.mockRestore())
    const server = createHttpServer((_message, response) => void response.end('ok'))
    let connections = 0
    server.on('connection', () => (connections += 1))
    const url = `http://127.0.0.1:${await listen(server)}/`
    const outbound = open()
    for (let sent = 0; sent < 20; sent += 1) await outbound.request(url, request)
    expect(connections).toBe(1)
    expect(warned).not.toHaveBeenCalled()
  })

  test('request tries the next address of the host when one refuses the connection', async () => {
    const url = await openHttp((_message, response) => void response.end())
    const outbound = open({ allowNetworks: ['127.0.0.1', '::1'], resolve: async () => ['::1', '127.0.0.1'] })
    expect(await outbound.request(url.replace('127.0.0.1', 'hooks.example'), request)).toMatchObject({ status: 200 })
  })

  test.each([
    ['has exactly the maximum size', 1_000, false],
    ['is one byte longer', 1_001, true],
  ])('request returns the first 1,000 bytes of a response that %s', async (_title, bytes, truncated) => {
    const url = await openHttp((_message, response) => void response.end('x'.repeat(bytes)))
    const response = await open().request(url, request)
    expect(response.body.toString()).toBe('x'.repeat(1_000))
    expect(response.truncated).toBe(truncated)
  })

  test('request closes the connection of a response that never ends, after its maximum size', async () => {
    let closed: Promise<unknown> | undefined
    const url = await openHttp((_message, response) => {
      closed = once(response, 'close')
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', write)
      write()
    })
    const response = await open().request(url, request)
    expect(response).toMatchObject({ status: 200, truncated: true })
    expect(response.body).toHaveLength(1_000)
    await closed
  })

  test('request returns a compressed body as it is', async () => {
    const url = await openHttp((_message, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
    })
    expect((await open().request(url, request)).body.toString()).toBe('not gzip')
  })
})

describe('a receiver that stops', () => {
  test.each([
    ['before it responds', ''],
    ['after an informational response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['within the headers', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n'],
    ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab'],
  ])('%s causes a timeout that closes the connection', async (_title, bytes) => {
    const clock = testClock()
    const received = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const server = createServer((socket) => {
      socket.once('data', () => socket.write(bytes, () => received.resolve()))
      socket.once('close', () => closed.resolve())
    })
    const response = open({ clock }).request(`http://127.0.0.1:${await listen(server)}/`, request)
    await received.promise
    clock.advance(15_000)
    await expect(response).rejects.toMatchObject({
      kind: 'timeout',
      message: 'The request did not complete within 15000 ms',
    })
    await closed.promise
  })

  test('a receiver that stops during the TLS handshake causes a timeout', async () => {
    const clock = testClock()
    const received = Promise.withResolvers<Buffer>()
    const server = createServer((socket) => void socket.once('data', received.resolve))
    const response = open({ clock }).request(`https://hooks.example:${await listen(server)}/`, request)
    // The ClientHello contains the host name (SNI), not the address.
    expect((await received.promise).includes('hooks.example')).toBe(true)
    clock.advance(15_000)
    await expect(response).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('a receiver that stops during DNS causes a timeout if the time for the request is shorter', async () => {
    const clock = testClock()
    const outbound = open({ clock, resolve: () => new Promise(() => {}) })
    const response = outbound.request('https://hooks.example/', { ...request, timeoutMs: 1_000 })
    clock.advance(1_000)
    await expect(response).rejects.toMatchObject({ kind: 'timeout' })
  })
})

describe('a request without a response', () => {
  test.each([
    ['reset', 'closes the connection without a response', '', true],
    ['reset', 'closes the connection within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab', true],
    ['reset', 'switches protocols', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', false],
    ['invalid_response', 'sends something other than HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', false],
    ['invalid_response', 'sends 100 kB of headers', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(100_000)}\r\n\r\n`, false],
  ])('a request without a response fails with %s if the receiver %s', async (kind, _title, bytes, end) => {
    await expect(open().request(await openRaw(bytes, end), request)).rejects.toMatchObject({ kind })
  })

  test('a request without a response fails with connect if nothing listens', async () => {
    const server = createServer()
    const port = await listen(server)
    server.close()
    await once(server, 'close')
    await expect(open().request(`http://127.0.0.1:${port}/`, request)).rejects.toMatchObject({
      kind: 'connect',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('a request without a response fails with reset if the client is closed', async () => {
    const outbound = open()
    const url = await openHttp(() => outbound.close())
    await expect(outbound.request(url, request)).rejects.toMatchObject({ kind: 'reset' })
  })

  test("a request without a response rejects with the signal's reason and closes the connection", async () => {
    const controller = new AbortController()
    const closed = Promise.withResolvers<void>()
    const url = await openHttp((_message, response) => {
      response.on('close', closed.resolve)
      controller.abort(new Error('stopping'))
    })
    await expect(open().request(url, { ...request, signal: controller.signal })).rejects.toThrow('stopping')
    await closed.promise
  })
})

describe('a request over https', () => {
  const key = pem(
    'PRIVATE KEY',
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgou7act9JvTQScUZG8fOwhdhy6sClogTaG/OA0XfURFihRANCAATLvj3OdAZi9f0' +
      'ZuM7JopYYHRwrmGp1fQ7bXewgThxlAz7jBZv8HP/CY5UAZkIWtxAENTsJmTZc8ha7al1/Nr9I',
  )
  /** Signed with this key, for hooks.example, until 2120. */
  const cert = pem(
    'CERTIFICATE',
    'MIIBfTCCASOgAwIBAgIUYFwJ2UT63arefJ0iEkSrClMLsFQwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTAgFw0yMDAxMDE' +
      'wMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGDEWMBQGA1UEAwwNaG9va3MuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMu+Pc50BmL1' +
      '/Rm4zsmilhgdHCuYanV9Dttd7CBOHGUDPuMFm/wc/8JjlQBmQha3EAQ1OwmZNlzyFrtqXX82v0ijSTBHMBgGA1UdEQQRMA+CDWhvb2tzLmV4YW1wb' +
      'GUwDAYDVR0TBAUwAwEB/zAdBgNVHQ4EFgQUkwsKWu6p/wpfKBHVJi2xW4CGZgEwCgYIKoZIzj0EAwIDSAAwRQIhAO0be4g4pJ+qr8ELgd/Srx1cVV' +
      'SyBaZcXgmszNQtgtOgAiAqk8vT7Ugjyhn0d6aR6W/kcuKl7WW7vVCal0CtEkkJnA==',
  )

  function trust(certificate: string): void {
    const trusted = getCACertificates()
    setDefaultCACertificates([certificate])
    onTestFinished(() => setDefaultCACertificates(trusted))
  }

  async function openHttps() {
    const names: unknown[] = []
    const server = createHttpsServer({ key, cert }, (message, response) => {
      names.push((message.socket as TLSSocket & { readonly servername?: unknown }).servername, message.headers.host)
      response.end('ok')
    })
    return { port: await listen(server), names }
  }

  test('a request over https uses the host name for SNI, the certificate and the Host header', async () => {
    trust(cert)
    const { port, names } = await openHttps()
    expect(await open().request(`https://hooks.example.:${port}/`, request)).toMatchObject({ status: 200 })
    expect(names).toEqual(['hooks.example', `hooks.example:${port}`])
  })

  test('a request over https fails with tls for a certificate of another host', async () => {
    trust(cert)
    const { port, names } = await openHttps()
    await expect(open().request(`https://other.example:${port}/`, request)).rejects.toMatchObject({
      kind: 'tls',
      message: expect.stringContaining('does not match certificate'),
    })
    expect(names).toEqual([])
  })

  test('a request over https fails with tls for a certificate that is not trusted', async () => {
    const { port, names } = await openHttps()
    await expect(open().request(`https://hooks.example:${port}/`, request)).rejects.toMatchObject({ kind: 'tls' })
    expect(names).toEqual([])
  })

  test('a request over https fails with tls if the receiver does not use TLS', async () => {
    const url = await openHttp((_message, response) => void response.end())
    await expect(open().request(url.replace('http:', 'https:'), request)).rejects.toMatchObject({ kind: 'tls' })
  })
})

function pem(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`
}
