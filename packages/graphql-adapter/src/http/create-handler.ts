import type { ErrorCode, FairleadCore } from '@fairlead/core'
import { GraphQLError } from 'graphql'
import {
  createYoga,
  type FetchAPI,
  getSSEProcessor,
  isAsyncIterable,
  type Plugin,
  type YogaServerInstance,
} from 'graphql-yoga'
import type { GraphqlContext } from '../context.ts'
import type { FindDocument } from '../execution/asked-document.ts'
import { type Asked, type Engine, refusedResult } from '../execution/engine.ts'
import { withStatus } from '../execution/request-error.ts'
import { answerHeaders } from './answer-headers.ts'
import { boundedBody } from './bounded-body.ts'
import { jsonAlone, ownPagesAlone } from './cross-site.ts'
import { httpError, toHttpError, wrapped } from './http-error.ts'
import { paramsInAddress } from './params-in-address.ts'
import { takesEvents } from './plain-post.ts'

export interface HandlerOptions {
  readonly core: FairleadCore
  readonly engine: Engine
  readonly findDocument: FindDocument
  readonly maxBodyBytes: number
  readonly now: () => number
}

export type Handler = YogaServerInstance<GraphqlContext, object>

/**
 * GraphQL over HTTP as yoga does it: `GET` and `POST`, the media types of an answer, and streams as server-sent events.
 * The operations themselves are the engine's.
 */
export function createHandler(options: HandlerOptions): Handler {
  return createYoga<GraphqlContext, object>({
    schema: options.engine.schema,
    graphqlEndpoint: '*',
    logging: false,
    // Each of these is off, or done elsewhere: the app has one policy for other origins, and one page for browsers.
    cors: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    parserAndValidationCache: false,
    extraParamNames: ['documentId'],
    maxRequestBodySize: options.maxBodyBytes,
    maskedErrors: { maskError: wrapped },
    plugins: [
      jsonAlone(),
      ownPagesAlone(),
      paramsInAddress(),
      boundedBody(options.maxBodyBytes),
      engineIn(options),
      streamsAsEvents(),
      inOurForm(options),
    ],
  })
}

/** Hands each request to the engine, and takes yoga's own way of parsing and executing out. */
function engineIn({ engine, findDocument }: HandlerOptions): Plugin<object, GraphqlContext> {
  return {
    onParams({ request, params, setParams, setParamsHandler }) {
      const { operationName } = params as { readonly operationName?: unknown }
      if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
        throw httpError('INVALID_REQUEST', 400, 'The "operationName" must be a string.')
      }
      const found = findDocument(params)
      if (found instanceof GraphQLError) throw withStatus(found, { status: 400, spec: true })
      setParams({ ...params, ...(typeof found.query === 'string' && { query: found.query }) })
      setParamsHandler(({ params: asked, context }) => answer(engine, asked, request, context))
    },
  }
}

function answer(engine: Engine, asked: Asked, request: Request, context: GraphqlContext) {
  const ready = engine.prepare(asked)
  if (!('operation' in ready)) return refusedResult(ready, context)
  const { operation } = ready.operation.node
  if (operation !== 'subscription') {
    if (operation === 'mutation' && request.method === 'GET') throw mutationByGet()
    return engine.run(ready, context)
  }
  if (!takesEvents(request.headers.get('accept'))) throw noEvents()
  return engine.subscribe(ready, context)
}

function mutationByGet(): GraphQLError {
  return httpError('METHOD_NOT_ALLOWED', 405, 'A mutation is sent with POST.', { Allow: 'POST' })
}

function noEvents(): GraphQLError {
  return httpError('INVALID_REQUEST', 406, 'A subscription is answered as a stream: send "Accept: text/event-stream".')
}

function notAcceptable({ Response }: FetchAPI, context: GraphqlContext): Response {
  const offered =
    '"application/json" or "application/graphql-response+json", and "text/event-stream" for a subscription'
  const error = toHttpError(httpError('INVALID_REQUEST', 406, `Accept ${offered}.`), context.core, context.requestId)
  context.outcome.code = 'INVALID_REQUEST'
  return Response.json({ errors: [error] }, { status: 406 })
}

/** Yoga would choose parts of a multipart body for who takes both; it knows a subscription by its own way of running it. */
function streamsAsEvents(): Plugin {
  const asEvents = getSSEProcessor()
  return {
    onResultProcess({ result, setResultProcessor }) {
      if (isAsyncIterable(result)) setResultProcessor(asEvents, 'text/event-stream')
    },
  }
}

/** Puts every error of HTTP's into the form of core's, and our headers on every answer. */
function inOurForm({ core, now }: HandlerOptions): Plugin<object, GraphqlContext> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (!('errors' in result) || !result.errors) return
      const { requestId } = serverContext
      const errors = result.errors.map((error) => toHttpError(error, core, requestId))
      serverContext.outcome.code = errors[0]?.extensions['code'] as ErrorCode | undefined
      setResult({ ...result, errors })
    },
    onResponse({ response, serverContext, fetchAPI, setResponse }) {
      if (!serverContext) return
      // Yoga says nothing where it has nothing that the client takes.
      const isMute = response.status === 406 && !response.body
      const sent = isMute ? notAcceptable(fetchAPI, serverContext) : response
      for (const [name, value] of Object.entries(answerHeaders(serverContext, now()))) sent.headers.set(name, value)
      if (isMute) setResponse(sent)
    },
  }
}
