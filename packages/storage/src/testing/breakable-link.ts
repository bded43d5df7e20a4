import { connect, createServer, type Socket, type AddressInfo } from 'node:net'

/** A TCP proxy that can break and restore the connections to a server. */
export interface BreakableLink {
  /** The URL of the server through the proxy. */
  readonly url: string
  /** Closes all connections and accepts no more, like a server that restarts. */
  cut(): void
  /** Stops forwarding without closing a connection, like a frozen server. */
  freeze(): void
  /** Accepts new connections; frozen ones stay frozen. */
  restore(): void
  /** Accepts new connections, and forwards what frozen ones hold, even if their clients have disconnected. */
  thaw(): void
  close(): Promise<void>
}

interface Connection {
  readonly client: Socket
  readonly upstream: Socket
  isFrozen: boolean
  /** Bytes that the client sent while it was frozen. */
  readonly held: Buffer[]
}

/** Starts a proxy to the server of that URL, on its own port. */
export async function breakableLink(serverUrl: string): Promise<BreakableLink> {
  const server = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let state: 'open' | 'cut' | 'frozen' = 'open'

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }

  const connections = new Set<Connection>()

  const link = createServer((client) => {
    keep(client)
    if (state === 'cut') return void client.destroy()
    const upstream = connect(Number(server.port || 5432), server.hostname)
    keep(upstream)
    const connection: Connection = { client, upstream, isFrozen: state === 'frozen', held: [] }
    connections.add(connection)
    upstream.on('close', () => {
      connections.delete(connection)
      client.destroy()
    })
    client.on('close', () => {
      if (!connection.isFrozen) upstream.destroy()
    })
    client.on('data', (bytes) => (connection.isFrozen ? connection.held.push(bytes) : upstream.write(bytes)))
    upstream.on('data', (bytes) => {
      if (!connection.isFrozen) client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => link.listen(0, '127.0.0.1', resolve))

  function destroyAll(): void {
    for (const socket of sockets) socket.destroy()
  }

  return {
    url: Object.assign(new URL(serverUrl), {
      hostname: '127.0.0.1',
      port: String((link.address() as AddressInfo).port),
    }).href,
    cut() {
      state = 'cut'
      destroyAll()
    },
    freeze() {
      state = 'frozen'
      for (const connection of connections) connection.isFrozen = true
    },
    restore() {
      state = 'open'
    },
    thaw() {
      state = 'open'
      for (const connection of connections) {
        const { client, upstream, held } = connection
        connection.isFrozen = false
        for (const bytes of held.splice(0)) upstream.write(bytes)
        if (client.destroyed) upstream.end()
      }
    },
    close: () =>
      new Promise((resolve) => {
        link.close(() => resolve())
        destroyAll()
      }),
  }
}
