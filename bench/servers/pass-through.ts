import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request as ask } from 'undici'
import { upstreamUrl } from './upstream-url.ts'
import { chatCompletion, reportUsage } from './report-usage.ts'

/** A proxy that forwards bytes unread: the minimum cost of any gateway. */
const dispatcher = new Agent({ connections: null, pipelining: 1 })
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { statusCode, headers, body } = await ask(`${upstreamUrl}${request.url}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' },
    body: Buffer.concat(chunks),
    dispatcher,
  })
  response.writeHead(statusCode, { 'Content-Type': headers['content-type'] ?? '' })
  body.pipe(response)
})
// Thousands of connections may arrive at once.
server.listen(0, '127.0.0.1', 4_096, () => reportUsage((server.address() as AddressInfo).port, chatCompletion()))
