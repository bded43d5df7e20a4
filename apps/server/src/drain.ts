import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { idleTurn } from './listen.ts'

const sweepMs = 50

/** Tracks the open connections of a server. */
export function trackConnections(server: Server) {
  const open = new Set<Socket>()
  const { promise: empty, resolve } = Promise.withResolvers<void>()
  let isDraining = false
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      if (isDraining && open.size === 0) resolve()
    })
  })

  /** No event says when a connection becomes idle. */
  async function closeIdle(): Promise<void> {
    while (open.size > 0) {
      // Otherwise a request that has arrived but was not read yet would be lost.
      if (await idleTurn()) {
        server.closeIdleConnections()
        // Node counts a connection as idle only after its first request.
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
      }
      await sleep(sweepMs)
    }
  }

  return {
    /**
     * Waits for the requests in flight, and closes each connection as soon as it is idle.
     *
     * @param graceMs how long idle connections stay open for one more request
     * @param timeoutMs how long requests in flight may take
     */
    async drain({
      graceMs = 500,
      timeoutMs = 30_000,
    }: { readonly graceMs?: number; readonly timeoutMs?: number } = {}) {
      isDraining = true
      if (open.size > 0) {
        // A request may be on its way on an idle connection. Its response closes the connection.
        const grace = setTimeout(() => void closeIdle(), graceMs)
        const timeout = setTimeout(() => open.forEach((socket) => socket.destroy()), timeoutMs)
        await empty
        clearTimeout(grace)
        clearTimeout(timeout)
      }
      server.close()
    },
  }
}
