import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { drain } from './drain.ts'

/** A server that answers when told, and a client that asks it once. */
async function asked() {
  const responses: ServerResponse[] = []
  const server = createServer((_request, response) => void responses.push(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.closeAllConnections())
  const client = Object.assign(connect((server.address() as AddressInfo).port, '127.0.0.1'), { heard: '', gone: false })
  client.on('data', (data) => (client.heard += String(data)))
  client.on('close', () => (client.gone = true))
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => responses.length).toBe(1)
  return { server, client, answer: () => responses[0]?.end('done') }
}

describe('drain', () => {
  test('waits for what is in flight, and closes its connection when it is out', async () => {
    const { server, client, answer } = await asked()
    const drained = drain(server)
    expect(client.gone).toBe(false)
    answer()
    await drained
    await expect.poll(() => client.gone).toBe(true)
    expect(client.heard).toMatch(/^HTTP\/1\.1 200 OK[^]*done/)
  })

  test('answers a request that was under way on a connection that looked idle', async () => {
    const { server, client, answer } = await asked()
    answer()
    await expect.poll(() => client.heard).toMatch(/done/)
    server.removeAllListeners('request')
    server.on('request', (_request, response) => response.setHeader('Connection', 'close').end('the last'))
    const drained = drain(server)
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await drained
    await expect.poll(() => client.gone).toBe(true)
    expect(client.heard).toMatch(/the last$/)
  })

  test('doesn’t wait long for a request on a connection that is idle', async () => {
    const { server, client, answer } = await asked()
    answer()
    await expect.poll(() => client.heard).toMatch(/done/)
    await drain(server, { farewellMs: 20 })
    await expect.poll(() => client.gone).toBe(true)
  })

  test('cuts off what takes too long', async () => {
    const { server, client } = await asked()
    await drain(server, { farewellMs: 20, patienceMs: 20 })
    await expect.poll(() => client.gone).toBe(true)
    expect(client.heard).toBe('')
  })

  test('is over at once where nothing is in flight', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await drain(server)
    expect(server.listening).toBe(false)
  })
})
