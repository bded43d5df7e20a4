import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'

/** Pipelined requests without a key: all of a connection are sent at once. */
export interface PipelineAttack {
  readonly url: string
  readonly path: string
  readonly connections: number
  /** Requests of each connection. */
  readonly requests: number
}

/** What an attack did. */
export interface PipelineOutcome {
  /** The bytes of the requests of one connection. */
  readonly sentBytes: number
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** The duration of the attack, in milliseconds. */
  readonly tookMs: number
  /** The longest time that `/healthz` took meanwhile, in milliseconds. */
  readonly healthzMs: number
}

const marker = 'HTTP/1.1 '

/** Runs an attack until each connection has ended, and measures `/healthz` on connections of its own meanwhile. */
export async function pipeline({ url, path, connections, requests }: PipelineAttack): Promise<PipelineOutcome> {
  const { hostname, port, host } = new URL(url)
  const one = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const text = one.repeat(requests - 1) + one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
  const statuses: Record<string, number> = {}
  const startedAt = performance.now()
  const over = new AbortController()
  let healthzMs = 0
  const probing = (async () => {
    while (!over.signal.aborted) {
      const sentAt = performance.now()
      await (await fetch(`${url}/healthz`)).text()
      healthzMs = Math.max(healthzMs, performance.now() - sentAt)
    }
  })()
  const attack = Array.from({ length: connections }, () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const socket = connect(Number(port), hostname, () => socket.write(text))
    // A status line may be in two chunks.
    let rest = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      const data = Buffer.concat([rest, chunk])
      let next = 0
      for (let at = data.indexOf(marker); at >= 0 && at + 12 <= data.length; at = data.indexOf(marker, next)) {
        const status = data.toString('latin1', at + 9, at + 12)
        statuses[status] = (statuses[status] ?? 0) + 1
        next = at + 12
      }
      rest = data.subarray(Math.max(next, data.length - 11))
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    return promise
  })
  await Promise.all(attack)
  const tookMs = performance.now() - startedAt
  over.abort()
  await probing
  return { sentBytes: text.length, statuses, tookMs: Math.round(tookMs), healthzMs: Math.round(healthzMs) }
}
