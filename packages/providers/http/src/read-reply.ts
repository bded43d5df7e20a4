import type { IncomingHttpHeaders } from 'node:http'
import { type Clock, ProviderError } from '@fairlead/core/provider'
import type { z } from 'zod'
import type { Reply } from './exchange.ts'
import type { ErrorReading, UpstreamError } from './http-client-options.ts'
import { maxSampleBytes, readBytes, readSome } from './read-bytes.ts'
import { type EventReading, readEvents } from './read-events.ts'
import type { ReplyBody } from './reply-body.ts'
import { upstreamFailure } from './upstream-failure.ts'

export interface ReplyReading<Output> {
  readonly schema: z.ZodType<Output>
  readonly explainError: ExplainError
  readonly clock: Clock
}

export type ExplainError = (error: UpstreamError) => ErrorReading | undefined

export function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status < 300
}

/** What the status, headers and body of a reply that is no success tell of. */
export async function failureOf(
  { status, headers, body }: Reply,
  explainError: ExplainError,
  clock: Clock,
): Promise<ProviderError> {
  const text = (await readSome(body, clock)).toString()
  const reading = explainError({ status, body: asJson(text) })
  return upstreamFailure({ status, headers, text, reading, now: clock.now() })
}

/** Leaves a reply in an encoding that was not asked for. */
export function requireNoEncoding({ headers, body }: Reply): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return
  void body.return()
  throw new ProviderError('give_up', `the reply is encoded as ${encoding}, which was not asked for`)
}

/** The value of a JSON reply. */
export async function readJson<Output>(
  { headers, body }: Reply,
  reading: ReplyReading<Output>,
  maxBytes: number,
): Promise<Output> {
  if (!isOfType(headers, /\bjson\b/)) throw await otherType(headers, body, reading.clock)
  return readValue((await readBytes(body, maxBytes)).toString(), reading)
}

/** The values of a stream's events, as they come. Rejects where the reply is no stream. */
export async function openStream<Output>(
  { headers, body }: Reply,
  reading: ReplyReading<Output>,
  end: Omit<EventReading<Output>, 'read'>,
): Promise<AsyncIterableIterator<Output, undefined>> {
  // An upstream that fails before it streams may say so in JSON, under the status of a success.
  if (/\bjson\b/.test(headers['content-type'] ?? '')) {
    const some = await readSome(body, reading.clock)
    // What is longer is no error, but an answer.
    if (some.length < maxSampleBytes) readValue(some.toString(), reading)
    throw new ProviderError('give_up', 'the reply is whole JSON where a stream was asked for')
  }
  if (!isOfType(headers, /\btext\/event-stream\b/)) throw await otherType(headers, body, reading.clock)
  return readEvents(body, { read: (data) => readValue(data, reading), ...end })
}

/** A reply that does not say what it is may be anything. */
function isOfType({ 'content-type': type = '' }: IncomingHttpHeaders, wanted: RegExp): boolean {
  return type === '' || wanted.test(type)
}

async function otherType(headers: IncomingHttpHeaders, body: ReplyBody, clock: Clock): Promise<ProviderError> {
  const sample = (await readSome(body, clock)).toString()
  return new ProviderError('retry', `the reply is ${headers['content-type']}: ${sample}`)
}

/** What breaks the schema may be an error in the place of an answer. The message shows none of it: it may be an answer. */
function readValue<Output>(text: string, { schema, explainError }: Omit<ReplyReading<Output>, 'clock'>): Output {
  const body = asJson(text)
  if (body === undefined) throw new ProviderError('retry', `${text.length} characters of the reply are no JSON`)
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const reading = explainError({ status: 200, body })
  if (reading) throw upstreamFailure({ status: 200, headers: {}, text: '', reading, now: 0 })
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'the reply'}: ${message}`)
  throw new ProviderError('retry', `the reply has not the documented shape: ${faults.slice(0, 3).join('; ')}`)
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
