// Sends the pipelined requests of an attack. A separate process, so that reading the responses delays no measurement.
import { connect } from 'node:net'
import type { PipelineAttack } from './pipeline.ts'

const marker = 'HTTP/1.1 '

const { url, path, connections, requests } = JSON.parse(process.argv[2] ?? '') as PipelineAttack
const { hostname, port, host } = new URL(url)
const one = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
const text = one.repeat(requests - 1) + one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
const statuses: Record<string, number> = {}

/** Sends all requests of a connection at once, and counts the responses until it ends. */
function attack(): Promise<void> {
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
}

await Promise.all(Array.from({ length: connections }, attack))
process.send?.(statuses)
