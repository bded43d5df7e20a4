import type { UpstreamAnswer } from './test-upstream.ts'

/** A recorded request to an upstream API and its reply, as plain JSON for a fixture. */
export interface RecordedExchange {
  readonly request: {
    readonly method: string
    /** Relative to the base URL, with the query. */
    readonly path: string
    readonly body?: unknown
  }
  readonly reply: RecordedReply
}

/** Exactly one of `json`, `events` and `text` is the body. */
export interface RecordedReply {
  /** Default: 200. */
  readonly status?: number
  /** Additional headers. The content type follows from the body. */
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Server-sent events. */
  readonly events?: readonly RecordedEvent[]
  readonly text?: string
}

export interface RecordedEvent {
  readonly event?: string
  /** A string is sent as it is, anything else as JSON. */
  readonly data: unknown
}

/** The chunks of the reply's body. */
export function replyPieces({ json, events, text = '' }: RecordedReply): readonly string[] {
  if (events) return events.map(eventText)
  return [json === undefined ? text : JSON.stringify(json)]
}

function replyHead({ status = 200, headers, json, events }: RecordedReply) {
  const contentType = events ? 'text/event-stream' : json === undefined ? 'text/plain' : 'application/json'
  return { status, headers: { 'content-type': contentType, ...headers } }
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
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}
