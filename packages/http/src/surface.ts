import { METHODS } from 'node:http'
import {
  type Failure,
  FairleadError,
  type Operation,
  type RunOptions,
  type Streaming,
  type Success,
} from '@fairlead/core'
import type { FairleadCore, IfMatch, OpenCall, ReadCredentials, ReadRequest } from '@fairlead/core/adapter'
import type { Endpoint, PageEndpoint, Surface, Translation } from './endpoint.ts'
import { type Admit, type Exchange, idempotencyKeyFrom, ifMatchFrom, requestPath, tagsFrom } from './http-request.ts'
import { readJson } from './json-body.ts'
import { type FoundPath, PathTable } from './path-table.ts'
import { type Fields, invalid, isObject } from './request-fields.ts'
import {
  addFailure,
  addWarnings,
  errorStatus,
  type HeaderList,
  type HttpResponse,
  jsonResponse,
  type ResultEvent,
  standardHeaders,
} from './responses.ts'

/** The endpoints of a surface at one path. */
interface Path {
  /** Without the surface's base. */
  readonly pattern: string
  readonly endpoints: Map<string, Endpoint>
  page?: PageEndpoint
}

interface SurfaceRules {
  readonly admit: Admit | undefined
  readonly hintFor: ((path: string) => string | undefined) | undefined
}

/** A path of the surface that was found for a request. */
export type SurfacePath = FoundPath<Path>
type Parameters = SurfacePath['parameters']

const defaultMaxBodyBytes = 1_048_576

/** Answers requests: finds the path, reads the request, runs the operation, and writes its reply. */
export class SurfaceServer {
  readonly #table = new PathTable<Path>()
  readonly #core: FairleadCore
  readonly #surface: Surface
  readonly #credentialsOf: ReadCredentials
  readonly #admit: Admit | undefined
  readonly #hintFor: SurfaceRules['hintFor']
  readonly #operations: ReadonlyMap<string, Operation>

  constructor(core: FairleadCore, surface: Surface, credentialsOf: ReadCredentials, { admit, hintFor }: SurfaceRules) {
    this.#core = core
    this.#surface = surface
    this.#credentialsOf = credentialsOf
    this.#admit = admit
    this.#hintFor = hintFor
    this.#operations = new Map(core.operations.map((operation) => [operation.name, operation]))
    for (const endpoint of surface.endpoints) this.#at(endpoint.path).endpoints.set(endpoint.method, endpoint)
    for (const page of surface.pages ?? []) this.#at(page.path).page = page
  }

  #at(pattern: string): Path {
    return this.#table.at(pattern, () => ({ pattern, endpoints: new Map() }))
  }

  find(pathname: string): SurfacePath | undefined {
    return this.#table.find(pathname)
  }

  /** Never rejects. */
  async respond(exchange: Exchange, found: SurfacePath | undefined): Promise<HttpResponse> {
    const { request } = exchange
    let run: EndpointRun | undefined
    try {
      const { headers } = request
      const surface = this.#surface
      const authorization = surface.authorizationOf ? surface.authorizationOf(headers) : headers.authorization
      if (!found?.entry.page?.exempt) {
        const admission = this.#admit?.(exchange.address, headers, authorization)
        if (admission) await admission
      }
      if (!found) throw this.#unknownPath(exchange)
      const { entry, parameters } = found
      exchange.route = request.basePath + entry.pattern
      const method = request.method === 'HEAD' ? 'GET' : request.method
      if (entry.page && method === pageMethod(entry.page)) {
        const response = await entry.page.respond(exchange, parameters)
        if ('error' in response) return this.#failed(exchange, response)
        return {
          ...response,
          headers: ['X-Request-Id', exchange.requestId, ...Object.entries(response.headers).flat()],
        }
      }
      const endpoint = entry.endpoints.get(method)
      if (!endpoint) return this.#methodNotAllowed(exchange, entry)
      const begun = new EndpointRun(this.#core, exchange, endpoint, parameters, surface)
      run = begun
      const given = this.#credentialsOf(authorization, headers['x-fairlead-project']?.toString())
      const credentials = 'kind' in given ? given : await given
      const reply = await this.#core.run(this.#operationOf(endpoint), credentials, () => begun.read(), run)
      if (!reply.success) return this.#failed(exchange, reply, run)
      if ('events' in reply) return this.#streamed(reply, run)
      const succeeded = this.#succeeded(reply, run)
      return succeeded instanceof Promise ? await succeeded : succeeded
    } catch (error) {
      return this.#failed(exchange, this.#core.refuse(error, { requestId: exchange.requestId }), run)
    }
  }

  #unknownPath({ request }: Exchange): FairleadError {
    const { method, basePath } = request
    const path = requestPath(request)
    const message = this.#surface.unknownPath?.(method, path, basePath) ?? `Unknown request URL: ${method} ${path}.`
    const hint = this.#hintFor?.(path)
    return new FairleadError('NOT_FOUND', hint === undefined ? message : `${message} ${hint}`)
  }

  #methodNotAllowed(exchange: Exchange, { endpoints, page }: Path): HttpResponse {
    const methods = [...(page ? [pageMethod(page)] : []), ...endpoints.keys()]
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    const error = new FairleadError('METHOD_NOT_ALLOWED', `This path supports only ${allowed}.`)
    const { requestId, request } = exchange
    const response = this.#failed(exchange, this.#core.refuse(error, { requestId }))
    response.headers.push('Allow', allowed)
    // RFC 9110, 15.6.2.
    return METHODS.includes(request.method) ? response : { ...response, status: 501 }
  }

  #operationOf({ operation }: Endpoint): Operation {
    if (typeof operation !== 'string') return operation
    const found = this.#operations.get(operation)
    if (!found) throw new FairleadError('NOT_FOUND', `This service has no ${operation}.`)
    return found
  }

  #headersOf(exchange: Exchange, reply: Failure | AnySuccess, run: EndpointRun | undefined): HeaderList {
    const headers = standardHeaders(exchange, reply)
    const surface = this.#surface
    surface.addHeaders?.(headers, exchange.requestId)
    run?.endpoint.addHeaders?.(headers)
    const provider = reply.success ? reply.meta.provider : reply.error.details.provider
    const ignored = run?.translation?.ignored
    if (ignored) addIgnored(headers, ignored, provider, exchange.call?.modelCall.model)
    if (!reply.success) return headers
    if (!surface.hasWarnings || 'events' in reply) addWarnings(headers, reply.meta)
    if (reply.replayed) headers.push('Idempotent-Replayed', 'true')
    return headers
  }

  #failed(exchange: Exchange, failure: Failure, run?: EndpointRun): HttpResponse {
    exchange.failure = failure
    const surface = this.#surface
    const headers = this.#headersOf(exchange, failure, run)
    addFailure(headers, failure)
    run?.translation?.addFailureHeaders?.(headers, failure)
    const status = surface.errorStatus?.(failure) ?? errorStatus[failure.error.code]
    return jsonResponse(status, headers, run?.endpoint.errorBody?.(failure) ?? surface.errorBody(failure))
  }

  #succeeded(reply: Success<unknown>, run: EndpointRun): HttpResponse | Promise<HttpResponse> {
    const { exchange } = run
    const translation = run.translation!
    const headers = this.#headersOf(exchange, reply, run)
    const status = translation.addHeaders?.(headers, reply) ?? 200
    if (status === 304) return { status, headers }
    const body = translation.toBody(reply as Success<never>, exchange.requestId)
    if (body instanceof Promise) return body.then((made: unknown) => jsonResponse(status, headers, made))
    return jsonResponse(status, headers, body)
  }

  #streamed(reply: Streaming<unknown, unknown>, run: EndpointRun): HttpResponse {
    const { exchange, translation } = run
    const headers = this.#headersOf(exchange, reply, run)
    headers.push('Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no')
    const writer = translation?.toEvents?.(exchange.requestId, Math.floor(exchange.at / 1000))
    if (!writer) throw new Error(`${exchange.route} does not stream`)
    const write = (event: ResultEvent) => {
      if (event.type === 'error') exchange.failure = event.reply
      return writer.write(event)
    }
    return { status: 200, headers, body: { events: reply.events, write } }
  }
}

function pageMethod({ method = 'GET' }: PageEndpoint): string {
  return method
}

type AnySuccess = Success<unknown> | Streaming<unknown, unknown>

/** One run of an operation for a request. It is also the options of that run. */
class EndpointRun implements RunOptions {
  readonly exchange: Exchange
  readonly endpoint: Endpoint
  readonly requestId: string
  readonly address: string
  readonly basePath: string | undefined
  readonly idempotencyKey: string | undefined
  readonly ifMatch: IfMatch | undefined
  /** Undefined until the request was read. */
  translation: Translation | undefined = undefined
  readonly #core: FairleadCore
  readonly #parameters: Parameters
  readonly #hasMalformedTag: boolean

  constructor(core: FairleadCore, exchange: Exchange, endpoint: Endpoint, parameters: Parameters, surface: Surface) {
    const { headers, basePath } = exchange.request
    const ifMatch = endpoint.takesIfMatch ? ifMatchFrom(headers['if-match']) : undefined
    this.requestId = exchange.requestId
    this.address = exchange.address
    this.basePath = surface.hasImages ? basePath : undefined
    this.idempotencyKey = endpoint.method === 'POST' ? idempotencyKeyFrom(headers['idempotency-key']) : undefined
    this.ifMatch = ifMatch === 'malformed' ? undefined : ifMatch
    this.#core = core
    this.exchange = exchange
    this.endpoint = endpoint
    this.#parameters = parameters
    this.#hasMalformedTag = ifMatch === 'malformed'
  }

  get userAgent(): string | undefined {
    return this.exchange.request.headers['user-agent']
  }

  onCall(call: OpenCall): void {
    this.exchange.call = call
    this.exchange.request.follow(call)
  }

  readonly spell = (field: string): string => {
    // They come in headers, and errors name the header.
    if (field === 'idempotencyKey') return 'Idempotency-Key'
    if (field === 'tags') return 'X-Fairlead-Tags'
    return this.translation?.spell?.(field) ?? field
  }

  /** Reads the request. */
  read(): ReadRequest | Promise<ReadRequest> {
    if (this.#hasMalformedTag) {
      throw invalid('If-Match', 'must be * or a list of entity tags in double quotes, such as "3"')
    }
    const { method } = this.endpoint
    return method === 'GET' || method === 'DELETE' ? this.#translate({}) : this.#readBody()
  }

  #readBody(): Promise<ReadRequest> {
    const { maxBodyBytes = defaultMaxBodyBytes, maxNumbers } = this.endpoint
    return readJson(this.exchange, maxBodyBytes, maxNumbers).then((body) => {
      if (!isObject(body)) throw new FairleadError('INVALID_REQUEST', 'The body must be a JSON object.')
      return this.#translate(body)
    })
  }

  #translate(body: Fields): ReadRequest {
    const http = this.exchange.request
    const sent = { body, headers: http.headers, parameters: this.#parameters, http, core: this.#core }
    const translation = this.endpoint.translate(sent)
    this.translation = translation
    const tags = http.headers['x-fairlead-tags']
    return tags === undefined ? translation : { ...translation, tags: { ...translation.tags, ...tagsFrom(tags) } }
  }
}

/** The names come from the request: others than usual ones are left out, and there are at most 20. */
function addIgnored(
  headers: HeaderList,
  ignored: NonNullable<Translation['ignored']>,
  provider: unknown,
  model: string | undefined,
): void {
  const all =
    typeof ignored === 'function' ? ignored(typeof provider === 'string' ? provider : undefined, model) : ignored
  const names = all.filter((name) => /^[\w.[\]-]{1,64}$/.test(name)).slice(0, 20)
  if (names.length > 0) headers.push('X-Fairlead-Ignored', names.join(', '))
}
