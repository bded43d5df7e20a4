import {
  acceptedInput,
  canStream,
  type Deprecation,
  type Failure,
  type FairleadCore,
  FairleadError,
  type Operation,
  type ReadCredentials,
  type Reply,
  type Streaming,
  toSnakeCase,
  type WireNames,
  wireNames,
} from '@fairlead/core'
import {
  type EventBody,
  type Exchange,
  type Headers,
  type HttpRequest,
  type HttpResponse,
  idempotencyKeyFrom,
  ifMatchFrom,
  jsonResponse,
  matchesTag,
  noteFailure,
  partsResponse,
  queryOf,
  readJson,
  rejectQuery,
  requestTarget,
  type ResultEvent,
  warningsHeader,
} from '@fairlead/http'
import { failureBody, failureResponse, successBody, successHeaders, withRequestId } from './envelope.ts'
import { type MatchedPath, type Prefix, quickStartPrefix, type Route } from './routes.ts'
import { openaiErrorFields, withOpenaiFields } from './openai-fields.ts'
import type { SessionCookie, SessionInput } from './session-cookie.ts'

/** Runs the operation of a route, and turns its reply into a response. */
export type HandleOperation = (exchange: Exchange, matched: MatchedPath, search: string) => Promise<HttpResponse>

export function operationHandler(
  core: FairleadCore,
  route: Route,
  {
    maxBodyBytes,
    cookie,
    credentialsOf,
  }: {
    readonly maxBodyBytes: number
    readonly cookie: SessionCookie
    readonly credentialsOf: ReadCredentials
  },
): HandleOperation {
  const { operation, method, session, quickStart = false, openaiFields = false, lastEventId, inParts = false } = route
  const input = wireNames(acceptedInput(operation))
  const output = { data: wireNames(operation.output), chunk: chunkNames(operation) }
  const { deprecated } = operation

  // The key comes in a header, and errors name that header.
  const spell = (field: string) => (field === 'idempotencyKey' ? 'Idempotency-Key' : input.spell(field))

  const handle: HandleOperation = async (exchange, { prefix, parameters }, search) => {
    const { request, requestId } = exchange
    const hoist = quickStart && prefix === quickStartPrefix
    const isOpenai = openaiFields && hoist
    const idempotencyKey = method === 'POST' ? idempotencyKeyFrom(request.headers['idempotency-key']) : undefined
    const ifMatch = ifMatchFrom(request.headers['if-match'])
    let sessionInput: SessionInput | undefined
    const read = async () => {
      if (ifMatch === 'malformed') throw malformedIfMatch()
      // The body of a GET or DELETE has no meaning (RFC 9110, 9.3.1 and 9.3.5).
      if (method === 'GET' || method === 'DELETE') {
        const query = { ...queryOf(search), ...(lastEventId !== undefined && lastEventIdOf(request, lastEventId)) }
        return input.readText(withParameters(query, parameters))
      }
      if (search !== '') rejectQuery(search)
      const body = await readJson(request, maxBodyBytes)
      if (session && isPlainObject(body)) sessionInput = cookie.read(request, session, body)
      return input.read(withParameters(sessionInput?.body ?? body, parameters))
    }
    const given = credentialsOf(request.headers.authorization)
    const credentials = 'kind' in given ? given : await given
    const reply: Reply<Operation> = await core.run(operation, credentials, read, {
      requestId,
      signal: request.signal,
      address: exchange.address,
      basePath: request.basePath,
      spell,
      onIdentified: (caller) => void (exchange.caller = caller),
      onModelCall: (facts) => void Object.assign(exchange.modelCall, facts),
      idempotencyKey,
      ifMatch: ifMatch === 'malformed' ? undefined : ifMatch,
    })
    if (!reply.success) {
      const cleared = clearedCookie(reply, sessionInput, cookie)
      return failureResponse(exchange, reply, cleared, isOpenai ? openaiErrorFields(reply) : {})
    }
    if ('events' in reply)
      return eventResponse(exchange, reply, eventBody(exchange, reply, { operation, names: output, hoist }))
    const headers = successHeaders(exchange, reply)
    if (method === 'GET' && headers['ETag'] && matchesTag(request.headers['if-none-match'], headers['ETag'])) {
      return { status: 304, headers }
    }
    const kept = sessionInput?.intoCookie && session !== 'ends' ? cookie.keep(reply) : undefined
    const setCookie = kept?.setCookie ?? (sessionInput?.fromCookie ? cookie.clear : undefined)
    const location = operation.creates ? locationOf(exchange, route, prefix, reply.data) : undefined
    if (setCookie !== undefined) headers['Set-Cookie'] = setCookie
    if (location !== undefined) headers['Location'] = location
    const names = isOpenai ? withOpenaiFields(output.data) : output.data
    const body = successBody(withRequestId(kept?.reply ?? reply, requestId), names, hoist)
    return (inParts ? partsResponse : jsonResponse)(location === undefined ? 200 : 201, headers, body)
  }
  return deprecated ? withHeaders(deprecationHeaders(deprecated), handle) : handle
}

/** Since when an operation is deprecated, as a structured date (RFC 9745), and when it ends, as an HTTP date (RFC 8594). */
function deprecationHeaders({ since, sunset }: Deprecation): Headers {
  return { Deprecation: `@${Date.parse(since) / 1000}`, Sunset: new Date(sunset).toUTCString() }
}

function withHeaders(headers: Headers, handle: HandleOperation): HandleOperation {
  return async (exchange, matched, search) => {
    const response = await handle(exchange, matched, search)
    return { ...response, headers: { ...response.headers, ...headers } }
  }
}

function eventResponse(exchange: Exchange, reply: Streaming<unknown, unknown>, body: EventBody): HttpResponse {
  const headers = {
    ...successHeaders(exchange, reply),
    ...warningsHeader(reply.meta),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
  }
  return { status: 200, headers, body }
}

/** `chunk` events, then `done` with the whole body, or `error`; a `message` for each item of a subscription. */
function eventBody(
  exchange: Exchange,
  { events }: Streaming<unknown, unknown>,
  {
    operation,
    names,
    hoist,
  }: {
    readonly operation: Operation
    readonly names: { readonly data: WireNames; readonly chunk: WireNames }
    readonly hoist: boolean
  },
): EventBody {
  const nameOf = (operation.kind === 'inference' && operation.stream?.eventOf) || (() => 'chunk')
  const wireDataOf = (event: ResultEvent) => {
    switch (event.type) {
      case 'chunk':
        return names.chunk.write(event.chunk)
      case 'done':
        return successBody(withRequestId(event.reply, exchange.requestId), names.data, hoist)
      case 'error':
        noteFailure(exchange, event.reply)
        return failureBody(event.reply)
    }
  }
  return {
    events,
    toSent(event) {
      const data = JSON.stringify(wireDataOf(event))
      if (event.type !== 'chunk') return { type: event.type, data }
      if (operation.kind !== 'subscription') return { type: nameOf(event.chunk), data }
      return { type: 'message', data, id: (event.chunk as { readonly id: string }).id }
    },
  }
}

function locationOf({ request }: Exchange, { creates }: Route, prefix: Prefix, data: unknown): string {
  const folder = creates ? prefix + creates.path : requestTarget(request.url).pathname
  const record = creates ? (data as Readonly<Record<string, unknown>>)[creates.field] : data
  return `${request.basePath}${folder}/${(record as { readonly id: string }).id}`
}

/** An event source sends it when it opens a stream again (HTML standard, 9.2.4). */
function lastEventIdOf({ headers }: HttpRequest, field: string): Readonly<Record<string, unknown>> {
  const id = headers['last-event-id']
  return id === undefined ? {} : { [toSnakeCase(field)]: id }
}

/** Removes a cookie whose token is no longer valid. */
function clearedCookie(
  { error: { code } }: Failure,
  input: SessionInput | undefined,
  { clear }: SessionCookie,
): Headers {
  return input?.fromCookie && code === 'UNAUTHORIZED' ? { 'Set-Cookie': clear } : {}
}

/** The fields that were sent, with those of the path. A field of the path may be sent too if it has the same value. */
function withParameters(sent: unknown, parameters: Readonly<Record<string, string>>): unknown {
  if (!isPlainObject(sent)) throw new FairleadError('INVALID_REQUEST', 'The body must be a JSON object.')
  const names = Object.keys(parameters)
  if (names.length === 0) return sent
  const different = names.filter((name) => Object.hasOwn(sent, name) && sent[name] !== parameters[name])
  if (different.length > 0) {
    const issues = different.map((field) => ({ field, issue: 'must be the one in the path, or left out' }))
    throw new FairleadError('INVALID_REQUEST', 'The path and the body differ.', { issues })
  }
  // The object was created by reading this request: copying tens of thousands of fields would take 10 ms.
  return Object.assign(sent, parameters)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function malformedIfMatch(): FairleadError {
  const issue = 'must be * or a list of entity tags in double quotes, such as "3"'
  return new FairleadError('INVALID_REQUEST', `If-Match ${issue}`, { issues: [{ field: 'If-Match', issue }] })
}

function chunkNames(operation: Operation): WireNames {
  const declared = canStream(operation) && operation.kind === 'inference' ? operation.stream?.chunk : undefined
  return wireNames(declared ?? operation.output)
}
