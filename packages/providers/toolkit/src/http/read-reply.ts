import type { IncomingHttpHeaders } from 'node:http'
import { type Clock, parseJson, ProviderError } from '@fairlead/core/provider'
import type * as z from 'zod'
import type { Reply } from './exchange.ts'
import type { HttpClientOptions } from './http-client-options.ts'
import { SentEvents, type StreamMarks } from './read-events.ts'
import { maxSampleBytes, readBytes, readSome } from './reply-body.ts'
import { upstreamFailure } from './upstream-failure.ts'

/** What the replies of one client are read with. */
export type ReplyReading = Required<Pick<HttpClientOptions, 'explainError'>> & {
  readonly clock: Clock
  readonly rateLimitHeaders: boolean
}

export type ReplySchema<Output> = Pick<z.ZodType<Output>, 'safeParse'>

export function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status < 300
}

/** The error that a failed reply describes by its status, headers, and body. */
export async function failureOf(
  { status, headers, body }: Reply,
  { explainError, clock, rateLimitHeaders }: ReplyReading,
): Promise<ProviderError> {
  const text = (await readSome(body, clock)).toString()
  const reading = explainError({ status, body: parseJson(text) })
  return upstreamFailure({ status, headers, text, reading, rateLimitHeaders, now: clock.now() })
}

/** Rejects a reply in an encoding that was not requested. */
export function requireNoEncoding({ headers, body }: Reply): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return
  void body.return()
  throw new ProviderError('give_up', `the reply has the encoding ${encoding}, which was not requested`)
}

/** The value of a JSON reply; a promise if it has not arrived with its head, as short ones do. */
export function readJson<Output>(
  reply: Reply,
  schema: ReplySchema<Output>,
  maxBytes: number,
  reading: ReplyReading,
): Output | Promise<Output> {
  const isJson = isOfType(reply.headers, /\bjson\b/)
  const whole = isJson ? reply.body.takeWhole(maxBytes) : undefined
  return whole ? readValue(whole.toString(), schema, reading) : readLater(reply, isJson, schema, maxBytes, reading)
}

async function readLater<Output>(
  reply: Reply,
  isJson: boolean,
  schema: ReplySchema<Output>,
  maxBytes: number,
  reading: ReplyReading,
): Promise<Output> {
  if (!isJson) throw await otherType(reply, reading.clock)
  return readValue((await readBytes(reply.body, maxBytes)).toString(), schema, reading)
}

/** The values of a stream's events, as they arrive. Rejects if the reply is not a stream. */
export async function openStream<Output>(
  reply: Reply,
  post: StreamMarks<Output> & { readonly schema: ReplySchema<Output> },
  reading: ReplyReading,
): Promise<SentEvents<Output>> {
  const { headers, body } = reply
  // An upstream that fails before it streams may send its error as JSON with a status of success.
  if (/\bjson\b/.test(headers['content-type'] ?? '')) {
    const some = await readSome(body, reading.clock)
    // Errors are shorter than that.
    if (some.length < maxSampleBytes) readValue(some.toString(), post.schema, reading)
    throw new ProviderError('give_up', 'the reply is JSON instead of a stream')
  }
  if (!isOfType(headers, /\btext\/event-stream\b/)) throw await otherType(reply, reading.clock)
  return new SentEvents(body, (data) => readValue(data, post.schema, reading), post)
}

/** A reply without a content type may have any. */
function isOfType({ 'content-type': type = '' }: IncomingHttpHeaders, wanted: RegExp): boolean {
  return type === '' || wanted.test(type)
}

async function otherType({ headers, body }: Reply, clock: Clock): Promise<ProviderError> {
  const sample = (await readSome(body, clock)).toString()
  return new ProviderError('retry', `the reply is ${headers['content-type']}: ${sample}`)
}

/** A value that does not match the schema may be an error. The message never quotes the value, which may be a response. */
function readValue<Output>(text: string, schema: ReplySchema<Output>, { explainError }: ReplyReading): Output {
  const body = parseJson(text)
  if (body === undefined) throw new ProviderError('retry', `the reply is not JSON (${text.length} characters)`)
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const reading = explainError({ status: 200, body })
  if (reading) throw upstreamFailure({ status: 200, headers: {}, text: '', reading, now: 0 })
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'the reply'}: ${message}`)
  throw new ProviderError('retry', `the reply does not have the documented shape: ${faults.slice(0, 3).join('; ')}`)
}
