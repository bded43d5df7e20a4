import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Clock, ErrorCode } from '@fairlead/core'
import { closeUnlessRead, createJsonScan, endResponse, openEventStream, readBody, writeTo } from '@fairlead/node-http'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { GraphqlContext } from '../context.ts'
import { refusedResult } from '../execution/engine.ts'
import type { HttpStatus } from '../execution/request-error.ts'
import { answerHeaders } from './answer-headers.ts'
import { excessError, httpError, toHttpError, wrapped } from './http-error.ts'
import { isJson, type JsonType, mediaTypeOf, paramsIn, takesEvents } from './plain-post.ts'
import type { Service } from './service.ts'

/** One request of Node's, and its answer. */
export interface NodeExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly context: GraphqlContext
}

/**
 * Answers the requests that nearly all are, a JSON `POST` for a JSON answer or for a stream of events, in as few steps as
 * that takes. Whatever is unlike them in any way goes the way through yoga, which gives the same answers.
 */
export async function answerNode(service: Service, exchange: NodeExchange): Promise<void> {
  const { request, context } = exchange
  const { accept, 'content-type': type, 'content-encoding': encoding } = request.headers
  const mediaType = mediaTypeOf(accept)
  const takesStreams = takesEvents(accept)
  // What parsed the body before us, such as Express, left it where yoga looks for it.
  if (request.method !== 'POST' || !isJson(type, encoding) || request.readableEnded) {
    return answerByYoga(service, exchange)
  }
  const scan = createJsonScan()
  const body = await readBody(request, service.maxBodyBytes, scan)
  if (!body) {
    const error = excessError(scan.excess, service.maxBodyBytes)
    return refuse(service, exchange, mediaType ?? 'application/json', error)
  }
  if (!mediaType && !takesStreams) return answerByYoga(service, exchange, body)
  const params = paramsIn(body)
  const asked = params && service.findDocument(params)
  if (!asked || asked instanceof GraphQLError) return answerByYoga(service, exchange, body)
  const ready = service.engine.prepare(asked)
  const isStream = 'operation' in ready && ready.operation.node.operation === 'subscription'
  if (isStream && takesStreams) {
    const results = await service.engine.subscribe(ready, context)
    const isRefused = !(Symbol.asyncIterator in results)
    if (isRefused && mediaType) return send(service, exchange, mediaType, results)
    return sendResults(service, exchange, isRefused ? [results] : results)
  }
  if (isStream || !mediaType) return answerByYoga(service, exchange, body)
  if (!('operation' in ready)) return send(service, exchange, mediaType, refusedResult(ready, context))
  send(service, exchange, mediaType, await service.engine.run(ready, context))
}

/** Ends an exchange that an error interrupted: with status 500, or by closing the connection where the answer had begun. */
export function breakOff(service: Service, exchange: NodeExchange, error: unknown): void {
  const { request, response } = exchange
  // A body that breaks off is no defect, and nobody is there to answer.
  if (error === request.errored) response.destroy()
  else if (!response.headersSent) refuse(service, exchange, 'application/json', wrapped(error))
  else {
    exchange.context.core.refuse(error, { requestId: exchange.context.requestId })
    response.destroy()
  }
}

async function answerByYoga(
  service: Service,
  { request, response, context }: NodeExchange,
  body?: Buffer,
): Promise<void> {
  // Yoga makes a URL of the header, and tells the world where in its code that failed.
  if (!URL.canParse(`http://${request.headers.host ?? 'localhost'}`)) {
    const error = httpError('INVALID_REQUEST', 400, 'The Host header is malformed.')
    return refuse(service, { request, response, context }, 'application/json', error)
  }
  // A body that was read already is looked for here.
  if (body) Object.assign(request, { body: Readable.from([body]) })
  const answer = await service.handler.handleNodeRequestAndResponse(request, response, context)
  closeUnlessRead(request, response)
  await pass(answer, response, service.clock)
}

/** Sends what yoga answered. */
async function pass({ status, headers, body }: Response, response: ServerResponse, clock: Clock): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers))
  // Of a stream, the first piece may be long in coming.
  if (body) response.flushHeaders()
  for await (const piece of body ?? []) {
    await writeTo(response, piece, clock)
    if (response.destroyed) return
  }
  endResponse(response, undefined, clock)
}

function refuse(service: Service, exchange: NodeExchange, mediaType: JsonType, refusal: GraphQLError): void {
  const { core, requestId } = exchange.context
  const error = toHttpError(refusal, core, requestId)
  const { status } = error.extensions['http'] as HttpStatus
  send(service, exchange, mediaType, { errors: [error] }, status)
}

/** A request that is refused as a whole has no data; only the newer media type has a status for that. */
function statusOf(result: ExecutionResult, mediaType: JsonType): number {
  return 'data' in result || mediaType === 'application/json' ? 200 : 400
}

/** What a subscription comes to, as a stream of events: those of the protocol of `graphql-sse`, distinct connections. */
async function sendResults(
  { clock }: Service,
  { response, context }: NodeExchange,
  results: Iterable<ExecutionResult> | AsyncIterable<ExecutionResult>,
): Promise<void> {
  response.writeHead(200, {
    ...answerHeaders(context, clock.now()),
    'Content-Type': 'text/event-stream',
    'X-Accel-Buffering': 'no',
  })
  const stream = openEventStream(response, clock)
  try {
    for await (const result of results) {
      noteCode(context, result)
      await stream.send('next', JSON.stringify(result))
      if (response.destroyed) break
    }
    await stream.send('complete', '')
  } finally {
    stream.end()
  }
}

function noteCode({ outcome }: GraphqlContext, { errors }: ExecutionResult): void {
  outcome.code ??= errors?.[0]?.extensions['code'] as ErrorCode | undefined
}

function send(
  { clock }: Service,
  { request, response, context }: NodeExchange,
  mediaType: JsonType,
  result: ExecutionResult,
  status = statusOf(result, mediaType),
): void {
  const text = JSON.stringify(result)
  noteCode(context, result)
  closeUnlessRead(request, response)
  response.writeHead(status, {
    ...answerHeaders(context, clock.now()),
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
  })
  endResponse(response, text, clock)
}
