import { requestTarget } from '../request-head.ts'

/** An answer as it went out. */
export interface SeenAnswer {
  readonly method: string
  readonly pathname: string
  readonly status: number
  readonly headers: Headers
  /** Without parameters; undefined where there is no type. */
  readonly mediaType: string | undefined
  /** Whether there could be no body: to HEAD, or with 304. */
  readonly bodyless: boolean
  /** The body, where it is JSON. */
  readonly json: unknown
  /** The body, where it is a stream of events; their data are JSON. */
  readonly events: readonly { readonly type: string; readonly data: unknown }[]
}

export interface RawAnswer {
  readonly method: string
  /** The request's target. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export function seenAnswer({ method, url, status, headers, text }: RawAnswer): SeenAnswer {
  const mediaType = headers.get('content-type')?.split(';')[0]
  return {
    method,
    pathname: requestTarget(url).pathname,
    status,
    headers,
    mediaType,
    bodyless: method === 'HEAD' || status === 304,
    json: mediaType === 'application/json' && text !== '' ? JSON.parse(text) : undefined,
    events: mediaType === 'text/event-stream' ? eventsOf(text) : [],
  }
}

function eventsOf(text: string) {
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, type = '', data = '']) => ({
    type,
    data: JSON.parse(data) as unknown,
  }))
}
