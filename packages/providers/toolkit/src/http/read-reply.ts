import { type Clock, parseJson, parseJsonBytes, ProviderError } from '@fairlead/core/provider'
import type * as z from 'zod'
import { type Reply, upstreamFacts } from './upstream-exchange.ts'
import type { HttpClientOptions } from './http-client-options.ts'
import { SentEvents, type StreamForm, type StreamMarks } from './read-events.ts'
import { createBody, sniffForm, readBytes, readSome } from './reply-body.ts'
import { upstreamFailure } from './upstream-failure.ts'

/** The options for reading the replies of one client. */
export type ReplyReading = Required<Pick<HttpClientOptions, 'explainError'>> & {
  readonly clock: Clock
  readonly rateLimitHeaders: boolean
}

export type ReplySchema<Output> = Pick<z.ZodType<Output>, 'safeParse'>

/** How the events of a stream are read. */
export interface EventForm<Output> extends StreamMarks<Output> {
  readonly schema: ReplySchema<Output>
}

/** A whole reply as its value, or the events of a server that streams although a whole reply was asked for. */
export type WholeReply<Output, Event> = { readonly value: Output } | { readonly events: AsyncIterable<Event> }

export function isSuccess({ status }: Reply): boolean {
  return status >= 200 && status < 300
}

/** The error that a failed reply describes by its status, headers, and body. */
export async function readFailure(
  { status, headers, body }: Reply,
  { explainError, clock, rateLimitHeaders }: ReplyReading,
): Promise<ProviderError> {
  const text = (await readSome(body, clock)).toString()
  const reading = explainError({ status, body: parseJson(text) })
  const facts = upstreamFacts(headers, rateLimitHeaders)
  return upstreamFailure({ status, headers, text, reading, facts, now: clock.now() })
}

/** Rejects a reply in an encoding that was not requested. */
export function requireNoEncoding({ headers, body }: Reply): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return
  void body.return()
  throw new ProviderError('give_up', `the reply has the encoding ${encoding}, which was not requested`)
}

/**
 * The value of a whole reply; a promise if it has not arrived with its head, as short ones do.
 *
 * @param form of the events that the reply may have instead
 */
export function readWhole<Output, Event>(
  reply: Reply,
  schema: ReplySchema<Output>,
  maxBytes: number,
  form: EventForm<Event> | undefined,
  reading: ReplyReading,
): WholeReply<Output, Event> | Promise<WholeReply<Output, Event>> {
  const { body } = reply
  const first = body.peek()
  const whole = first && sniffForm(first) === 'json' ? body.takeWhole(maxBytes) : undefined
  return whole ? readText(reply, whole, schema, form, reading) : readLater(reply, schema, maxBytes, form, reading)
}

async function readLater<Output, Event>(
  reply: Reply,
  schema: ReplySchema<Output>,
  maxBytes: number,
  form: EventForm<Event> | undefined,
  reading: ReplyReading,
): Promise<WholeReply<Output, Event>> {
  const { headers, body } = reply
  await body.ready()
  const first = body.peek()
  const sentForm = first && sniffForm(first)
  if (sentForm === 'events' && form) return { events: openStream(reply, form, reading) }
  if (sentForm === 'events') {
    // Waiting for the end of a stream that nobody asked for could take for ever.
    void body.return()
    throw new ProviderError('retry', 'the reply is a stream of events')
  }
  if (sentForm === 'other' && !/\bjson\b/.test(headers['content-type'] ?? 'json')) {
    const sample = (await readSome(body, reading.clock)).toString()
    throw new ProviderError('retry', `the reply is ${headers['content-type']}: ${sample}`)
  }
  return readText(reply, await readBytes(body, maxBytes), schema, form, reading)
}

function readText<Output, Event>(
  { headers }: Reply,
  bytes: Buffer,
  schema: ReplySchema<Output>,
  form: EventForm<Event> | undefined,
  reading: ReplyReading,
): WholeReply<Output, Event> {
  const value = parseJsonBytes(bytes)
  // Lines of JSON, or a list, are the events of a stream.
  const isStream = value === undefined ? /[\r\n]/.test(bytes.toString().trim()) : Array.isArray(value)
  if (isStream && form && !reading.explainError({ status: 200, body: value })) {
    return { events: openStream({ headers, body: createBody(bytes) }, form, reading) }
  }
  return { value: readValue(bytes.length, value, schema, reading) }
}

/** The values of a stream's events, as they arrive. */
export function openStream<Output>(
  reply: Pick<Reply, 'headers' | 'body'>,
  form: EventForm<Output>,
  reading: ReplyReading,
  expected: StreamForm = 'events',
): SentEvents<Output> {
  const read = (data: string) => readValue(data.length, parseJson(data), form.schema, reading)
  return new SentEvents(reply, read, form, expected, reading.clock)
}

/**
 * A value that does not match the schema may be an error. The message never quotes the value, which may be a response. A
 * reply that is complete is paid for, and would be the same again: the call is not repeated.
 */
function readValue<Output>(
  length: number,
  body: unknown,
  schema: ReplySchema<Output>,
  { explainError }: ReplyReading,
): Output {
  if (body === undefined) throw new ProviderError('retry', `the reply is not JSON (${length} characters)`)
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const reading = explainError({ status: 200, body })
  if (reading) throw upstreamFailure({ status: 200, headers: {}, text: '', reading, now: 0 })
  throw new ProviderError('give_up', `the reply does not have the documented shape: ${faultsIn(read.error)}`)
}

const maxFaults = 5

/**
 * The faults that a schema found, by the path of each field: `choices.0.message: expected object`. Values are never
 * quoted.
 */
function faultsIn({ issues }: z.ZodError): string {
  return issues
    .flatMap((issue) => deepest(issue, []))
    .slice(0, maxFaults)
    .map(({ path, message }) => `${path.join('.') || 'the reply'}: ${message}`)
    .join('; ')
}

interface Fault {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Of the alternatives of a union, those that came closest, which failed deepest. */
function deepest(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): readonly Fault[] {
  const path = [...before, ...issue.path]
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, message: issue.message }]
  const alternatives = issue.errors.map((issues) => issues.flatMap((inner) => deepest(inner, path)))
  const depthOf = (faults: readonly Fault[]) => Math.max(...faults.map((fault) => fault.path.length))
  const deepestOf = Math.max(...alternatives.map(depthOf))
  return alternatives.filter((faults) => depthOf(faults) === deepestOf).flat()
}
