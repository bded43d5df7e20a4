import { createServer, IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { oneAtATime } from './pipelining.ts'

/** A server whose responses the test ends, and one connection to it. */
async function serve(text: string) {
  const received: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = []
  let parsed = 0
  class Parsed extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket)
      parsed += 1
    }
  }
  const server = createServer(
    { IncomingMessage: Parsed },
    oneAtATime((request, response) => void received.push({ request, response })),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const client = Object.assign(connect((server.address() as AddressInfo).port, '127.0.0.1'), { heard: '', gone: false })
  client.on('data', (data) => (client.heard += String(data)))
  client.on('close', () => (client.gone = true))
  client.on('error', () => {})
  client.write(text)
  await expect.poll(() => received.length).toBeGreaterThan(0)
  return { received, client, urls: () => received.map(({ request }) => request.url), parsed: () => parsed }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

test('a pipelined request starts when the response to the one before has been sent', async () => {
  const { received, client, urls } = await serve(get('/1') + get('/2') + get('/3'))
  expect(urls()).toEqual(['/1'])
  received[0]?.response.end('one')
  await expect.poll(urls).toEqual(['/1', '/2'])
  received[1]?.response.end('two')
  await expect.poll(urls).toEqual(['/1', '/2', '/3'])
  received[2]?.response.end('three')
  await expect.poll(() => client.heard).toMatch(/one[^]*two[^]*three/)
})

test('a pipelined request with a body that is still arriving waits, and then gets all of it', async () => {
  const post = `POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n`
  const { received, client, urls } = await serve(get('/1') + post + 'x'.repeat(100_000))
  client.write('x'.repeat(200_000))
  expect(urls()).toEqual(['/1'])
  received[0]?.response.end()
  await expect.poll(urls).toEqual(['/1', '/2'])
  let length = 0
  for await (const chunk of received[1]!.request) length += chunk.length
  expect(length).toBe(300_000)
})

test('requests that wait on a closed connection are dropped', async () => {
  const { received, client, urls } = await serve(get('/1') + get('/2') + get('/3'))
  client.destroy()
  await expect.poll(() => received[0]?.response.closed).toBe(true)
  received[0]?.response.end('too late')
  await new Promise((resolve) => setImmediate(resolve))
  expect(urls()).toEqual(['/1'])
})

test('a connection with more than 50 waiting requests is closed, and none of them starts', async () => {
  const { received, client, urls } = await serve(get('/').repeat(52))
  await expect.poll(() => client.gone).toBe(true)
  await expect.poll(() => received[0]?.response.closed).toBe(true)
  expect(urls()).toEqual(['/'])
})

test('a connection with more than 50 waiting requests is closed before the rest of what has arrived is parsed', async () => {
  const { client, parsed } = await serve(get('/').repeat(2_000))
  await expect.poll(() => client.gone).toBe(true)
  expect(parsed()).toBeLessThan(60)
})
