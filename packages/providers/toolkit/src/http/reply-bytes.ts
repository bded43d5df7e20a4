import { parseJson, PolledIterator, ProviderError } from '@fairlead/core/provider'
import type { ReplyBytes } from './http-requests.ts'
import type { ReplyReading } from './read-reply.ts'
import { readBytes, readSome, type ReplyBody } from './reply-body.ts'
import type { Reply } from './upstream-exchange.ts'
import { upstreamFailure } from './upstream-failure.ts'

/** The whole reply. */
export async function receiveBytes(reply: Reply, maxBytes: number, reading: ReplyReading): Promise<ReplyBytes> {
  await requireBytes(reply, reading)
  const [mediaType] = (reply.headers['content-type'] ?? '').split(';')
  return { bytes: await readBytes(reply.body, maxBytes), mediaType: mediaType?.trim().toLowerCase() || undefined }
}

/** The reply, piece by piece. */
export async function receiveChunks(reply: Reply, maxBytes: number, reading: ReplyReading): Promise<ReplyChunks> {
  await requireBytes(reply, reading)
  return new ReplyChunks(reply.body, maxBytes)
}

/** Servers send errors, and pages of proxies, with a status of success. */
async function requireBytes({ headers, body }: Reply, { explainError, clock }: ReplyReading): Promise<void> {
  const type = headers['content-type'] ?? ''
  if (!/json|html/i.test(type)) return
  const text = (await readSome(body, clock)).toString()
  const reading = explainError({ status: 200, body: parseJson(text) })
  if (reading) throw upstreamFailure({ status: 200, headers, text: '', reading, now: clock.now() })
  throw new ProviderError(/html/i.test(type) ? 'retry' : 'give_up', `the reply is ${type} instead of bytes`)
}

class ReplyChunks extends PolledIterator<Uint8Array> {
  readonly #body: ReplyBody
  readonly #maxBytes: number
  #size = 0

  constructor(body: ReplyBody, maxBytes: number) {
    super()
    this.#body = body
    this.#maxBytes = maxBytes
  }

  poll(): IteratorResult<Uint8Array, undefined> | undefined {
    const next = this.#body.poll()
    this.#size += next?.value?.length ?? 0
    if (this.#size <= this.#maxBytes) return next
    throw new ProviderError('give_up', `the reply has more than ${this.#maxBytes} bytes`)
  }

  ready(): Promise<void> {
    return this.#body.ready()
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    return this.#body.return()
  }
}
