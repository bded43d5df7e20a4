import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import {
  type AdapterAccess,
  type Clock,
  credentialsReader,
  createIds,
  type Failure,
  type FairleadCore,
  FairleadError,
  type NativeRequest,
  type Operation,
  type Reply,
  type RunOptions,
  type Success,
  systemClock,
} from '@fairlead/core'
import type { SentEvent } from './event-stream.ts'
import {
  type Admit,
  type Answer,
  type Exchange,
  type Headers,
  type HttpResponse,
  pathOf,
  type ResultEvent,
} from './exchange.ts'
import { fetchHandler, type RequestOrigin } from './fetch-handler.ts'
import { nodeHandler } from './node-handler.ts'
import { readJson } from './read-json.ts'
import { idempotencyKeyFrom, requestTarget } from './request-head.ts'
import {
  errorStatus,
  failureHeaders,
  jsonResponse,
  noteFailure,
  partsResponse,
  standardHeaders,
  warningsHeader,
} from './responses.ts'

/**
 * A drop-in surface: the API of another service over the operations of a core. It translates requests to `core.run` and
 * back, and decides nothing.
 */
export interface Surface {
  readonly endpoints: readonly Endpoint[]
  /** The value of `Authorization` that a request amounts to. Default: its header `Authorization`. */
  authorizationOf?(headers: IncomingHttpHeaders): string | undefined
  /** The headers of every response. Default: none beyond those of REST. */
  headers?(requestId: string): Headers
  /** The body of an error. Its fields are spelled as in the surface's API. */
  errorBody(failure: Failure): unknown
  /** The status of an error, if it differs from that of REST. Default: that of REST. */
  errorStatus?(failure: Failure): number | undefined
}

/** One path of a surface. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  /** Below the surface's base, with at most one `{id}` at its end, which may contain slashes. */
  readonly path: string
  /** The name of the core's operation. */
  readonly operation: string
  /** Default: 1 MiB. */
  readonly maxBodyBytes?: number
  /** Whether bodies of responses can be so long that they are written in parts. Default: false. */
  readonly inParts?: boolean
  /** Translates a request. Throws `FairleadError` for one that has no translation. */
  translate(request: SurfaceRequest): Translation
}

export interface SurfaceRequest {
  /** The parsed JSON body; `{}` for GET. Unchecked. */
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  /** The `{id}` of the path, decoded. */
  readonly id: string
  readonly core: FairleadCore
}

/** A request in terms of an operation, and the way back. */
export interface Translation {
  /** The operation's input; with `stream: true` if the client asked for a stream. */
  readonly input: Readonly<Record<string, unknown>>
  /** The request in the form of the surface's API, for providers of the same API. Default: none. */
  readonly native?: NativeRequest | undefined
  /**
   * Fields of the request that had no effect, by the provider that answers. The response names them in
   * `X-Fairlead-Ignored`. Default: none.
   */
  readonly ignored?: readonly string[] | ((provider: string | undefined) => readonly string[])
  /** The surface's name for a field of the input: `messages[0].content` of `messages[0].content[0]`. Default: the same. */
  spell?(field: string): string
  /** The body of a success: JSON, or text that is JSON already. */
  toBody(reply: Success<never>): unknown
  /**
   * The events of a stream. Called once for each stream; what it returns keeps the state of that stream.
   *
   * @param at when the request came, in milliseconds since the epoch
   */
  toEvents?(requestId: string, at: number): (event: ResultEvent) => readonly SentEvent[]
}

export interface SurfaceOptions extends AdapterAccess {
  /** The path under which clients reach the surface. Default: in Express, the path of `app.use`; elsewhere, the root. */
  readonly basePath?: string | undefined
  /** The number of trusted proxies in front, for the client's address. Default: 0. */
  readonly trustedProxies?: number | undefined
  /** Decides whether a request is answered at all. Default: every request is. */
  readonly admit?: Admit | undefined
  /** Called once a response was sent, or the client disconnected. Default: none. */
  readonly onAnswer?: ((answer: Answer, response?: ServerResponse) => void) | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}

export const surfaceOptionNames: readonly (keyof SurfaceOptions)[] = [
  'basePath',
  'trustedProxies',
  'admit',
  'onAnswer',
  'clock',
  'authenticate',
  'anonymous',
]

/** Handles requests of `node:http`, and so fits `app.use()` of Express. Answers every request, unknown paths too. */
export interface SurfaceAdapter {
  (request: IncomingMessage, response: ServerResponse): void
  /** Answers a `Request` with a `Response`. Never rejects. */
  handle(request: Request, origin?: RequestOrigin): Promise<Response>
  /** Whether the surface has a path, for applications that offer it beside paths of their own. */
  has(pathname: string): boolean
}

const defaultMaxBodyBytes = 1_048_576

export function surfaceAdapter(core: FairleadCore, surface: Surface, options: SurfaceOptions): SurfaceAdapter {
  const { basePath, trustedProxies = 0, admit, onAnswer, clock = systemClock, ...access } = options
  const credentialsOf = credentialsReader(core, access)
  const { authorizationOf = ({ authorization }) => authorization } = surface
  const operations = new Map(core.operations.map((operation) => [operation.name, operation]))
  const newId = createIds(clock.now)

  const fixed = Map.groupBy(
    surface.endpoints.filter(({ path }) => !path.includes('{')).map((endpoint) => ({ endpoint, id: '' })),
    ({ endpoint }) => endpoint.path,
  )
  const named = surface.endpoints.filter(({ path }) => path.includes('{'))

  function find(pathname: string): readonly Matched[] {
    const found = fixed.get(pathname)
    if (found) return found
    return named.flatMap((endpoint) => {
      const id = idIn(endpoint.path, pathname)
      return id === undefined ? [] : [{ endpoint, id }]
    })
  }

  async function answer(exchange: Exchange): Promise<HttpResponse> {
    let translation: Translation | undefined
    try {
      const { headers } = exchange.request
      const admission = admit?.(exchange.address, headers, authorizationOf(headers))
      if (admission) await admission
      const { pathname } = requestTarget(exchange.request.url)
      const found = find(pathname)
      const method = exchange.request.method === 'HEAD' ? 'GET' : exchange.request.method
      const matched = found.find(({ endpoint }) => endpoint.method === method)
      if (found.length === 0)
        throw new FairleadError('NOT_FOUND', `Unknown request URL: ${method} ${pathOf(exchange.request)}.`)
      if (!matched) throw new FairleadError('METHOD_NOT_ALLOWED', `This path does not support ${method}.`)
      exchange.route = exchange.request.basePath + matched.endpoint.path
      const operation = operations.get(matched.endpoint.operation)
      if (!operation) throw new FairleadError('NOT_FOUND', `This service has no ${matched.endpoint.operation}.`)
      const reply = await runEndpoint(exchange, operation, matched, (made) => void (translation = made))
      if (!reply.success) return failed(exchange, reply, translation)
      return await succeeded(exchange, matched.endpoint, reply, translation as Translation)
    } catch (error) {
      return failed(exchange, core.refuse(error, { requestId: exchange.requestId }), translation)
    }
  }

  async function runEndpoint(
    exchange: Exchange,
    operation: Operation,
    { endpoint, id }: Matched,
    onTranslated: (translation: Translation) => void,
  ): Promise<Reply<Operation>> {
    const { request, requestId, address } = exchange
    let read: Translation | undefined
    const readInput = async () => {
      const body =
        endpoint.method === 'GET' ? {} : await readJson(request, endpoint.maxBodyBytes ?? defaultMaxBodyBytes)
      if (typeof body !== 'object' || body === null || Array.isArray(body)) {
        throw new FairleadError('INVALID_REQUEST', 'The body must be a JSON object.')
      }
      const sent = { body: body as Record<string, unknown>, headers: request.headers, id, core }
      const translation = endpoint.translate(sent)
      read = translation
      onTranslated(translation)
      return translation.input
    }
    const run: RunOptions = {
      requestId,
      address,
      signal: request.signal,
      spell: (field) => read?.spell?.(field) ?? field,
      native: () => read?.native,
      onIdentified: (caller) => void (exchange.caller = caller),
      onModelCall: (facts) => void Object.assign(exchange.modelCall, facts),
      idempotencyKey: endpoint.method === 'POST' ? idempotencyKeyFrom(request.headers['idempotency-key']) : undefined,
    }
    const given = credentialsOf(authorizationOf(request.headers))
    return core.run(operation, 'kind' in given ? given : await given, readInput, run)
  }

  function failed(exchange: Exchange, failure: Failure, translation: Translation | undefined): HttpResponse {
    noteFailure(exchange, failure)
    const { code } = failure.error
    const status = surface.errorStatus?.(failure) ?? errorStatus[code]
    const { provider } = failure.error.details
    const headers = {
      ...surface.headers?.(exchange.requestId),
      ...standardHeaders(exchange, failure),
      ...failureHeaders(failure),
      ...ignoredHeader(translation, typeof provider === 'string' ? provider : undefined),
    }
    return jsonResponse(status, headers, surface.errorBody(failure))
  }

  async function succeeded(
    exchange: Exchange,
    endpoint: Endpoint,
    reply: Exclude<Reply<Operation>, Failure>,
    translation: Translation,
  ): Promise<HttpResponse> {
    const headers = {
      ...surface.headers?.(exchange.requestId),
      ...standardHeaders(exchange, reply),
      ...ignoredHeader(translation, reply.meta.provider),
      ...warningsHeader(reply.meta),
      ...(reply.replayed && { 'Idempotent-Replayed': 'true' }),
    }
    if (!('events' in reply)) {
      const body = await translation.toBody(reply as Success<never>)
      if (typeof body !== 'string') return (endpoint.inParts ? partsResponse : jsonResponse)(200, headers, body)
      return { status: 200, headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' }, body }
    }
    const toEvents = translation.toEvents?.(exchange.requestId, exchange.at)
    if (!toEvents) throw new Error(`${exchange.route} does not stream`)
    const toSent = (event: ResultEvent) => {
      if (event.type === 'error') noteFailure(exchange, event.reply)
      return toEvents(event)
    }
    return {
      status: 200,
      headers: { ...headers, 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' },
      body: { events: reply.events, toSent },
    }
  }

  const shared = { answer, core, basePath, onAnswer, newId, clock, trustedProxies }
  return Object.assign(nodeHandler(shared), {
    handle: fetchHandler(shared),
    has: (pathname: string) => find(pathname).length > 0,
  })
}

interface Matched {
  readonly endpoint: Endpoint
  readonly id: string
}

/** The `{id}` of a path; undefined if the path does not match. */
function idIn(pattern: string, pathname: string): string | undefined {
  const at = pattern.indexOf('{id}')
  const rest = pathname.slice(at)
  if (!pathname.startsWith(pattern.slice(0, at)) || rest === '') return undefined
  try {
    return decodeURIComponent(rest)
  } catch {
    return undefined
  }
}

/** The names come from the request: others than usual ones are left out, and there are at most 20. */
function ignoredHeader({ ignored = [] }: Partial<Translation> = {}, provider: string | undefined): Headers {
  const all = typeof ignored === 'function' ? ignored(provider) : ignored
  const names = all.filter((name) => /^[\w.[\]-]{1,64}$/.test(name)).slice(0, 20)
  return names.length > 0 ? { 'X-Fairlead-Ignored': names.join(', ') } : {}
}
