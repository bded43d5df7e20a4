import type { ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { type Clock, systemClock } from '@fairlead/core'
import { isPublicAddress, readNetwork } from '@fairlead/core/adapter'
import type { Logger } from 'pino'

/** A network that has reached its share is logged again after this long, in milliseconds. */
const quietMs = 60_000

export interface ConnectionShareOptions {
  readonly logger: Pick<Logger, 'warn'>
  /**
   * Connections of one network. Default: as many as are left for all others, so that a network alone may have half of the
   * server's maximum, and there is always room for the next network (dynamic thresholds: Choudhury and Hahne, 1998).
   */
  readonly maxPerNetwork?: number | undefined
  /** The network address of a connection. Default: the peer's address. */
  readonly addressOf?: (socket: Socket) => string | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}

/**
 * Limits the connections of each public network (an IPv4 /24 or an IPv6 /56), and closes idle ones to make room: the
 * oldest of the network, for a new one of it beyond its share, and the oldest of all, once the server has no room for
 * another. Without an idle one, the new connection is closed. Private addresses may belong to proxies, and have no
 * share.
 */
export function shareConnections(
  server: Server,
  {
    logger,
    maxPerNetwork,
    addressOf = ({ remoteAddress }) => remoteAddress,
    clock = systemClock,
  }: ConnectionShareOptions,
): void {
  const open = new Set<Socket>()
  const networks = new Map<string, Set<Socket>>()
  let loggedAt = -Infinity

  function warn(network: string, share: number): void {
    const now = clock.now()
    if (now - loggedAt < quietMs) return
    loggedAt = now
    logger.warn({ network, maxPerNetwork: share }, 'a network has reached its share of the connections')
  }

  /** @returns whether the network has room for the connection */
  function admit(socket: Socket, network: string): boolean {
    const own = networks.get(network) ?? new Set()
    const share = maxPerNetwork ?? Math.max(1, server.maxConnections - open.size)
    if (own.size >= share) {
      warn(network, share)
      const idle = oldestIdle(own)
      if (!idle) return false
      forget(idle, network)
      idle.destroy()
    }
    networks.set(network, own.add(socket))
    return true
  }

  function forget(socket: Socket, network: string | undefined): void {
    open.delete(socket)
    if (network === undefined) return
    const own = networks.get(network)
    own?.delete(socket)
    if (own?.size === 0) networks.delete(network)
  }

  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket)
    const network = address !== undefined && isPublicAddress(address) ? readNetwork(address) : undefined
    if (network !== undefined && !admit(socket, network)) {
      socket.destroy()
      return
    }
    open.add(socket)
    socket.once('close', () => forget(socket, network))
    // Node drops the next one before this could make room for it.
    if (open.size >= server.maxConnections) oldestIdle(open)?.destroy()
  })
}

function oldestIdle(sockets: Iterable<Socket>): Socket | undefined {
  for (const socket of sockets) if (isIdle(socket)) return socket
  return undefined
}

/** Whether a connection has had a request, and waits for the next one. */
function isIdle(socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- as in `http-server.ts`, there is no public property
  return !socket.destroyed && socket.bytesWritten > 0 && !socket._httpMessage
}
