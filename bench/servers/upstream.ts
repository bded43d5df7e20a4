import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ending, pieces, whole } from './instant-completion.ts'
import { chatCompletion, reportUsage } from './report-usage.ts'

/** A chat completions server that responds at once. The model `dripping` streams chunk by chunk. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { stream, model } = JSON.parse(Buffer.concat(chunks).toString())
    if (stream === true) return model === 'dripping' ? drip(response) : streamAtOnce(response)
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(whole) })
    response.end(whole)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => reportUsage((server.address() as AddressInfo).port, chatCompletion()))

/** Sends the first chunk alone and then all others, to measure the latency of the first chunk. */
function streamAtOnce(response: ServerResponse): void {
  const [first, ...others] = pieces
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write(first)
  setImmediate(() => response.end(others.join('') + ending))
}

/** Sends each chunk separately, like a model that streams tokens. */
function drip(response: ServerResponse): void {
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
