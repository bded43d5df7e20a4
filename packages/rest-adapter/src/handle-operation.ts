import {
  acceptedInput,
  canStream,
  type Failure,
  type FairleadCore,
  FairleadError,
  type Operation,
  type ReadCredentials,
  type Reply,
  type Success,
} from '@fairlead/core'
import { deprecationHeaders } from './deprecation-headers.ts'
import { type Exchange, type Headers, sendFailure, sendJson } from './exchange.ts'
import type { Destination } from './find-route.ts'
import { idempotencyKeyFrom } from './idempotency-key.ts'
import { ifMatchFrom } from './if-match.ts'
import { readJson } from './read-json.ts'
import { type Prefix, quickStartPrefix, type Route } from './routes.ts'
import type { SessionCookie, Taken } from './session-cookie.ts'
import { sendEvents } from './send-events.ts'
import { successHeaders } from './success-headers.ts'
import { successBody } from './wire-envelope.ts'
import { type WireNames, wireNames } from './wire-names.ts'

/** How one route's requests become runs, and replies answers. */
export type HandleOperation = (exchange: Exchange, destination: Destination, search: string) => Promise<void>

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
  const { operation, method, session, quickStart = false } = route
  const input = wireNames(acceptedInput(operation))
  const output = { data: wireNames(operation.output), chunk: chunkNames(operation) }

  const notices = Object.entries(deprecationHeaders(operation.deprecated))

  // The key comes in a header, and is called by its name there.
  const spell = (field: string) => (field === 'idempotencyKey' ? 'Idempotency-Key' : input.spell(field))

  return async (exchange, { prefix, parameters }, search) => {
    const { request, requestId } = exchange
    for (const [name, value] of notices) exchange.response.setHeader(name, value)
    const hoist = quickStart && prefix === quickStartPrefix
    const idempotencyKey =
      method === 'POST' ? idempotencyKeyFrom(oneLine(request.headers['idempotency-key'])) : undefined
    const ifMatch = ifMatchFrom(request.headers['if-match'])
    let taken: Taken | undefined
    const read = async () => {
      if (ifMatch === 'malformed') throw malformedIfMatch()
      // What a GET or DELETE has in its body means nothing (RFC 9110, 9.3.1 and 9.3.5).
      if (method === 'GET' || method === 'DELETE') return input.readText(withParameters(queryOf(search), parameters))
      const body = await readJson(request, maxBodyBytes)
      if (session && isPlainObject(body)) taken = cookie.take(request, session, body)
      return input.read(withParameters(taken?.body ?? body, parameters))
    }
    const reply: Reply<Operation> = await core.run(
      operation,
      await credentialsOf(request.headers.authorization),
      read,
      {
        requestId,
        signal: abortedWhenLeft(exchange),
        address: exchange.address,
        spell,
        onIdentified: (caller) => void (exchange.caller = caller),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(ifMatch !== undefined && ifMatch !== 'malformed' && { ifMatch }),
      },
    )
    if (!reply.success) return sendFailure(exchange, reply, endedCookie(reply, taken, cookie))
    if ('events' in reply) return sendEvents(exchange, reply, output, hoist)
    const given = taken?.intoCookie && session !== 'ends' ? cookie.give(reply) : undefined
    const setCookie = given?.setCookie ?? (taken?.fromCookie ? cookie.clear : undefined)
    sendSuccess(exchange, given?.reply ?? reply, {
      names: output.data,
      hoist,
      headers: setCookie === undefined ? {} : { 'Set-Cookie': setCookie },
      location: operation.creates ? locationOf(exchange, route, prefix, reply.data) : undefined,
    })
  }
}

interface Sending {
  readonly names: WireNames
  readonly hoist: boolean
  readonly headers: Headers
  /** Where what was created can be had. */
  readonly location: string | undefined
}

function sendSuccess(exchange: Exchange, reply: Success<unknown>, { names, hoist, headers, location }: Sending): void {
  const all = { ...successHeaders(exchange, reply), ...headers }
  const body = successBody(reply, names, hoist)
  if (location === undefined) return sendJson(exchange, 200, all, body)
  sendJson(exchange, 201, { ...all, Location: location }, body)
}

function locationOf({ request }: Exchange, { creates }: Route, prefix: Prefix, data: unknown): string {
  const [path = ''] = (request.url ?? '').split('?')
  const folder = creates ? prefix + creates.path : path
  const record = creates ? (data as Readonly<Record<string, unknown>>)[creates.field] : data
  return `${folder}/${(record as { readonly id: string }).id}`
}

/** A cookie that no longer opens anything is taken away. */
function endedCookie({ error: { code } }: Failure, taken: Taken | undefined, { clear }: SessionCookie): Headers {
  return taken?.fromCookie && code === 'UNAUTHORIZED' ? { 'Set-Cookie': clear } : {}
}

/** A header that came several times is one with spaces in it. */
function oneLine(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

/** A repeated parameter is a list, which no field of one value takes. */
function queryOf(search: string): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null)
  const parameters = new URLSearchParams(search)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    query[name] = values.length === 1 ? values[0] : values
  }
  return query
}

/** What is sent, with the fields that stand in the path. They may be sent too, as long as they say the same. */
function withParameters(sent: unknown, parameters: Readonly<Record<string, string>>): unknown {
  if (!isPlainObject(sent)) throw new FairleadError('INVALID_REQUEST', 'The body must be a JSON object.')
  const names = Object.keys(parameters)
  if (names.length === 0) return sent
  const others = names.filter((name) => Object.hasOwn(sent, name) && sent[name] !== parameters[name])
  if (others.length > 0) {
    const issues = others.map((field) => ({ field, issue: 'must be the one in the path, or left out' }))
    throw new FairleadError('INVALID_REQUEST', 'The path and the body differ.', { issues })
  }
  // Read from the request a moment ago, it is nobody else's: a copy of tens of thousands of fields would take 10 ms.
  return Object.assign(sent, parameters)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function malformedIfMatch(): FairleadError {
  const issue = 'must be * or a list of entity tags in double quotes, such as "3"'
  return new FairleadError('INVALID_REQUEST', `If-Match ${issue}`, { issues: [{ field: 'If-Match', issue }] })
}

function abortedWhenLeft({ response }: Exchange): AbortSignal {
  const leaving = new AbortController()
  const leave = () => {
    if (!response.writableFinished) leaving.abort()
  }
  // Whoever left already won't be told of again.
  if (response.closed) leave()
  else response.on('close', leave)
  return leaving.signal
}

function chunkNames(operation: Operation): WireNames {
  const declared = canStream(operation) && operation.kind === 'inference' ? operation.stream?.chunk : undefined
  return wireNames(declared ?? operation.output)
}
