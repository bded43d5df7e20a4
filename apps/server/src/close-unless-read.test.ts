import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeUnlessRead } from './pipelining.ts'

const refuse: RequestListener = (request, response) => {
  setImmediate(() => {
    closeUnlessRead(request, response)
    response.writeHead(401, { 'Content-Length': 7 }).end('refused')
  })
}

async function ask(text: string, listener = refuse) {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    listener(request, response)
  })
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = Object.assign(connect((server.address() as AddressInfo).port, '127.0.0.1'), {
    heard: '',
    failure: undefined as Error | undefined,
    gone: false,
  })
  client.on('data', (data) => (client.heard += String(data)))
  client.on('error', (error) => (client.failure = error))
  client.on('close', () => (client.gone = true))
  client.write(text)
  onTestFinished(() => void client.destroy())
  return { client, requests: () => requests }
}

const head = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`

describe('closeUnlessRead', () => {
  test('closeUnlessRead closes the connection when the body has not arrived', async () => {
    const { client } = await ask(`${head(1_000)}{`)
    await expect.poll(() => client.gone).toBe(true)
    expect(client.heard).toMatch(/^HTTP\/1\.1 401 [^]*Connection: close[^]*refused$/)
    expect(client.failure).toBeUndefined()
  })

  test('closeUnlessRead keeps the connection when the body has arrived, and when there is none', async () => {
    const { client } = await ask(`${head(2)}{}`)
    await expect.poll(() => client.heard).toMatch(/refused$/)
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => client.heard.split('refused').length).toBe(3)
    expect(client.heard).not.toContain('Connection: close')
  })

  test('closeUnlessRead lets a client that is still sending read the answer', async () => {
    const { client } = await ask(head(500_000))
    await expect.poll(() => client.heard).toMatch(/refused$/)
    for (let sent = 0; sent < 5; sent++) await new Promise((resolve) => client.write('x'.repeat(100_000), resolve))
    await expect.poll(() => client.gone).toBe(true)
    expect(client.failure).toBeUndefined()
  })

  test('closeUnlessRead cuts off a client that sends without end', async () => {
    const { client } = await ask(head(1_000_000_000))
    const send = () => {
      while (!client.destroyed && client.write('x'.repeat(100_000)));
    }
    client.on('drain', send)
    send()
    await expect.poll(() => client.gone).toBe(true)
    expect(client.bytesWritten).toBeLessThan(100_000_000)
  })

  test('closeUnlessRead takes nothing after the answer for a request', async () => {
    const { client, requests } = await ask(head(10))
    await expect.poll(() => client.heard).toMatch(/refused$/)
    client.write('0123456789GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => client.gone).toBe(true)
    expect([requests(), client.heard.split('HTTP/1.1').length]).toEqual([1, 2])
  })
})
