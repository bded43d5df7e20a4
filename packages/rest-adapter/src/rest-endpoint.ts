import {
  type Deprecation,
  type Failure,
  FairleadError,
  type Operation,
  type RestMethod,
  type Success,
} from '@fairlead/core'
import { acceptedInput, canStream, toSnakeCase, type WireNames, wireNames } from '@fairlead/core/adapter'
import {
  type Endpoint,
  eventText,
  type EventWriter,
  type Fields,
  type HeaderList,
  type HttpRequest,
  matchesTag,
  parseQuery,
  rejectQuery,
  type ResultEvent,
  type SurfaceRequest,
  type Translation,
} from '@fairlead/http'
import { asksForEvents } from './asks-for-events.ts'
import { openaiErrorFields, openaiList, withOpenaiFields } from './openai-fields.ts'
import { isResumable, type Prefix, prefixes, quickStartPrefix, type Route } from './routes.ts'
import type { SessionCookie, SessionInput } from './session-cookie.ts'

interface EndpointOptions {
  /** When the adapter was made, in milliseconds since the epoch. */
  readonly startedAt: number
  readonly maxBodyBytes: number | undefined
  readonly cookie: SessionCookie
  /** The path of the service in links. */
  publicPath(basePath: string): string
}

/** The endpoints of a route: one under each of its prefixes. */
export function createEndpoints(route: Route, options: EndpointOptions): readonly Endpoint[] {
  const names = readNames(route.operation)
  return prefixes
    .filter((prefix) => prefix !== route.unlessPrefix)
    .map((prefix) => new RestEndpoint(route, prefix, names, options))
}

type Names = ReturnType<typeof readNames>

/** The names of an operation's fields on the wire. */
function readNames(operation: Operation) {
  const chunk = canStream(operation) && operation.kind === 'action' ? operation.stream?.chunk : undefined
  const data = wireNames(operation.output)
  return {
    input: wireNames(acceptedInput(operation)),
    data,
    chunk: chunk ? wireNames(chunk) : data,
    itemTexts: new WeakMap<object, string>(),
  }
}

/** The event of a subscription's item. Streams that yield the same object share its text. */
function itemText({ chunk, itemTexts }: Names, item: { readonly id: string }): string {
  let text = itemTexts.get(item)
  if (text === undefined) {
    text = `id: ${item.id}\n${eventText(JSON.stringify(chunk.write(item)), 'message')}`
    itemTexts.set(item, text)
  }
  return text
}

/** An operation under one prefix. */
class RestEndpoint implements Endpoint {
  readonly method: RestMethod
  readonly path: string
  readonly operation: Operation
  readonly maxBodyBytes: number | undefined
  readonly takesIfMatch = true
  readonly streams: boolean
  readonly route: Route
  readonly prefix: Prefix
  readonly names: Names
  readonly cookie: SessionCookie
  /** Whether bodies repeat the fields of the result at the top level. */
  readonly hoist: boolean
  /** Whether bodies also have the fields that clients of OpenAI read. */
  readonly isOpenai: boolean
  readonly publicPath: EndpointOptions['publicPath']
  readonly #deprecation: HeaderList

  constructor(
    route: Route,
    prefix: Prefix,
    names: Names,
    { startedAt, maxBodyBytes, cookie, publicPath }: EndpointOptions,
  ) {
    const { method, path, operation, quickStart = false, openaiFields = false } = route
    this.method = method
    this.path = prefix + path
    this.operation = operation
    this.streams = canStream(operation)
    this.maxBodyBytes = maxBodyBytes ?? route.maxBodyBytes
    this.route = route
    this.prefix = prefix
    this.hoist = quickStart && prefix === quickStartPrefix
    this.isOpenai = openaiFields && this.hoist
    this.names = this.isOpenai ? { ...names, data: withOpenaiFields(names.data, Math.floor(startedAt / 1000)) } : names
    this.cookie = cookie
    this.publicPath = publicPath
    this.#deprecation = operation.deprecated ? deprecationHeaders(operation.deprecated) : []
  }

  translate(request: SurfaceRequest): Translation {
    return new RestTranslation(this, request)
  }

  errorBody(failure: Failure): unknown {
    return failureBody(failure, this.isOpenai ? openaiErrorFields(failure) : {})
  }

  addHeaders(headers: HeaderList): void {
    headers.push(...this.#deprecation)
  }
}

/** Since when an operation is deprecated, as a structured date (RFC 9745), and when it ends, as an HTTP date (RFC 8594). */
function deprecationHeaders({ since, sunset }: Deprecation): HeaderList {
  return ['Deprecation', `@${Date.parse(since) / 1000}`, 'Sunset', new Date(sunset).toUTCString()]
}

/** One request. */
class RestTranslation implements Translation {
  readonly input: unknown
  readonly #endpoint: RestEndpoint
  readonly #http: HttpRequest
  readonly #session: SessionInput | undefined
  /** The reply without its refresh token, once that is in a cookie. */
  #kept: Success<unknown> | undefined

  constructor(endpoint: RestEndpoint, { body, parameters, http }: SurfaceRequest) {
    const { method, route, names, cookie } = endpoint
    this.#endpoint = endpoint
    this.#http = http
    if (method === 'GET' || method === 'DELETE') {
      const query = { ...parseQuery(http.search), ...readLastEventId(http, route.operation) }
      this.input = names.input.readText(withParameters(query, parameters))
      return
    }
    if (http.search !== '') rejectQuery(http.search)
    const { session, browser } = route
    this.#session = session && cookie.read(http, { session, browser }, body)
    const input = names.input.read(withParameters(this.#session?.body ?? body, parameters)) as Fields
    const wantsEvents = endpoint.streams && input['stream'] === undefined && asksForEvents(http.headers.accept)
    this.input = wantsEvents ? { ...input, stream: true } : input
  }

  spell(field: string): string {
    return this.#endpoint.names.input.spell(field)
  }

  addHeaders(headers: HeaderList, reply: Success<unknown>): number {
    const { method, route, cookie, operation } = this.#endpoint
    if (reply.version !== undefined) {
      const etag = `"${reply.version}"`
      headers.push('ETag', etag)
      if (method === 'GET' && matchesTag(this.#http.headers['if-none-match'], etag)) return 304
    }
    if (this.#session?.intoCookie && route.session !== 'ends') {
      const { reply: kept, setCookie } = cookie.keep(reply)
      this.#kept = kept
      headers.push('Set-Cookie', setCookie)
    } else if (this.#session?.fromCookie) {
      headers.push('Set-Cookie', cookie.clear)
    }
    if (!operation.creates) return 200
    headers.push('Location', this.#locationOf(reply.data))
    return 201
  }

  #locationOf(data: unknown): string {
    const { route, prefix, publicPath } = this.#endpoint
    const { basePath, pathname } = this.#http
    const folder = route.creates ? prefix + route.creates.path : pathname
    const record = route.creates ? (data as Fields)[route.creates.field] : data
    return `${publicPath(basePath)}${folder}/${(record as { readonly id: string }).id}`
  }

  /** Removes a cookie whose token is no longer valid. */
  addFailureHeaders(headers: HeaderList, { error: { code } }: Failure): void {
    if (this.#session?.fromCookie && code === 'UNAUTHORIZED') headers.push('Set-Cookie', this.#endpoint.cookie.clear)
  }

  toBody(reply: Success<unknown>): unknown {
    const { names, hoist } = this.#endpoint
    return successBody(this.#kept ?? reply, names.data, hoist)
  }

  /** `chunk` events, then `done` with the whole body, or `error`; a `message` for each item of a subscription. */
  toEvents(): EventWriter {
    const { operation, names, hoist } = this.#endpoint
    const eventOf = operation.kind === 'action' ? operation.stream?.eventOf : undefined
    const write = (event: ResultEvent) => {
      if (event.type === 'error') return eventText(JSON.stringify(failureBody(event.reply)), 'error')
      if (event.type === 'done') {
        return eventText(JSON.stringify(successBody(event.reply, names.data, hoist)), 'done')
      }
      if (operation.kind === 'subscription') return itemText(names, event.chunk as { readonly id: string })
      const data = JSON.stringify(names.chunk.write(event.chunk))
      return eventText(data, eventOf ? eventOf(event.chunk) : 'chunk')
    }
    return { write }
  }
}

/** An event source sends it when it opens a stream again (HTML standard, 9.2.4). */
function readLastEventId({ headers }: HttpRequest, operation: Operation): Fields {
  const id = headers['last-event-id']
  return id !== undefined && isResumable(operation) ? { after: id } : {}
}

/**
 * The fields that were sent, and the fields of the path. A field of the path may be sent too if it has the same value.
 */
function withParameters(sent: Fields, parameters: Readonly<Record<string, string>>): Fields {
  const names = Object.keys(parameters)
  if (names.length === 0) return sent
  const different = names.filter((name) => Object.hasOwn(sent, name) && sent[name] !== parameters[name])
  const issues = different.map((field) => ({ field, issue: 'must be the one in the path, or left out' }))
  if (issues.length > 0) throw new FairleadError('INVALID_REQUEST', 'The path and the body differ.', { issues })
  // The object was created by reading this request: copying tens of thousands of fields would take 10 ms.
  return Object.assign(sent, parameters)
}

/** The body of a success. In the quick-start form it also has the fields of the result, or of a list of OpenAI. */
function successBody({ data, meta }: Success<unknown>, names: WireNames, hoist: boolean) {
  const wireData = names.write(data)
  const body = { success: true, data: wireData, meta: metaToWire(meta) }
  if (!hoist) return body
  return { ...body, ...(Array.isArray(wireData) ? openaiList : (wireData as object)) }
}

/** @param errorFields added to the error */
export function failureBody({ error, meta }: Failure, errorFields: object = {}) {
  return { success: false, error: { ...error, ...errorFields }, meta: metaToWire(meta) }
}

const wireNamesOfMeta = new Map<string, string>()

function metaToWire(meta: object): Record<string, unknown> {
  const wire: Record<string, unknown> = {}
  for (const name in meta) {
    const value: unknown = meta[name as keyof typeof meta]
    let wireName = wireNamesOfMeta.get(name)
    if (wireName === undefined) wireNamesOfMeta.set(name, (wireName = toSnakeCase(name)))
    wire[wireName] = name === 'page' ? metaToWire(value as object) : value
  }
  return wire
}
