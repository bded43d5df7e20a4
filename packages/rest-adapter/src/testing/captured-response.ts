import { requestTarget } from '@fairlead/http'
import { eventsIn, type SentEvent } from '@fairlead/testing'

/** A response as it was sent. */
export interface CapturedResponse {
  readonly method: string
  readonly pathname: string
  readonly status: number
  readonly headers: Headers
  /** Without parameters; undefined if there is none. */
  readonly mediaType: string | undefined
  /** Whether it cannot have a body: for HEAD, or with 304. */
  readonly bodyless: boolean
  /** The body, if it is JSON. */
  readonly json: unknown
  /** The body, if it is a stream of events. */
  readonly events: readonly SentEvent[]
}

export interface RawResponse {
  readonly method: string
  /** The request's target. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export function capturedResponse({ method, url, status, headers, text }: RawResponse): CapturedResponse {
  const mediaType = headers.get('content-type')?.split(';')[0]
  return {
    method,
    pathname: requestTarget(url).pathname,
    status,
    headers,
    mediaType,
    bodyless: method === 'HEAD' || status === 304,
    json: mediaType === 'application/json' && text !== '' ? JSON.parse(text) : undefined,
    events: mediaType === 'text/event-stream' ? eventsIn(text) : [],
  }
}
