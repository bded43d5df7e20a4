import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { idleTurn } from './listen.ts'

const sweepMs = 50
/** How long calls that were ended have to send their error. */
const lastWordMs = 2_000

/** Tracks the open connections of a server. */
export function trackConnections(server: Server) {
  const open = new Set<Socket & { readonly _httpMessage?: ServerResponse | null }>()
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
    /** How many connections have a request that was not answered completely. Counted when asked, so that requests cost nothing. */
    inFlight(): number {
      let count = 0
      // oxlint-disable-next-line no-underscore-dangle -- Node's own handler reads it, and there is no public property
      for (const { _httpMessage: response } of open) if (response) count++
      return count
    },
    /**
     * Waits for the requests in flight, and closes each connection as soon as it is idle.
     *
     * @param graceMs how long idle connections stay open for one more request
     * @param timeoutMs how long requests in flight may take
     * @param onTimeout ends them, and lets them send an error
     */
    async drain({
      graceMs = 500,
      timeoutMs = 30_000,
      onTimeout,
    }: { readonly graceMs?: number | undefined; readonly timeoutMs?: number; readonly onTimeout?: () => void } = {}) {
      isDraining = true
      if (open.size > 0) {
        // A request may be on its way on an idle connection. Its response closes the connection.
        const grace = setTimeout(() => void closeIdle(), graceMs)
        const destroyAll = () => open.forEach((socket) => socket.destroy())
        const timeout = setTimeout(onTimeout ?? destroyAll, timeoutMs)
        const end = setTimeout(destroyAll, timeoutMs + lastWordMs)
        await empty
        for (const timer of [grace, timeout, end]) clearTimeout(timer)
      }
      server.close()
    },
  }
}
