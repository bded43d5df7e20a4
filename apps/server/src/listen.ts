import { Server as Port, type AddressInfo } from 'node:net'
import { quietTurn } from './quiet-turn.ts'

/** Where the connections of a server come from. */
export interface ConnectionSource {
  readonly port: number
  /** Stops taking connections. Resolves once the server has all that were accepted. */
  close(): Promise<void>
}

/** Listens; rejects where the port is taken or the host is not ours. */
export function listen(server: Port, host: string, port: number): Promise<ConnectionSource> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve({ port: (server.address() as AddressInfo).port, close: () => closePort(server) })
    })
  })
}

/** `http://host:port`, as a client writes it. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Closes the port once its backlog is empty: when a listening socket is closed, the system resets the connections that
 * wait in its backlog, requests included, and Node accepts only one of them in each turn of the event loop. Requests wait
 * meanwhile, because their work would keep a busy server from ever emptying the backlog.
 */
async function closePort(server: Port): Promise<void> {
  let arrived = 0
  const count = () => void arrived++
  server.on('connection', count).on('drop', count)
  const releaseRequests = holdRequests(server)
  await quietTurn(() => arrived)
  // The port alone: the `close` of an HTTP server also closes idle connections.
  Port.prototype.close.call(server)
  releaseRequests()
  server.off('connection', count).off('drop', count)
}

function holdRequests(server: Port): () => void {
  const held: unknown[][] = []
  const listeners = server.listeners('request') as ((...exchange: unknown[]) => void)[]
  const hold = (...exchange: unknown[]) => void held.push(exchange)
  server.removeAllListeners('request')
  server.on('request', hold)
  return () => {
    server.off('request', hold)
    for (const listener of listeners) server.on('request', listener)
    for (const exchange of held) server.emit('request', ...exchange)
  }
}
