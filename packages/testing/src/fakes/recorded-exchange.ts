import type { UpstreamAnswer } from './test-upstream.ts'

/** A recorded request to an upstream API and its reply, as plain JSON for a fixture. */
export interface RecordedExchange {
  /** Its purpose, such as `token request`. Required for a name in `secretIn`. */
  readonly name?: string
  /** Of several exchanges, the one whose reply the suite varies. Default: the last. */
  readonly main?: true
  readonly request: {
    readonly method: string
    /** Relative to the base URL, with the query. */
    readonly path: string
    /** JSON, or the text of another form. */
    readonly body?: unknown
  }
  readonly reply: RecordedReply
}

/** Exactly one of `json`, `events`, `lines`, `array`, `bytes`, and `text` is the body. */
export interface RecordedReply {
  /** Default: 200. */
  readonly status?: number
  /** Additional headers. The content type follows from the body. */
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Server-sent events. */
  readonly events?: readonly RecordedEvent[]
  /** A stream of lines, such as NDJSON. A string is sent as it is, anything else as JSON. */
  readonly lines?: readonly unknown[]
  /** A JSON array, sent item by item. */
  readonly array?: readonly unknown[]
  readonly bytes?: Uint8Array
  readonly text?: string
}

export interface RecordedEvent {
  readonly event?: string
  /** A string is sent as it is, anything else as JSON. */
  readonly data: unknown
}

/** The chunks of the reply's body. */
export function replyPieces({ json, events, lines, array, bytes, text = '' }: RecordedReply): readonly Buffer[] {
  if (bytes) return [Buffer.from(bytes)]
  if (events) return events.map(eventText).map(toBuffer)
  if (lines) return lines.map((line) => Buffer.from(`${asText(line)}\n`))
  if (array) return [...array.map((item, index) => `${index === 0 ? '[' : ','}${asText(item)}`), ']'].map(toBuffer)
  return [Buffer.from(json === undefined ? text : JSON.stringify(json))]
}

function replyHead({ status = 200, headers, ...body }: RecordedReply) {
  const form = Object.keys(body).find((name) => name in contentTypes) as keyof typeof contentTypes | undefined
  return { status, headers: { 'content-type': contentTypes[form ?? 'text'], ...headers } }
}

const contentTypes = {
  json: 'application/json',
  events: 'text/event-stream',
  lines: 'application/x-ndjson',
  array: 'application/json',
  bytes: 'application/octet-stream',
  text: 'text/plain',
}

/** Sends the recorded status and headers of a reply. */
export function startReply(response: Parameters<UpstreamAnswer>[0], reply: RecordedReply): void {
  const { status, headers } = replyHead(reply)
  response.writeHead(status, headers)
}

/** Sends a recorded reply. */
export function replaying(reply: RecordedReply): UpstreamAnswer {
  return (response) => {
    startReply(response, reply)
    for (const piece of replyPieces(reply)) response.write(piece)
    response.end()
  }
}

function eventText({ event, data }: RecordedEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`
  return `${name}data: ${asText(data)}\n\n`
}

function asText(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data)
}

function toBuffer(text: string): Buffer {
  return Buffer.from(text)
}
