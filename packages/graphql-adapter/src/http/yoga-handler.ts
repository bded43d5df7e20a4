import type { ErrorCode } from '@fairlead/core'
import type { FairleadCore } from '@fairlead/core/adapter'
import { type BodyRoom, toHeaderPairs } from '@fairlead/http'
import { GraphQLError } from 'graphql'
import {
  createYoga,
  type FetchAPI,
  getSSEProcessor,
  isAsyncIterable,
  type Plugin,
  type YogaServerInstance,
} from 'graphql-yoga'
import { type GraphqlContext, responseHeaders } from '../context.ts'
import { httpError, toHttpError, withStatus, wrapped } from '../errors.ts'
import { type Engine, type GraphqlRequest, refusedResult } from '../execution/engine.ts'
import type { FindDocument } from '../execution/persisted-documents.ts'
import { acceptsEvents } from './plain-post.ts'
import { requestChecks } from './request-checks.ts'

export interface YogaHandlerOptions {
  readonly core: FairleadCore
  readonly engine: Engine
  readonly findDocument: FindDocument
  readonly maxBodyBytes: number
  readonly bodyRoom: BodyRoom
  readonly now: () => number
}

export type YogaHandler = YogaServerInstance<GraphqlContext, object>

/** GraphQL over HTTP by yoga: `GET` and `POST`, content negotiation, and server-sent events. The engine executes. */
export function createYogaHandler(options: YogaHandlerOptions): YogaHandler {
  return createYoga<GraphqlContext, object>({
    schema: options.engine.schema,
    graphqlEndpoint: '*',
    logging: false,
    // Unused, or done elsewhere: the service has its own CORS policy and its own GraphiQL page.
    cors: false,
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    parserAndValidationCache: false,
    extraParamNames: ['documentId'],
    maxRequestBodySize: options.maxBodyBytes,
    maskedErrors: { maskError: wrapped },
    plugins: [...requestChecks(options), useEngine(options), eventStreams(), responseFormat(options)],
  })
}

/** Replaces yoga's own parsing, validation and execution. */
function useEngine({ engine, findDocument }: YogaHandlerOptions): Plugin<object, GraphqlContext> {
  return {
    onParams({ request, params, setParams, setParamsHandler }) {
      const { operationName } = params as { readonly operationName?: unknown }
      if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
        throw httpError('INVALID_REQUEST', 400, 'The "operationName" must be a string.')
      }
      const found = findDocument(params)
      if (found instanceof GraphQLError) throw withStatus(found, { status: 400, spec: true })
      setParams({ ...params, ...(typeof found.query === 'string' && { query: found.query }) })
      setParamsHandler(({ params: checked, context }) => execute(engine, checked, request, context))
    },
  }
}

function execute(engine: Engine, params: GraphqlRequest, request: Request, context: GraphqlContext) {
  const prepared = engine.prepare(params)
  if (!('operation' in prepared)) return refusedResult(prepared, context)
  const { operation } = prepared.operation.node
  if (operation !== 'subscription') {
    if (operation === 'mutation' && request.method === 'GET') {
      throw httpError('METHOD_NOT_ALLOWED', 405, 'Mutations require POST.', { headers: { Allow: 'POST' } })
    }
    return engine.execute(prepared, context)
  }
  if (!acceptsEvents(request.headers.get('accept'))) {
    throw httpError('INVALID_REQUEST', 406, 'Subscriptions are streamed: send "Accept: text/event-stream".')
  }
  return engine.subscribe(prepared, context)
}

/** Yoga would send multipart bodies to clients that accept both, and recognizes subscriptions by its own execution. */
function eventStreams(): Plugin {
  const asEvents = getSSEProcessor()
  return {
    onResultProcess({ result, setResultProcessor }) {
      if (isAsyncIterable(result)) setResultProcessor(asEvents, 'text/event-stream')
    },
  }
}

/** Gives HTTP errors the format of core's errors, and adds our headers. */
function responseFormat({ core, now }: YogaHandlerOptions): Plugin<object, GraphqlContext> {
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
      // Yoga's own 406 has no body.
      const isEmpty = response.status === 406 && !response.body
      const sent = isEmpty ? notAcceptable(fetchAPI, serverContext) : response
      for (const [name, value] of toHeaderPairs(responseHeaders(serverContext, now()))) sent.headers.set(name, value)
      if (isEmpty) setResponse(sent)
    },
  }
}

function notAcceptable({ Response }: FetchAPI, context: GraphqlContext): Response {
  const supported =
    '"application/json" or "application/graphql-response+json", and "text/event-stream" for a subscription'
  const error = toHttpError(httpError('INVALID_REQUEST', 406, `Accept ${supported}.`), context.core, context.requestId)
  context.outcome.code = 'INVALID_REQUEST'
  return Response.json({ errors: [error] }, { status: 406 })
}
