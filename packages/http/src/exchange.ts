import type { IncomingHttpHeaders } from 'node:http'
import type { AccessLogRecord, Clock, Failure, StreamEvent } from '@fairlead/core'
import { clip, type NewId, type OpenCall, toIdentified } from '@fairlead/core/adapter'
import type { BodyHold, BodyOwner, BodyRoom } from './body-room.ts'
import type { JsonScan } from './json-scan.ts'
import { belowBasePath, clientAddress, requestTarget } from './request-head.ts'

/** A request as the adapter reads it, whichever server received it. */
export abstract class HttpRequest {
  readonly method: string
  /** Below `basePath`, not decoded. */
  readonly pathname: string
  /** What follows the first question mark. */
  readonly search: string
  /** The path under which the adapter is mounted, such as `/ai`. Empty at the root. */
  readonly basePath: string
  readonly headers: IncomingHttpHeaders
  /** The network address of the client, or of the proxy in front. */
  abstract readonly remoteAddress: string | undefined

  constructor(method: string, url: string, basePath: string, headers: IncomingHttpHeaders) {
    const { pathname, search } = requestTarget(url)
    this.method = method
    this.pathname = belowBasePath(pathname, basePath)
    this.search = search
    this.basePath = basePath
    this.headers = headers
  }

  /** Ends a call when the client disconnects. */
  abstract follow(call: OpenCall): void
  /**
   * Reads the body. Undefined if it has more than `maxBytes`, or the scan of JSON rejects it. Rejects with
   * `SERVICE_UNAVAILABLE` if there is no room to hold it.
   */
  abstract readBody(maxBytes: number, scan?: JsonScan, hold?: BodyHold): Promise<Uint8Array | undefined>
}

/** A response as the adapter gives it. The writers for Node and for `fetch` send it. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderList
  /** Default: none. */
  readonly body?: string | Uint8Array | EventBody | PartsBody
}

/** Names and values, alternating, as Node writes them. Belongs to one response; no name comes twice. */
export type HeaderList = string[]

/** A stream of server-sent events. */
export interface EventBody extends EventWriter {
  readonly events: AsyncIterable<ResultEvent>
}

/** Writes the events of one stream, and keeps its state. */
export interface EventWriter {
  /** The text of the server-sent events for an event of core. Empty if there are none. */
  write(event: ResultEvent): string
}

export type ResultEvent = StreamEvent<unknown, unknown>

/** A long text, whose parts are written when they are taken. */
export interface PartsBody {
  readonly parts: Iterable<string> | AsyncIterable<string>
}

export function isPartsBody(body: HttpResponse['body']): body is PartsBody {
  return typeof body === 'object' && 'parts' in body
}

export function isEventBody(body: HttpResponse['body']): body is EventBody {
  return typeof body === 'object' && 'events' in body
}

/**
 * Decides whether a request is answered at all, before anything else is done for it. Throws or rejects with a `FairleadError`
 * if not.
 *
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
  /** Default: bodies have no common limit. */
  readonly bodyRoom?: BodyRoom | undefined
}

/** The status, as nginx logs it, where the client disconnected before the response began. */
export const clientClosedRequest = 499

const unknownRoute = '(unknown)'
const maxPathLength = 200

/** A request, and what becomes known of it while it is answered. */
export class Exchange implements BodyOwner {
  readonly request: HttpRequest
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The client's address. */
  readonly address: string
  /** The path's pattern, for the log: ids are left out. */
  route = unknownRoute
  /** The run of the operation. Undefined until it has begun. */
  call: OpenCall | undefined = undefined
  /** Why the response is an error, or its stream ended with one. */
  failure: Failure | undefined = undefined
  #bodyHold: BodyHold | undefined = undefined
  readonly #bodyRoom: BodyRoom | undefined

  constructor(request: HttpRequest, { newId, clock, trustedProxies, bodyRoom }: ExchangeOptions) {
    this.request = request
    this.requestId = newId('req')
    this.at = clock.now()
    this.address = clientAddress(request.headers, request.remoteAddress, trustedProxies)
    this.#bodyRoom = bodyRoom
  }

  /** Known once the call is authenticated. */
  get account(): string | undefined {
    const caller = this.call?.caller
    return caller?.kind === 'account' ? caller.userId : undefined
  }

  /** Reads the body, and holds room for it until `end`. */
  readBody(maxBytes: number, scan?: JsonScan): Promise<Uint8Array | undefined> {
    this.#bodyHold ??= this.#bodyRoom?.hold(this)
    return this.request.readBody(maxBytes, scan, this.#bodyHold)
  }

  /** The response has ended, or the client has disconnected. */
  end(): void {
    this.#bodyHold?.end()
  }

  toLogRecord(status: number, aborted: boolean, now: number): AccessLogRecord {
    const { request, requestId, at, address, route, call, failure } = this
    const { code, details } = failure?.error ?? {}
    const caller = call?.caller
    const model = call?.modelCall.model
    // A provider that was unavailable was not called.
    const provider = typeof details?.provider === 'string' ? details.provider : call?.modelCall.provider
    return {
      requestId,
      method: request.method,
      route,
      ...(route === unknownRoute && { path: shownPath(request.basePath + request.pathname) }),
      status,
      ...(code && { code }),
      ...(model !== undefined && { model }),
      ...(provider !== undefined && { provider }),
      durationMs: now - at,
      aborted,
      address,
      ...(caller?.kind === 'account' && toIdentified(caller)),
    }
  }
}

/** The path that a client requested, truncated. */
export function pathOf({ basePath, pathname }: HttpRequest): string {
  return clip(basePath + pathname, maxPathLength)
}

/** A path for logs and traces. API keys and the ids of images, which suffice to download them, are longer than words. */
export function shownPath(path: string): string {
  const withoutSecrets = path.replaceAll(/[^/]{33,}/g, (segment) => `${segment.slice(0, 4)}…`)
  return clip(withoutSecrets, maxPathLength)
}
