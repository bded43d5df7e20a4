import { EventEmitter, once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  connectionMessage,
  lastConnectionMessage,
  leaveMessage,
  nextConnectionMessage,
  receiveConnections,
} from './receive-connections.ts'

/** A server whose connections come from another's port, as a worker's do. */
async function setUp({ maxConnections = 100 } = {}) {
  const server = createHttpServer({ headersTimeout: 50, connectionsCheckingInterval: 10 }, (_request, response) =>
    response.end('hello'),
  )
  server.maxConnections = maxConnections
  let dropped = 0
  server.on('drop', () => dropped++)
  const sent: string[] = []
  const channel = Object.assign(new EventEmitter(), { send: (message: string) => void sent.push(message) })
  const source = receiveConnections(server, 1, channel)
  const port = createServer((socket) => channel.emit('message', connectionMessage, socket))
  await once(port.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    port.close()
    server.close()
    server.closeAllConnections()
  })
  const open = (text: string) => {
    const client = Object.assign(connect((port.address() as AddressInfo).port, '127.0.0.1'), { heard: '', gone: false })
    client.on('data', (data) => (client.heard += String(data)))
    client.on('close', () => (client.gone = true))
    client.on('error', () => {})
    client.write(text)
    onTestFinished(() => void client.destroy())
    return client
  }
  return { channel, sent, source, open, dropped: () => dropped }
}

describe('receiveConnections', () => {
  test('receiveConnections serves a connection that was handed over, and asks for the next', async () => {
    const { open, sent } = await setUp()
    const client = open('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => client.heard).toMatch(/^HTTP\/1\.1 200 OK[^]*hello$/)
    expect(sent).toEqual([nextConnectionMessage, nextConnectionMessage])
  })

  test('receiveConnections enforces the time limits of the server', async () => {
    const { open } = await setUp()
    const client = open('GET / HTTP/1.1\r\nHost:')
    await expect.poll(() => client.gone).toBe(true)
    expect(client.heard).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('receiveConnections drops a connection over the maximum, until another is closed', async () => {
    const { open, dropped } = await setUp({ maxConnections: 1 })
    const first = open('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => first.heard).toMatch(/hello$/)
    const second = open('')
    await expect.poll(() => second.gone).toBe(true)
    expect(dropped()).toBe(1)
    first.destroy()
    const later: (typeof first)[] = []
    const isServed = () => {
      later.push(open('GET / HTTP/1.1\r\nHost: a\r\n\r\n'))
      return later.some(({ heard }) => heard.endsWith('hello'))
    }
    await expect.poll(isServed).toBe(true)
  })

  test('receiveConnections stops once the primary process says that no connection follows', async () => {
    const { channel, sent, source } = await setUp()
    let closed = false
    const closing = source.close().then(() => (closed = true))
    expect([sent.at(-1), closed]).toEqual([leaveMessage, false])
    channel.emit('message', lastConnectionMessage)
    expect(await closing).toBe(true)
  })
})
