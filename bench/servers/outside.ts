import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Agent, request } from 'undici'
import { ending, piece, whole } from './instant-completion.ts'

/** Requests to send one after another on one connection. `#` in the body stands for the number of the request. */
export interface Sending {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly count: number
}

/**
 * All that a counted service talks to, in one process: its only client, and the upstream of its provider. The upstream sends
 * the pieces of a stream together, or, as the model `dripping`, each once the client has received the one before it.
 */
const word = 'piece'
let received = 0
const client = new EventEmitter()
const hasReceived = (pieces: number) => received >= pieces

/** Streams as many pieces as the request allows tokens. */
const upstream = createServer(async (incoming, response) => {
  const { stream, model, max_tokens: pieces } = JSON.parse(await text(incoming))
  if (stream !== true) return void response.setHeader('Content-Type', 'application/json').end(whole)
  response.setHeader('Content-Type', 'text/event-stream')
  for (let sent = 1; sent <= pieces; sent++) {
    response.write(piece({ content: word }, null))
    if (model === 'dripping') while (!hasReceived(sent)) await once(client, 'data')
  }
  response.end(piece({}, 'stop') + ending)
})
upstream.keepAliveTimeout = 60_000
upstream.listen(0, '127.0.0.1', () => process.send?.((upstream.address() as AddressInfo).port))

const dispatcher = new Agent({ connections: 1, pipelining: 1 })
let sent = 0
process.on('disconnect', () => process.exit(0))
process.on('message', async ({ count, ...sending }: Sending) => {
  for (const last = sent + count; sent < last; sent++) await send(sending)
  process.send?.('sent')
})

async function send({ url, body, ...options }: Omit<Sending, 'count'>): Promise<void> {
  const own = body?.replace('#', String(sent)) ?? null
  received = 0
  const response = await request(url, { ...options, body: own, dispatcher })
  let content = ''
  for await (const chunk of response.body) {
    content += chunk
    received = content.split(word).length - 1
    client.emit('data')
  }
  if (response.statusCode >= 300)
    throw new Error(`${options.method} ${url} answered ${response.statusCode}: ${content}`)
}
