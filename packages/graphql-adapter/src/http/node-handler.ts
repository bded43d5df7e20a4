import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { type Clock, type ErrorCode, FairleadError } from '@fairlead/core'
import { JsonScan } from '@fairlead/core/adapter'
import {
  addFailure,
  endResponse,
  errorStatus,
  eventText,
  EventStream,
  type HeaderList,
  readBody,
  requestTarget,
  writeTo,
} from '@fairlead/http'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { type GraphqlContext, responseHeaders } from '../context.ts'
import { excessError, httpError, type HttpStatus, toGraphqlError, toHttpError, wrapped } from '../errors.ts'
import { refusedResult } from '../execution/engine.ts'
import type { Service } from '../service.ts'
import { holdBody } from './hold-body.ts'
import { acceptsEvents, isJson, type JsonType, jsonTypeFor, paramsIn } from './plain-post.ts'

/** One request of `node:http` and its response. */
export interface NodeExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly context: GraphqlContext
}

/**
 * Responds to nearly all requests, a JSON `POST` for JSON or an event stream, without yoga: that takes about 40% less
 * time. Yoga gets all other requests, and gives the same responses.
 */
export async function handleNodeRequest(service: Service, exchange: NodeExchange): Promise<void> {
  const { request, context } = exchange
  const { accept, 'content-type': type, 'content-encoding': encoding } = request.headers
  const jsonType = jsonTypeFor(accept)
  const takesEvents = acceptsEvents(accept)
  const isPlainPost =
    request.method === 'POST' && isJson(type, encoding) && request.headers['idempotency-key'] === undefined
  // Yoga finds a body that another parser, such as Express's, has read.
  if (!isPlainPost || request.readableEnded) return handleByYoga(service, exchange)
  const scan = new JsonScan()
  const declared = request.headers['content-length']
  const holding = holdBody(service.bodyRoom, context, declared === undefined ? undefined : Number(declared))
  const hold = holding instanceof Promise ? await holding : holding
  const body = await readBody(request, service.maxBodyBytes, scan, hold)
  if (!body) {
    const error = excessError(scan.excess, service.maxBodyBytes)
    return sendError(service, exchange, jsonType ?? 'application/json', error)
  }
  if (!jsonType && !takesEvents) return handleByYoga(service, exchange, body)
  const params = paramsIn(body)
  const found = params && service.findDocument(params)
  if (!found || found instanceof GraphQLError) return handleByYoga(service, exchange, body)
  const prepared = service.engine.prepare(found)
  const isStream = 'operation' in prepared && prepared.operation.node.operation === 'subscription'
  if (isStream && takesEvents) {
    const results = await service.engine.subscribe(prepared, context)
    const isRefused = !(Symbol.asyncIterator in results)
    if (isRefused && jsonType) return send(service, exchange, jsonType, results)
    return sendEvents(service, exchange, isRefused ? [results] : results)
  }
  if (isStream || !jsonType) return handleByYoga(service, exchange, body)
  const isReady = 'operation' in prepared
  const result = isReady ? await service.engine.execute(prepared, context) : refusedResult(prepared, context)
  send(service, exchange, jsonType, result)
}

/** Ends an exchange after an error: with status 500, or by closing the connection if the response has begun. */
export function closeAfterError(service: Service, exchange: NodeExchange, error: unknown): void {
  const { request, response, context } = exchange
  // The client has disconnected within the body.
  if (error === request.errored) response.destroy()
  else if (!response.headersSent && error instanceof FairleadError) sendFailure(service, exchange, error)
  else if (!response.headersSent) sendError(service, exchange, 'application/json', wrapped(error))
  else {
    context.core.refuse(error, { requestId: context.requestId })
    response.destroy()
  }
}

/** Sends an error with the status and the headers that it has over REST. */
export function sendFailure(service: Service, exchange: NodeExchange, error: unknown): void {
  const { request, context } = exchange
  const failure = context.core.refuse(error, { requestId: context.requestId })
  const jsonType = jsonTypeFor(request.headers.accept) ?? 'application/json'
  const status = errorStatus[failure.error.code]
  const headers: HeaderList = []
  addFailure(headers, failure)
  send(service, exchange, jsonType, { errors: [toGraphqlError(failure)] }, status, headers)
}

/** Express keeps the whole target here when it mounts a handler. */
function targetOf(request: IncomingMessage & { readonly originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? '/'
}

async function handleByYoga(service: Service, exchange: NodeExchange, body?: Buffer): Promise<void> {
  const { request, response, context } = exchange
  // Yoga builds a URL from this header, and a malformed one would be reported as a bug.
  if (!URL.canParse(`http://${request.headers.host ?? 'localhost'}`)) {
    const error = httpError('INVALID_REQUEST', 400, 'The Host header is malformed.')
    return sendError(service, exchange, 'application/json', error)
  }
  // Yoga prepends the scheme and the host also to a target that has both (RFC 9112, 3.2.2).
  const { pathname, search } = requestTarget(targetOf(request))
  Object.assign(request, { originalUrl: search === '' ? pathname : `${pathname}?${search}` })
  // Yoga looks here for a body that has been read.
  if (body) Object.assign(request, { body: Readable.from([body]) })
  const { status, headers, body: sent } = await service.yoga.handleNodeRequestAndResponse(request, response, context)
  response.writeHead(status, Object.fromEntries(headers))
  // The first chunk of a stream may take long.
  if (sent) response.flushHeaders()
  for await (const chunk of sent ?? []) {
    await writeTo(response, chunk, service.clock)
    if (response.destroyed) return
  }
  endResponse(response, undefined, service.clock)
}

/** Sends the results of a subscription as server-sent events, in the protocol of `graphql-sse` (distinct connections). */
async function sendEvents(
  { clock }: { readonly clock: Clock },
  { response, context }: NodeExchange,
  results: Iterable<ExecutionResult> | AsyncIterable<ExecutionResult>,
): Promise<void> {
  const headers = responseHeaders(context, clock.now())
  headers.push('Content-Type', 'text/event-stream', 'X-Accel-Buffering', 'no')
  response.writeHead(200, headers)
  const stream = new EventStream(response, clock)
  try {
    for await (const result of results) {
      noteCode(context, result)
      await stream.send(eventText(JSON.stringify(result), 'next'))
      if (response.destroyed) break
    }
    await stream.send(eventText('', 'complete'))
  } finally {
    stream.end()
  }
}

function noteCode({ outcome }: GraphqlContext, { errors }: ExecutionResult): void {
  outcome.code ??= errors?.[0]?.extensions['code'] as ErrorCode | undefined
}

function sendError(service: Service, exchange: NodeExchange, jsonType: JsonType, refusal: GraphQLError): void {
  const { core, requestId } = exchange.context
  const error = toHttpError(refusal, core, requestId)
  const { status } = error.extensions['http'] as HttpStatus
  send(service, exchange, jsonType, { errors: [error] }, status)
}

/** A rejected request has no data. Only the newer media type has a status for that. */
function resultStatus(result: ExecutionResult, jsonType: JsonType): number {
  return 'data' in result || jsonType === 'application/json' ? 200 : 400
}

function send(
  { clock }: { readonly clock: Clock },
  { response, context }: NodeExchange,
  jsonType: JsonType,
  result: ExecutionResult,
  status = resultStatus(result, jsonType),
  added: HeaderList = [],
): void {
  const text = JSON.stringify(result)
  noteCode(context, result)
  const headers = responseHeaders(context, clock.now())
  headers.push(
    ...added,
    'Content-Type',
    `${jsonType}; charset=utf-8`,
    'Content-Length',
    String(Buffer.byteLength(text)),
  )
  response.writeHead(status, headers)
  endResponse(response, text, clock)
}
