import type { Server } from 'node:http'
import { Server as Port } from 'node:net'

const sweepMs = 50

export interface DrainOptions {
  /** How long idle connections may wait for one more request, in milliseconds. Default: 500. */
  readonly farewellMs?: number
  /** How long what is in flight may take, in milliseconds. Default: 30,000. */
  readonly patienceMs?: number
}

/**
 * Stops accepting, waits for what is in flight, and cuts off what takes longer than that.
 *
 * A request may be under way on a connection that looks idle, and would be lost with it. So for a moment connections stay
 * as they are: whoever answers closes each with its next answer.
 */
export function drain(server: Server, { farewellMs = 500, patienceMs = 30_000 }: DrainOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined
    const farewell = setTimeout(() => {
      server.close()
      // A kept-alive connection becomes idle when its last answer is out, which no event tells.
      sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
    }, farewellMs)
    const cutOff = setTimeout(() => server.closeAllConnections(), patienceMs)
    // The port alone: the server's own `close` takes idle connections with it.
    Port.prototype.close.call(server, () => {
      clearTimeout(farewell)
      clearTimeout(cutOff)
      clearInterval(sweep)
      resolve()
    })
  })
}
