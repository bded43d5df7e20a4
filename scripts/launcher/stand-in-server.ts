// The server of the launcher's tests: listens, drains on the first signal, and exits with a known code.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')

let draining = false
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (draining) return
    draining = true
    process.stdout.write(`got ${signal}\n`)
    server.close(() => process.exit(3))
  })
}

const { port } = server.address() as AddressInfo
process.stdout.write(`listening ${JSON.stringify({ port, parent: process.ppid })}\n`)
