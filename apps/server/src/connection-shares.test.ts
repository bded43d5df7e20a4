import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, createServer as createPort, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { shareConnections } from './connection-shares.ts'
import { listen } from './listen.ts'

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** A server for 20 connections, of which each network may have 2, whose clients have the addresses that a test gives them. */
async function serve(maxConnections = 20) {
  const responses: ServerResponse[] = []
  const server: Server = createServer((_request, response) => void responses.push(response))
  server.maxConnections = maxConnections
  const lines: unknown[][] = []
  const logger = { warn: (...line: unknown[]) => void lines.push(line) }
  const addresses: string[] = []
  shareConnections(server, { logger, addressOf: () => addresses.shift(), maxPerNetwork: 2 })
  const { port } = await listen(server, '127.0.0.1', 0)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })

  /** Opens a connection. Resolves once the server has accepted or closed it. */
  async function open(address: string) {
    addresses.push(address)
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const client = Object.assign(connect(port, '127.0.0.1'), { gone: false })
    client.on('close', () => (client.gone = true))
    client.on('error', () => {})
    client.resume()
    onTestFinished(() => void client.destroy())
    const [socket] = await accepted
    return { client, socket }
  }

  /** Opens a connection with a request in flight. */
  async function openBusy(address: string) {
    const opened = await open(address)
    const asked = once(server, 'request')
    opened.client.write(get)
    await asked
    return opened
  }

  /** Opens a connection that has had an answer, and waits. */
  async function openIdle(address: string) {
    const opened = await openBusy(address)
    const answered = once(opened.client, 'data')
    responses.at(-1)?.end('done')
    await answered
    await vi.waitUntil(() => responses.at(-1)?.writableFinished)
    return opened
  }

  return { open, openBusy, openIdle, lines }
}

const gone = ({ client }: { readonly client: { readonly gone: boolean } }) => vi.waitUntil(() => client.gone)

test('a network that has its share of the connections gets no more, and others do', async () => {
  const { openBusy, open, lines } = await serve()
  const first = await openBusy('203.0.113.1')
  const second = await openBusy('203.0.113.2')
  await gone(await open('203.0.113.3'))
  await gone(await open('203.0.113.4'))
  const other = await openBusy('198.51.100.1')
  expect([first, second, other].map(({ client }) => client.gone)).toEqual([false, false, false])
  expect(lines).toEqual([
    [{ network: '203.0.113.0/24', maxPerNetwork: 2 }, 'a network has reached its share of the connections'],
  ])
  first.client.destroy()
  await once(first.socket, 'close')
  expect((await openBusy('203.0.113.3')).client.gone).toBe(false)
})

test('a network that has its share of the connections loses its oldest idle one for a new one', async () => {
  const { openBusy, openIdle } = await serve()
  const other = await openIdle('198.51.100.1')
  const busy = await openBusy('2001:db8::1')
  const idle = await openIdle('2001:db8::2')
  const next = await openBusy('2001:db8:0:ff::1')
  await gone(idle)
  expect([other, busy, next].map(({ client }) => client.gone)).toEqual([false, false, false])
})

test.each(['127.0.0.1', '::1', '::ffff:10.1.2.3', '192.168.7.7', '100.64.1.1', 'fd12::1'])(
  'a private network such as that of %s has no share of the connections',
  async (address) => {
    const { openBusy } = await serve()
    const opened = [await openBusy(address), await openBusy(address), await openBusy(address)]
    expect(opened.map(({ client }) => client.gone)).toEqual([false, false, false])
  },
)

test('the oldest idle connection of all is closed when the server has room for no other', async () => {
  const { openBusy, openIdle } = await serve(3)
  const busy = await openBusy('10.0.0.1')
  const idle = await openIdle('10.0.0.1')
  const last = await openBusy('10.0.0.1')
  await gone(idle)
  const next = await openBusy('10.0.0.1')
  expect([busy, last, next].map(({ client }) => client.gone)).toEqual([false, false, false])
})

test('a network may have as many connections as are left for all others by default', () => {
  const server = createPort()
  server.maxConnections = 120
  let address = ''
  shareConnections(server, { logger: { warn: () => {} }, addressOf: () => address })
  const openAll = (from: string) => {
    address = from
    let refused = 0
    for (let index = 0; index < 120; index++) {
      const peer = { bytesWritten: 0, once: () => peer, destroy: () => void refused++ }
      server.emit('connection', peer)
    }
    return 120 - refused
  }
  expect(['203.0.113.9', '198.51.100.1', '192.0.2.1'].map(openAll)).toEqual([60, 30, 15])
})
