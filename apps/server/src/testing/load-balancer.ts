import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A load balancer in front of nodes. It stops when the test ends. */
export interface LoadBalancer {
  readonly url: string
  add(nodeUrl: string): void
  remove(nodeUrl: string): void
}

const probeEveryMs = 50
// A connection for each request, which is nginx's default: a node may close an idle one just as a request is sent.
const agent = new Agent({ keepAlive: false })

/**
 * Starts one that works as nginx and HAProxy do: nodes take turns; a node whose `/readyz` fails gets no new requests; a
 * request whose connection is refused goes to the next node, and gets 503 if there is none; a request whose node dies gets 502.
 */
export async function startLoadBalancer(): Promise<LoadBalancer> {
  const ready = new Map<string, boolean>()
  let turn = 0

  /** The nodes for a request, in the order in which they are tried. */
  function candidates(): readonly string[] {
    const all = [...ready.keys()].filter((node) => ready.get(node))
    const first = all.length > 0 ? turn++ % all.length : 0
    return [...all.slice(first), ...all.slice(0, first)]
  }

  const server = createServer(async (incoming, response) => {
    const body: Buffer[] = []
    for await (const chunk of incoming) body.push(chunk)
    for (const node of candidates()) {
      if (await forward(node, incoming, Buffer.concat(body), response)) return
      ready.set(node, false)
    }
    response.writeHead(503).end()
  })
  const probes = setInterval(() => {
    for (const node of ready.keys()) {
      void fetch(`${node}/readyz`).then(
        (reply) => ready.has(node) && ready.set(node, reply.ok),
        () => ready.has(node) && ready.set(node, false),
      )
    }
  }, probeEveryMs)
  // For the same reason, it closes no idle connection of a client.
  server.keepAliveTimeout = 0
  // Tests send thousands of requests at once.
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
  await once(server, 'listening')
  onTestFinished(() => {
    clearInterval(probes)
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (node) => void ready.set(node, true),
    remove: (node) => void ready.delete(node),
  }
}

/** Resolves to false if the node refused the connection, and to true once the client has an answer. */
function forward(node: string, incoming: IncomingMessage, body: Buffer, response: ServerResponse): Promise<boolean> {
  const { method, url: path, headers } = incoming
  return new Promise((resolve) => {
    const fail = () => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end()
      resolve(true)
    }
    const asking = request(`${node}${path}`, { method, headers, agent }, (reply) => {
      const { connection: _connection, ...rest } = reply.headers
      response.writeHead(reply.statusCode ?? 502, rest)
      reply.pipe(response)
      reply.on('error', fail)
      reply.on('end', () => resolve(true))
    })
    asking.on('error', ({ code }: NodeJS.ErrnoException) => (code === 'ECONNREFUSED' ? resolve(false) : fail()))
    asking.end(body)
  })
}
