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
  /** Reads a usual value without the schema; undefined for any other. */
  readonly readUsual?: ((value: unknown) => Output | undefined) | undefined
  readonly explainError: ExplainError
  readonly clock: Clock
}

export interface FailureReading extends Omit<ReplyReading<unknown>, 'schema'> {
  readonly rateLimitHeaders: boolean
}

export type ExplainError = (error: UpstreamError) => ErrorReading | undefined

export function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status < 300
}

/** The error that a failed reply describes by its status, headers, and body. */
export async function failureOf(
  { status, headers, body }: Reply,
  { explainError, clock, rateLimitHeaders }: FailureReading,
): Promise<ProviderError> {
  const text = (await readSome(body, clock)).toString()
  const reading = explainError({ status, body: asJson(text) })
  return upstreamFailure({ status, headers, text, reading, rateLimitHeaders, now: clock.now() })
}

/** Rejects a reply in an encoding that was not requested. */
export function requireNoEncoding({ headers, body }: Reply): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return
  void body.return()
  throw new ProviderError('give_up', `the reply has the encoding ${encoding}, which was not requested`)
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

/** The values of a stream's events, as they arrive. Rejects if the reply is not a stream. */
export async function openStream<Output>(
  { headers, body }: Reply,
  reading: ReplyReading<Output>,
  end: Omit<EventReading<Output>, 'read'>,
): Promise<AsyncIterableIterator<Output, undefined>> {
  // An upstream that fails before it streams may send its error as JSON with a status of success.
  if (/\bjson\b/.test(headers['content-type'] ?? '')) {
    const some = await readSome(body, reading.clock)
    // Errors are shorter than that.
    if (some.length < maxSampleBytes) readValue(some.toString(), reading)
    throw new ProviderError('give_up', 'the reply is JSON instead of a stream')
  }
  if (!isOfType(headers, /\btext\/event-stream\b/)) throw await otherType(headers, body, reading.clock)
  return readEvents(body, { read: (data) => readValue(data, reading), ...end })
}

/** A reply without a content type may have any. */
function isOfType({ 'content-type': type = '' }: IncomingHttpHeaders, wanted: RegExp): boolean {
  return type === '' || wanted.test(type)
}

async function otherType(headers: IncomingHttpHeaders, body: ReplyBody, clock: Clock): Promise<ProviderError> {
  const sample = (await readSome(body, clock)).toString()
  return new ProviderError('retry', `the reply is ${headers['content-type']}: ${sample}`)
}

/** A value that does not match the schema may be an error. The message never quotes the value, which may be a response. */
function readValue<Output>(
  text: string,
  { schema, readUsual, explainError }: Omit<ReplyReading<Output>, 'clock'>,
): Output {
  const body = asJson(text)
  if (body === undefined) throw new ProviderError('retry', `the reply is not JSON (${text.length} characters)`)
  const usual = readUsual?.(body)
  if (usual !== undefined) return usual
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const reading = explainError({ status: 200, body })
  if (reading) throw upstreamFailure({ status: 200, headers: {}, text: '', reading, now: 0 })
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'the reply'}: ${message}`)
  throw new ProviderError('retry', `the reply does not have the documented shape: ${faults.slice(0, 3).join('; ')}`)
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
