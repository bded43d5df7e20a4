import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { trackConnections } from './drain.ts'
import { listen } from './listen.ts'

/** A server whose responses the test releases, and its clients. */
async function serve() {
  const responses: ServerResponse[] = []
  const server = createServer((_request, response) => void responses.push(response))
  const connections = trackConnections(server)
  const source = await listen(server, '127.0.0.1', 0)
  onTestFinished(() => server.closeAllConnections())
  const open = (text: string) => {
    const client = Object.assign(connect(source.port, '127.0.0.1'), { heard: '', gone: false })
    client.on('data', (data) => (client.heard += String(data)))
    client.on('close', () => (client.gone = true))
    client.on('error', () => {})
    client.write(text)
    return client
  }
  return { server, connections, source, open, responses, answer: () => responses[0]?.end('done') }
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** A server with one request in flight. */
async function asked() {
  const served = await serve()
  const client = served.open(get)
  await expect.poll(() => served.responses.length).toBe(1)
  return { ...served, client }
}

test('inFlight counts requests until they are answered, and no idle connections', async () => {
  const { connections, client, answer } = await asked()
  expect(connections.inFlight()).toBe(1)
  answer()
  await expect.poll(() => client.heard).toMatch(/done/)
  expect(connections.inFlight()).toBe(0)
  client.write(get)
  await expect.poll(() => connections.inFlight()).toBe(1)
})

describe('drain', () => {
  test('drain waits for a request in flight, and closes its connection after the response', async () => {
    const { connections, client, answer } = await asked()
    const drained = connections.drain({ graceMs: 20 })
    expect(client.gone).toBe(false)
    answer()
    await drained
    await expect.poll(() => client.gone).toBe(true)
    expect(client.heard).toMatch(/^HTTP\/1\.1 200 OK[^]*done/)
  })

  test('drain answers a request that arrives on an idle connection', async () => {
    const { server, connections, client, answer } = await asked()
    answer()
    await expect.poll(() => client.heard).toMatch(/done/)
    server.removeAllListeners('request')
    server.on('request', (_request, response) => response.setHeader('Connection', 'close').end('the last'))
    const drained = connections.drain()
    client.write(get)
    await drained
    await expect.poll(() => client.gone).toBe(true)
    expect(client.heard).toMatch(/the last$/)
  })

  test('drain closes a connection that stays idle, after its first request and before', async () => {
    const { connections, client, answer, open, server } = await asked()
    answer()
    await expect.poll(() => client.heard).toMatch(/done/)
    const silent = open('')
    await expect.poll(() => countConnections(server)).toBe(2)
    await connections.drain({ graceMs: 20 })
    await expect.poll(() => [client.gone, silent.gone]).toEqual([true, true])
  })

  test('drain cuts off a request that takes too long', async () => {
    const { connections, client } = await asked()
    await connections.drain({ graceMs: 20, timeoutMs: 20 })
    await expect.poll(() => client.gone).toBe(true)
    expect(client.heard).toBe('')
  })

  test('drain resolves at once without connections', async () => {
    const { connections } = await serve()
    expect(await connections.drain({ graceMs: 60_000 })).toBeUndefined()
  })
})

describe('closing the port', () => {
  test('closing the port serves the connections in the backlog, and refuses later ones', async () => {
    const { server, source, open, responses } = await serve()
    const clients = Array.from({ length: 50 }, () => open(get))
    await expect.poll(() => clients.every((client) => !client.connecting)).toBe(true)
    await source.close()
    expect(server.listening).toBe(false)
    await expect.poll(() => responses.length).toBe(50)
    for (const response of responses) response.setHeader('Connection', 'close').end('done')
    await expect.poll(() => clients.every((client) => client.gone)).toBe(true)
    expect(clients.filter((client) => client.heard.endsWith('done'))).toHaveLength(50)
    const late = open(get)
    await expect.poll(() => late.gone).toBe(true)
    expect(late.heard).toBe('')
  })
})

function countConnections(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
}
