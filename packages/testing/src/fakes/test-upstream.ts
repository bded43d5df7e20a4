import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local server that simulates an upstream API. */
export interface TestUpstream {
  readonly url: string
  /** The requests so far. */
  readonly requests: readonly UpstreamRequest[]
  /** Empties `requests`. */
  forget(): void
  /** Sets the reply to further requests. Default: 404. */
  answer(how: UpstreamAnswer): void
  close(): Promise<void>
}

export interface UpstreamRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Parsed JSON, or text if it is not JSON. */
  readonly body: unknown
  /** The body as it arrived. */
  readonly text: string
  /** Resolves when the client closes the connection before the response is complete. */
  readonly hungUp: Promise<void>
}

export type UpstreamAnswer = (response: ServerResponse, request: UpstreamRequest) => void | Promise<void>

export async function openTestUpstream(): Promise<TestUpstream> {
  const requests: UpstreamRequest[] = []
  let answer: UpstreamAnswer = (response) => void response.writeHead(404).end()
  const server = createServer(async (message, response) => {
    try {
      const request = await received(message, response)
      requests.push(request)
      await answer(response, request)
    } catch {
      // The client closed the connection.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    forget: () => void (requests.length = 0),
    answer: (how) => void (answer = how),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function received(message: IncomingMessage, response: ServerResponse): Promise<UpstreamRequest> {
  const hungUp = new Promise<void>((resolve) => {
    response.on('close', () => {
      if (!response.writableFinished) resolve()
    })
  })
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const { method = '', url: path = '', headers } = message
  const text = Buffer.concat(chunks).toString()
  return { method, path, headers, body: asJson(text), text, hungUp }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
