import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ending, pieces, whole } from './instant-completion.ts'
import { chatCompletion, tellUsage } from './tell-usage.ts'

/** A server of chat completions whose model answers at once. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (JSON.parse(Buffer.concat(chunks).toString()).stream === true) return stream(response)
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(whole) })
    response.end(whole)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => tellUsage((server.address() as AddressInfo).port, chatCompletion()))

/** Each piece goes out by itself, as a model sends them that writes token by token. */
function stream(response: ServerResponse): void {
  const left = pieces.values()
  const sendNext = () => {
    const { done, value } = left.next()
    if (done) return void response.end(ending)
    response.write(value)
    setImmediate(sendNext)
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  sendNext()
}
