import { once } from 'node:events'
import { Agent, request } from 'undici'

/** Requests to send one after another on one connection. `#` in the body stands for the number of the request. */
export interface Sending {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly count: number
}

/** Sends the requests of each message, and reports when the last response has ended. */
const dispatcher = new Agent({ connections: 1, pipelining: 1 })
process.on('disconnect', () => process.exit(0))
let sent = 0
process.on('message', async ({ url, count, body: content, ...options }: Sending) => {
  for (const last = sent + count; sent < last; sent++) {
    const own = content?.replace('#', String(sent)) ?? null
    const { statusCode, body } = await request(url, { ...options, body: own, dispatcher })
    if (statusCode >= 300) throw new Error(`${options.method} ${url} answered ${statusCode}: ${await body.text()}`)
    body.resume()
    await once(body, 'end')
  }
  process.send?.('sent')
})
