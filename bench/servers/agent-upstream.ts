import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ending, pieces, whole } from './instant-completion.ts'
import { chatCompletion, reportUsage } from './report-usage.ts'

/**
 * Answers chat completions and Anthropic's messages at once. It does not parse a request, which may be large, and shares its
 * core with the client.
 */
const streaming = '"stream":true'
const message = JSON.stringify({
  id: 'msg_instant',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'The quick brown fox jumps over the lazy dog.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 10 },
})

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (Buffer.concat(chunks).includes(streaming)) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(pieces.join('') + ending)
      return
    }
    const reply = request.url?.endsWith('/messages') === true ? message : whole
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(reply) })
    response.end(reply)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => reportUsage((server.address() as AddressInfo).port, chatCompletion()))
