import type { EventEmitter } from 'node:events'
import { Server as Port, type AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

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
 * meanwhile, because their work would keep a busy server from ever emptying the backlog, and so do new connections where
 * other processes serve them: a client that waits for an answer opens no further connection.
 */
async function closePort(server: Port): Promise<void> {
  const release = hold(server, server.listenerCount('request') > 0 ? 'request' : 'connection')
  let arrived = 0
  const count = () => void arrived++
  server.on('connection', count).on('drop', count)
  await quietTurn(() => arrived)
  // The port alone: the `close` of an HTTP server also closes idle connections.
  Port.prototype.close.call(server)
  server.off('connection', count).off('drop', count)
  release()
}

/** Keeps events from their listeners until the returned function is called. */
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

/** A turn of the event loop that took no longer found next to nothing to do, in milliseconds. */
const quietMs = 0.1
/** How long to wait for such a turn in a busy process, in milliseconds. */
const longestWaitMs = 2_000

/**
 * Waits for a turn of the event loop in which nothing arrived. Right after it, for some microseconds, nothing that the
 * system has for this process is unread: no connection in a backlog, and no request on a connection that looks idle.
 *
 * @param arrivals counts what should not arrive in that turn
 * @returns whether there was such a turn in time
 */
export async function quietTurn(arrivals: () => number = () => 0): Promise<boolean> {
  const latest = performance.now() + longestWaitMs
  await nextTurn()
  for (;;) {
    const before = arrivals()
    const begun = performance.now()
    await nextTurn()
    const now = performance.now()
    if (arrivals() === before && now - begun < quietMs) return true
    if (now > latest) return false
  }
}
