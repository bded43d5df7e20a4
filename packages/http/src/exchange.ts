import type { IncomingHttpHeaders } from 'node:http'
import {
  type Clock,
  clip,
  type ErrorCode,
  type IdentifiedCaller,
  type ModelCall,
  type NewId,
  type StreamEvent,
} from '@fairlead/core'
import type { SentEvent } from './event-stream.ts'
import type { JsonScan } from './json-scan.ts'
import { clientAddress, requestTarget } from './request-head.ts'

/** A request as the adapter reads it, whichever server received it. */
export interface HttpRequest {
  readonly method: string
  /** The path below `basePath`, and the query. */
  readonly url: string
  /** The path under which the adapter is mounted, such as `/ai`. Empty at the root. */
  readonly basePath: string
  readonly headers: IncomingHttpHeaders
  /** The network address of the client, or of the proxy in front. */
  readonly remoteAddress: string | undefined
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Reads the body. Undefined where it has more bytes than that, or the scan rejects it. */
  readBody(maxBytes: number, scan: JsonScan): Promise<Uint8Array | undefined>
}

/** A response as the adapter gives it. The shells for Node and for `fetch` send it. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  /** Default: none. */
  readonly body?: string | Uint8Array | EventBody | PartsBody
}

export type Headers = Readonly<Record<string, string>>

/** A stream of server-sent events. */
export interface EventBody {
  readonly events: AsyncIterable<ResultEvent>
  /** The server-sent events for an event of core, in their order. */
  toSent(event: ResultEvent): SentEvent | readonly SentEvent[]
}

export type ResultEvent = StreamEvent<unknown, unknown>

/** A long text, whose parts are written when they are taken. */
export interface PartsBody {
  readonly parts: Iterable<string>
}

export function isPartsBody(body: HttpResponse['body']): body is PartsBody {
  return typeof body === 'object' && 'parts' in body
}

export function isEventBody(body: HttpResponse['body']): body is EventBody {
  return typeof body === 'object' && 'events' in body
}

/** A request, and what becomes known of it while it is answered. */
export interface Exchange {
  readonly request: HttpRequest
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The client's address. */
  readonly address: string
  /** The path's pattern, for the log: ids are left out. */
  route: string
  code?: ErrorCode
  /** What is known of the call of a model. Its provider is the one that answered, failed, or was unavailable. */
  readonly modelCall: Partial<ModelCall>
  /** Unknown until the client is authenticated. */
  caller?: IdentifiedCaller
}

/**
 * Decides whether a request is answered at all, before anything else is done for it. Throws or rejects with a `FairleadError`
 * if not.
 *
 * @param address the client's address
 * @param authorization the credential of the request, as a value of `Authorization`
 */
export type Admit = (
  address: string,
  headers: IncomingHttpHeaders,
  authorization: string | undefined,
) => void | Promise<void>

export interface ExchangeOptions {
  readonly newId: NewId
  readonly clock: Clock
  readonly trustedProxies: number
}

export function openExchange(request: HttpRequest, { newId, clock, trustedProxies }: ExchangeOptions): Exchange {
  return {
    request,
    requestId: newId('req'),
    at: clock.now(),
    address: clientAddress(request.headers, request.remoteAddress, trustedProxies),
    route: unknownRoute,
    modelCall: {},
  }
}

const unknownRoute = '(unknown)'
const maxPathLength = 200

/** One line of a request log. It contains no secrets. */
export interface Answer extends Partial<IdentifiedCaller> {
  readonly requestId: string
  readonly method: string
  /** The path's pattern: ids are left out. */
  readonly route: string
  /** The path of a request for an unknown route, without its query, and with long segments cut. */
  readonly path?: string
  readonly status: number
  readonly code?: ErrorCode
  /** The id of the model or route that was called. */
  readonly model?: string
  /** The provider that answered, failed, or was unavailable. */
  readonly provider?: string
  readonly durationMs: number
  /** Whether the client disconnected before the end. */
  readonly aborted: boolean
  /** The client's address. */
  readonly address: string
}

export function toAnswer(
  { request, requestId, at, address, route, code, modelCall, caller }: Exchange,
  { status, aborted, now }: { readonly status: number; readonly aborted: boolean; readonly now: number },
): Answer {
  const { model, provider } = modelCall
  return {
    requestId,
    method: request.method,
    route,
    ...(route === unknownRoute && { path: clip(withoutIds(wholePathOf(request)), maxPathLength) }),
    status,
    ...(code && { code }),
    ...(model !== undefined && { model }),
    ...(provider !== undefined && { provider }),
    durationMs: now - at,
    aborted,
    address,
    ...caller,
  }
}

/** The path that a client requested, truncated. */
export function pathOf(request: HttpRequest): string {
  return clip(wholePathOf(request), maxPathLength)
}

function wholePathOf({ basePath, url }: HttpRequest): string {
  return basePath + requestTarget(url).pathname
}

/** API keys and the ids of images, which suffice to download them, are longer than words. */
function withoutIds(path: string): string {
  return path.replaceAll(/[^/]{33,}/g, (segment) => `${segment.slice(0, 4)}…`)
}
