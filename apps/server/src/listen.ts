import type { EventEmitter } from 'node:events'
import { Server as Port, type AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Accepts the connections of a server. */
export interface ConnectionSource {
  readonly port: number
  /** Stops accepting. Resolves once the server has received all accepted connections. */
  close(): Promise<void>
}

/**
 * Connections that the system holds until they are accepted, at most `net.core.somaxconn` of them. A client beyond them tries
 * again after a second, and Node's default of 511 is less than the streams that open at once on a busy node.
 */
const maxBacklog = 4_096

/** Listens. Rejects if the port is in use or the host is not an address of this machine. */
export function listen(server: Port, host: string, port: number): Promise<ConnectionSource> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: maxBacklog }, () => {
      server.off('error', reject)
      resolve({ port: (server.address() as AddressInfo).port, close: () => closePort(server) })
    })
  })
}

/** The URL of an address. */
export function formatAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Closes the port once its backlog is empty: when a listening socket is closed, the operating system resets the connections
 * in its backlog, and Node accepts only one of them per turn of the event loop. Requests are held back meanwhile, because
 * their work would keep a busy server from emptying the backlog, and so are connections that other processes serve: a client
 * that waits for a response opens no new connection.
 */
async function closePort(server: Port): Promise<void> {
  const release = hold(server, server.listenerCount('request') > 0 ? 'request' : 'connection')
  let arrived = 0
  const count = () => void arrived++
  server.on('connection', count).on('drop', count)
  await idleTurn(() => arrived)
  // The port alone: the `close` of an HTTP server also closes idle connections.
  Port.prototype.close.call(server)
  server.off('connection', count).off('drop', count)
  release()
}

/** Holds events back from their listeners until the returned function is called. */
function hold(emitter: EventEmitter, event: string): () => void {
  const held: unknown[][] = []
  const listeners = emitter.listeners(event) as ((...values: unknown[]) => void)[]
  const keep = (...values: unknown[]) => void held.push(values)
  emitter.removeAllListeners(event)
  emitter.on(event, keep)
  return () => {
    emitter.off(event, keep)
    for (const listener of listeners) emitter.on(event, listener)
    for (const values of held) emitter.emit(event, ...values)
  }
}

/** A turn of the event loop is idle if it took less than this, in milliseconds. */
const idleMs = 0.1
/** How long to wait for an idle turn in a busy process, in milliseconds. */
const maxWaitMs = 2_000

/**
 * Waits for an idle turn of the event loop. Right after it nothing that the operating system has received for this process
 * is unread: no connection in a backlog, and no request on a connection that looks idle.
 *
 * @param arrivals counts the events that must not occur in that turn
 * @returns whether there was an idle turn in time
 */
export async function idleTurn(arrivals: () => number = () => 0): Promise<boolean> {
  const latest = performance.now() + maxWaitMs
  await nextTurn()
  for (;;) {
    const before = arrivals()
    const startedAt = performance.now()
    await nextTurn()
    const now = performance.now()
    if (arrivals() === before && now - startedAt < idleMs) return true
    if (now > latest) return false
  }
}
