import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '@fairlead/webhooks/verify'

/** The secret of the webhook, or a number of events: the receiver sends its receipts once it has so many. */
export type Order = { readonly secret: string } | { readonly events: number }

export interface Receipts {
  /** Events that were sent more than once. */
  readonly repeated: number
  /** When the last one arrived, in milliseconds since the epoch; 0 without any. */
  readonly lastAt: number
  /** The time from each event to its receipt, in milliseconds. */
  readonly delaysMs: readonly number[]
}

/** One request in so many is verified. */
const sampleEvery = 50

/** A receiver of webhooks that responds with 204. A wrong signature ends it. */
let secret = ''
let expected: number | undefined
let ids = new Set<unknown>()
let delaysMs: number[] = []
let lastAt = 0

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    if (delaysMs.length % sampleEvery === 0) verifyWebhook(request.headers, body, secret)
    const { timestamp } = JSON.parse(body.toString())
    lastAt = Date.now()
    ids.add(request.headers['webhook-id'])
    delaysMs.push(lastAt - Date.parse(timestamp))
    response.writeHead(204).end()
    report()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit(0))
process.on('message', (order: Order) => {
  if ('secret' in order) return void (secret = order.secret)
  expected = order.events
  report()
})

/** Sends the receipts, and starts again. */
function report(): void {
  if (expected === undefined || ids.size < expected) return
  process.send?.({ repeated: delaysMs.length - ids.size, lastAt, delaysMs } satisfies Receipts)
  expected = undefined
  ids = new Set()
  delaysMs = []
}
