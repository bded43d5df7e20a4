import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP proxy that counts what passes through it. It is closed when the test ends. */
export interface RedisProxy {
  readonly url: string
  /** How many connections clients have opened. */
  connections(): number
  /** How often clients have sent a command so far, whether or not Redis has read it. */
  sent(command: string): number
}

/** Starts a proxy to the Redis of that URL, on its own port. */
export async function proxyRedis(serverUrl: string): Promise<RedisProxy> {
  const { hostname, port } = new URL(serverUrl)
  let connections = 0
  let text = ''
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    connections += 1
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    client.on('data', (bytes) => (text += bytes.toString('latin1')))
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    sent: (command) => text.split(`\r\n${command}\r\n`).length - 1,
  }
}
