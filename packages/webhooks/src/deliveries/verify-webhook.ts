import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '@fairlead/core'
import { signWebhook } from './signature.ts'
import type { WebhookEvent } from '../webhook-event.ts'

/** A webhook event of any type: of your own feature, or of a later version of Fairlead. */
export interface AnyWebhookEvent {
  /** Such as `shipment.created`. */
  readonly type: string
  /** When the event occurred, in ISO 8601. */
  readonly timestamp: string
  readonly data: unknown
}

/** The headers of a request: `Headers`, `IncomingHttpHeaders` of Node.js, or a plain object. Names are case-insensitive. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyWebhookOptions {
  /** Maximum age of the delivery, and maximum difference between the clocks, in seconds. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /** Default: the system clock. */
  readonly clock?: Pick<Clock, 'now'> | undefined
}

/** The error for a delivery that `verifyWebhook` rejects. The message names the check that failed. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  /** Express and Fastify respond with it. */
  readonly statusCode = 400
}

/**
 * Verifies that Fairlead sent a webhook delivery, and returns its event. Throws a `WebhookVerificationError` if it is
 * forged, modified or too old, and a `TypeError` if the secret is malformed.
 *
 * A later version of Fairlead can send a `type` that `WebhookEvent` does not list: respond with a 2xx status and ignore
 * it. To handle the events of your own features, pass their type: `verifyWebhook<WebhookEvent | InvoicePaid>(…)`.
 *
 * @param headers the headers of the request
 * @param rawBody the body as received, before any JSON parsing: a string, `Uint8Array` or `Buffer`
 * @param secret the secret of the webhook (`whsec_…`), or several of which one must match
 * @example
 *   const event = verifyWebhook(request.headers, await request.text(), secret)
 *   if (event.type === 'shipment.deleted') await removeShipment(event.data.id)
 */
export function verifyWebhook<Event extends { readonly type: string } = WebhookEvent>(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secret: string | readonly string[],
  { toleranceSeconds = 300, clock = Date }: VerifyWebhookOptions = {},
): Event {
  requireRawBody(rawBody)
  const { id, timestamp, signatures } = readHeaders(headers)
  checkAge(timestamp, clock.now(), toleranceSeconds)
  const expected = signWebhook({ id, timestamp, body: rawBody, secrets: [secret].flat() }).split(' ')
  if (!expected.some((signature) => signatures.some((candidate) => isEqual(candidate, signature)))) {
    throw new WebhookVerificationError(
      'No signature matches: check that the secret is that of this webhook, and that the body is passed exactly as received',
    )
  }
  return parse(rawBody) as Event
}

/** Programs without types also pass parsed JSON, or the undefined body of a request without a body parser. */
function requireRawBody(rawBody: unknown): void {
  if (typeof rawBody === 'string' || ArrayBuffer.isView(rawBody)) return
  const kind = typeof rawBody === 'object' ? 'an object, such as parsed JSON' : `of type ${typeof rawBody}`
  throw new WebhookVerificationError(`The body is ${kind}: pass it as received, as a string or Uint8Array`)
}

function readHeaders(headers: WebhookHeaders) {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const values = names.map((name) => readHeader(headers, name))
  const missing = names.filter((_name, index) => values[index] === '')
  if (missing.length > 0) throw new WebhookVerificationError(`Missing header: ${missing.join(', ')}`)
  const [id = '', timestamp = '', signature = ''] = values
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The header webhook-timestamp is not a number')
  return { id, timestamp: Number(timestamp), signatures: signature.split(' ') }
}

/** The values of a header, separated by spaces. Empty if it is missing. */
function readHeader(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? ''
  const values = Object.entries(headers as Readonly<Record<string, unknown>>).filter(
    ([key]) => key.toLowerCase() === name,
  )
  return values.flatMap(([, value]) => value ?? []).join(' ')
}

function checkAge(timestamp: number, now: number, toleranceSeconds: number): void {
  const age = Math.floor(now / 1000) - timestamp
  if (Math.abs(age) <= toleranceSeconds) return
  const limit = `at most ${toleranceSeconds} s are allowed`
  throw new WebhookVerificationError(
    age > 0
      ? `The timestamp is ${age} s old: ${limit}`
      : `The timestamp is ${-age} s in the future: ${limit}. Check the clock of this machine`,
  )
}

function isEqual(candidate: string, signature: string): boolean {
  const [a, b] = [Buffer.from(candidate), Buffer.from(signature)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function parse(rawBody: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString())
  } catch (cause) {
    throw new WebhookVerificationError('The body is not JSON', { cause })
  }
}
