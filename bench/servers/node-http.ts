import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bareAnswer } from './instant-provider.ts'
import { reportUsage } from './report-usage.ts'

/** A bare `node:http` handler: reads and parses the body, and responds. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    const body = JSON.stringify(bareAnswer())
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => reportUsage((server.address() as AddressInfo).port))
