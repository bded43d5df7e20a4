import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** An OpenAI-compatible upstream that keeps streams open. A test sends each piece. */
export interface StreamUpstream {
  readonly url: string
  /** The open streams, by the prompt of their request. */
  readonly open: ReadonlyMap<string, ServerResponse>
}

export async function openStreamUpstream(): Promise<StreamUpstream> {
  const open = new Map<string, ServerResponse>()
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(
        '{"object":"list","data":[{"id":"gpt-test","object":"model","created":0,"owned_by":"test"}]}',
      )
    }
    const { messages } = JSON.parse(await text(request))
    const prompt: string = messages[0].content
    open.set(prompt, response)
    response.on('close', () => open.delete(prompt))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, open }
}

/** A client of the service whose reading and disconnecting a test controls. */
export function openClient(url: string, key: string, prompt: string): Socket & { received: string } {
  const { hostname, port } = new URL(url)
  const socket = Object.assign(connect(Number(port), hostname), { received: '' })
  const body = JSON.stringify({ model: 'gpt-test', prompt, stream: true })
  socket.write(
    `POST /generate HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Authorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  socket.setEncoding('utf8').on('data', (data: string) => (socket.received += data))
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

/** An event of a streamed chat completion, with a piece of text. */
export function chunk(content: string): string {
  return event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
}

/** The last events of one. */
export const finishChunk =
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  event({ choices: [], usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 } }) +
  'data: [DONE]\n\n'

function event(data: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, ...data })}\n\n`
}
