import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http'
import {
  type AdapterAccess,
  type Clock,
  credentialsReader,
  createIds,
  type Failure,
  type FairleadCore,
  FairleadError,
  type Operation,
  type ReadCredentials,
  type RunOptions,
  type Streaming,
  type Success,
  systemClock,
} from '@fairlead/core'
import type { Endpoint, Method, PageEndpoint, Surface, Translation } from './endpoint.ts'
import {
  type Admit,
  type Answer,
  type Exchange,
  type HeaderList,
  type HttpResponse,
  pathOf,
  type ResultEvent,
} from './exchange.ts'
import { fetchHandler, type RequestOrigin } from './fetch-handler.ts'
import { readJson } from './json-body.ts'
import { NodeServer } from './node-handler.ts'
import { type FoundPath, PathTable } from './path-table.ts'
import { idempotencyKeyFrom, ifMatchFrom } from './request-head.ts'
import {
  addFailure,
  addWarnings,
  errorStatus,
  jsonResponse,
  noteFailure,
  partsResponse,
  standardHeaders,
} from './responses.ts'

export interface SurfaceOptions extends AdapterAccess {
  /** The path under which clients reach the surface. Default: in Express, the path of `app.use`; elsewhere, the root. */
  readonly basePath?: string | undefined
  /** The number of trusted proxies in front, for the client's address. Default: 0. */
  readonly trustedProxies?: number | undefined
  /** Decides whether a request is answered at all. Default: every request is. */
  readonly admit?: Admit | undefined
  /** Called once a response was sent, or the client disconnected; with Node's response, where there is one. Default: none. */
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

/** Handles requests of `node:http`, and so fits `app.use()` of Express. Answers every request, unknown paths with 404. */
export interface SurfaceAdapter {
  (request: IncomingMessage, response: ServerResponse): void
  /** Answers a `Request` with a `Response`, for Hono, Next.js, Bun, Deno and others. Never rejects. */
  handle(request: Request, origin?: RequestOrigin): Promise<Response>
  /** Answers a request whose path the surface has. Returns false for any other, which is left as it is. */
  tryAnswer(request: IncomingMessage, response: ServerResponse): boolean
}

export function surfaceAdapter(core: FairleadCore, surface: Surface, options: SurfaceOptions): SurfaceAdapter {
  const { basePath, trustedProxies = 0, admit, onAnswer, clock = systemClock, ...access } = options
  const server = new SurfaceServer(core, surface, credentialsReader(core, access), admit)
  const shared = {
    find: (pathname: string) => server.table.find(pathname),
    answer: (exchange: Exchange, found: FoundPath<Path> | undefined) => server.answer(exchange, found),
    core,
    basePath,
    onAnswer,
    newId: createIds(clock.now),
    clock,
    trustedProxies,
  }
  const node = new NodeServer(shared)
  return Object.assign((request: IncomingMessage, response: ServerResponse) => node.answer(request, response), {
    handle: fetchHandler(shared),
    tryAnswer: (request: IncomingMessage, response: ServerResponse) => node.tryAnswer(request, response),
  })
}

/** What a surface has at one path. */
interface Path {
  /** Without the surface's base. */
  readonly pattern: string
  readonly endpoints: Map<string, Endpoint>
  page?: PageEndpoint
}

type Parameters = FoundPath<Path>['parameters']

const defaultMaxBodyBytes = 1_048_576

/** Answers requests: finds the path, reads the request, runs the operation, and writes its reply. */
class SurfaceServer {
  readonly table = new PathTable<Path>()
  readonly #core: FairleadCore
  readonly #surface: Surface
  readonly #credentialsOf: ReadCredentials
  readonly #admit: Admit | undefined
  readonly #operations: ReadonlyMap<string, Operation>

  constructor(core: FairleadCore, surface: Surface, credentialsOf: ReadCredentials, admit: Admit | undefined) {
    this.#core = core
    this.#surface = surface
    this.#credentialsOf = credentialsOf
    this.#admit = admit
    this.#operations = new Map(core.operations.map((operation) => [operation.name, operation]))
    for (const endpoint of surface.endpoints) this.#at(endpoint.path).endpoints.set(endpoint.method, endpoint)
    for (const page of surface.pages ?? []) this.#at(page.path).page = page
  }

  #at(pattern: string): Path {
    return this.table.at(pattern, () => ({ pattern, endpoints: new Map() }))
  }

  async answer(exchange: Exchange, found: FoundPath<Path> | undefined): Promise<HttpResponse> {
    const { request } = exchange
    let endpoint: Endpoint | undefined
    try {
      const authorization = this.#authorizationOf(exchange)
      const admission = this.#admit?.(exchange.address, request.headers, authorization)
      if (admission) await admission
      if (!found) throw this.#unknownPath(exchange)
      const { entry, parameters } = found
      exchange.route = request.basePath + entry.pattern
      const method = request.method === 'HEAD' ? 'GET' : request.method
      if (entry.page && method === 'GET') return await this.#answerPage(exchange, entry.page, parameters)
      endpoint = entry.endpoints.get(method)
      if (!endpoint) return this.#methodNotAllowed(exchange, entry)
      return await this.#run(exchange, endpoint, parameters, authorization)
    } catch (error) {
      return this.#failed(exchange, endpoint, this.#core.refuse(error, { requestId: exchange.requestId }))
    }
  }

  #authorizationOf({ request: { headers } }: Exchange): string | undefined {
    return this.#surface.authorizationOf ? this.#surface.authorizationOf(headers) : headers.authorization
  }

  #unknownPath({ request }: Exchange): FairleadError {
    const { method, basePath } = request
    const path = pathOf(request)
    const message = this.#surface.unknownPath?.(method, path, basePath) ?? `Unknown request URL: ${method} ${path}.`
    return new FairleadError('NOT_FOUND', message)
  }

  async #answerPage(exchange: Exchange, page: PageEndpoint, parameters: Parameters): Promise<HttpResponse> {
    const answered = await page.answer(exchange, parameters)
    return 'error' in answered ? this.#failed(exchange, undefined, answered) : answered
  }

  #methodNotAllowed(exchange: Exchange, { endpoints, page }: Path): HttpResponse {
    const methods = [...(page ? ['GET'] : []), ...endpoints.keys()]
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    const error = new FairleadError('METHOD_NOT_ALLOWED', `This path supports only ${allowed}.`)
    const { requestId, request } = exchange
    const response = this.#failed(exchange, undefined, this.#core.refuse(error, { requestId }))
    response.headers.push('Allow', allowed)
    // RFC 9110, 15.6.2.
    return METHODS.includes(request.method) ? response : { ...response, status: 501 }
  }

  async #run(
    exchange: Exchange,
    endpoint: Endpoint,
    parameters: Parameters,
    authorization: string | undefined,
  ): Promise<HttpResponse> {
    const { request, requestId, address } = exchange
    const operation = this.#operationOf(endpoint)
    const ifMatch = endpoint.takesIfMatch ? ifMatchFrom(request.headers['if-match']) : undefined
    let translation: Translation | undefined
    const read = async () => {
      if (ifMatch === 'malformed') throw malformedIfMatch()
      const body = hasBody(endpoint.method) ? await this.#readBody(exchange, endpoint) : {}
      const sent = { body, headers: request.headers, parameters, http: request, core: this.#core }
      translation = endpoint.translate(sent)
      return translation.input
    }
    const options: RunOptions = {
      requestId,
      address,
      onCall: (call) => request.follow(call),
      basePath: this.#surface.hasImages ? request.basePath : undefined,
      // The key comes in a header, and errors name that header.
      spell: (field) => (field === 'idempotencyKey' ? 'Idempotency-Key' : (translation?.spell?.(field) ?? field)),
      onIdentified: (caller) => void (exchange.caller = caller),
      onModelCall: (facts) => void Object.assign(exchange.modelCall, facts),
      idempotencyKey: endpoint.method === 'POST' ? idempotencyKeyFrom(request.headers['idempotency-key']) : undefined,
      ifMatch: ifMatch === 'malformed' ? undefined : ifMatch,
    }
    const given = this.#credentialsOf(authorization)
    const reply = await this.#core.run(operation, 'kind' in given ? given : await given, read, options)
    if (!reply.success) return this.#failed(exchange, endpoint, reply, translation)
    if ('events' in reply) return this.#streamed(exchange, endpoint, reply, translation!)
    return await this.#succeeded(exchange, endpoint, reply, translation!)
  }

  #operationOf({ operation }: Endpoint): Operation {
    if (typeof operation !== 'string') return operation
    const found = this.#operations.get(operation)
    if (!found) throw new FairleadError('NOT_FOUND', `This service has no ${operation}.`)
    return found
  }

  async #readBody({ request }: Exchange, endpoint: Endpoint): Promise<Record<string, unknown>> {
    const body = await readJson(request, endpoint.maxBodyBytes ?? defaultMaxBodyBytes)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new FairleadError('INVALID_REQUEST', 'The body must be a JSON object.')
    }
    return body as Record<string, unknown>
  }

  #headersOf(exchange: Exchange, endpoint: Endpoint | undefined, reply: Failure | AnySuccess): HeaderList {
    const headers = standardHeaders(exchange, reply)
    this.#surface.addHeaders?.(headers, exchange.requestId)
    endpoint?.addHeaders?.(headers)
    return headers
  }

  #failed(
    exchange: Exchange,
    endpoint: Endpoint | undefined,
    failure: Failure,
    translation?: Translation,
  ): HttpResponse {
    noteFailure(exchange, failure)
    const surface = this.#surface
    const headers = this.#headersOf(exchange, endpoint, failure)
    addFailure(headers, failure)
    translation?.addFailureHeaders?.(headers, failure)
    const { provider } = failure.error.details
    addIgnored(headers, translation, typeof provider === 'string' ? provider : undefined)
    const status = surface.errorStatus?.(failure) ?? errorStatus[failure.error.code]
    return jsonResponse(status, headers, endpoint?.errorBody?.(failure) ?? surface.errorBody(failure))
  }

  async #succeeded(
    exchange: Exchange,
    endpoint: Endpoint,
    reply: Success<unknown>,
    translation: Translation,
  ): Promise<HttpResponse> {
    const headers = this.#headersOf(exchange, endpoint, reply)
    addIgnored(headers, translation, reply.meta.provider)
    if (!this.#surface.hasWarnings) addWarnings(headers, reply.meta)
    if (reply.replayed) headers.push('Idempotent-Replayed', 'true')
    const status = translation.addHeaders?.(headers, reply) ?? 200
    if (status === 304) return { status, headers }
    const made = translation.toBody(reply as Success<never>, exchange.requestId)
    const body = made instanceof Promise ? await made : made
    return endpoint.inParts && typeof body !== 'string'
      ? partsResponse(status, headers, body)
      : jsonResponse(status, headers, body)
  }

  #streamed(
    exchange: Exchange,
    endpoint: Endpoint,
    reply: Streaming<unknown, unknown>,
    translation: Translation,
  ): HttpResponse {
    const headers = this.#headersOf(exchange, endpoint, reply)
    addIgnored(headers, translation, reply.meta.provider)
    addWarnings(headers, reply.meta)
    if (reply.replayed) headers.push('Idempotent-Replayed', 'true')
    headers.push('Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no')
    const write = translation.toEvents?.(exchange.requestId, exchange.at)
    if (!write) throw new Error(`${exchange.route} does not stream`)
    const toText = (event: ResultEvent) => {
      if (event.type === 'error') noteFailure(exchange, event.reply)
      return write(event)
    }
    return { status: 200, headers, body: { events: reply.events, toText } }
  }
}

type AnySuccess = Success<unknown> | Streaming<unknown, unknown>

function hasBody(method: Method): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

function malformedIfMatch(): FairleadError {
  const issue = 'must be * or a list of entity tags in double quotes, such as "3"'
  return new FairleadError('INVALID_REQUEST', `If-Match ${issue}`, { issues: [{ field: 'If-Match', issue }] })
}

/** The names come from the request: others than usual ones are left out, and there are at most 20. */
function addIgnored(headers: HeaderList, translation: Translation | undefined, provider: string | undefined): void {
  const { ignored } = translation ?? {}
  if (!ignored) return
  const all = typeof ignored === 'function' ? ignored(provider) : ignored
  const names = all.filter((name) => /^[\w.[\]-]{1,64}$/.test(name)).slice(0, 20)
  if (names.length > 0) headers.push('X-Fairlead-Ignored', names.join(', '))
}
