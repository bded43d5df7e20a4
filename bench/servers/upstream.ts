import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ending, pieces, whole } from './instant-completion.ts'
import { chatCompletion, reportUsage } from './report-usage.ts'

/** A server of chat completions whose models answer at once; the one called `dripping` streams piece by piece. */
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

/** The first piece by itself, and then all others: what is measured is how long it takes on its way. */
function streamAtOnce(response: ServerResponse): void {
  const [first, ...others] = pieces
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write(first)
  setImmediate(() => response.end(others.join('') + ending))
}

/** Each piece by itself, as a model sends them that writes token by token. */
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
