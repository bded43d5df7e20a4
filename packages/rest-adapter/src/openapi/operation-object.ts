import type { ErrorCode, Operation } from '@fairlead/core'
import { canStream, errorCodes, possibleErrors, takesIdempotencyKey } from '@fairlead/core/adapter'
import * as z from 'zod'
import { isResumable, type Route } from '../routes.ts'
import { type HeaderName, headerReferences, limitHeaderNames } from './components.ts'
import { metaSchema, successSchema } from './envelope-schemas.ts'
import { operationExample } from './examples.ts'
import type { FailureResponses } from './failure-responses.ts'
import type {
  MediaType,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
  SchemaObject,
} from './openapi-object.ts'
import { openaiSchemas } from '../openai-fields.ts'
import { type RequestFields, requestFields, withoutRequired } from './request-fields.ts'
import type { SchemaCollection } from './schema-collection.ts'

/** Describes a route, from its declaration. With `hoist`, the fields of the result are at the top level too. */
export function operationObject(
  route: Route,
  { hoist, section }: { readonly hoist: boolean; readonly section: string },
  { schemas, failures }: { readonly schemas: SchemaCollection; readonly failures: FailureResponses },
): OperationObject {
  const { operation } = route
  const operationId = hoist ? `${operation.name}QuickStart` : operation.name
  const fields = requestFields(route, schemas)
  return {
    operationId,
    tags: [section],
    summary: hoist ? `${operation.summary.replace(/\.$/, '')}, ${hoistedForm(route)}.` : operation.summary,
    description: describe(operation),
    ...(operation.deprecated && { deprecated: true }),
    security: toSecurity(route),
    ...toParameters(route, fields),
    ...(fields.body && {
      requestBody: {
        required: schemas.resolve(fields.body).required !== undefined,
        content: { 'application/json': media(fields.body, operationExample(operationId).request) },
      },
    }),
    responses: {
      [operation.creates ? '201' : '200']: successResponse(route, operationId, hoist, schemas),
      ...notModified(route),
      ...failures.describe(routeErrors(route)),
    },
  }
}

function hoistedForm({ openaiFields, operation }: Route): string {
  if (!openaiFields) return 'with the result’s fields at the top level'
  return operation.output instanceof z.ZodArray
    ? 'with the fields of OpenAI’s list'
    : 'with its fields, and those of OpenAI, at the top level'
}

function describe({ access, metered, kind, deprecated }: Operation): string {
  const sentences = [
    'anonymous' in access ? 'Needs no credential.' : `Needs the scope \`${access.scope}\`.`,
    'role' in access && `For users of the role \`${access.role}\`.`,
    describeCost(metered, kind),
    deprecated &&
      `Deprecated since ${deprecated.since}, removed from ${deprecated.sunset}: use \`${deprecated.instead}\` instead.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

function describeCost(metered: boolean, kind: Operation['kind']): string {
  if (!metered) return 'Free of charge.'
  if (kind === 'action') return 'A success uses one unit of the quota.'
  return 'A success uses one unit of the quota of an API key. Free of charge with an access token.'
}

const bearer = { bearer: [] }
const cookie = { sessionCookie: [] }

function toSecurity({ operation, session }: Route): OperationObject['security'] {
  if (!('anonymous' in operation.access)) return [bearer]
  if (session === 'continues') return [{}, cookie]
  return session === 'ends' ? [bearer, cookie, {}] : []
}

function notModified({ method, operation }: Route): OperationObject['responses'] {
  if (method !== 'GET' || !operation.versioned) return {}
  const description = 'The record matches `If-None-Match`.'
  return { 304: { description, headers: headerReferences(['X-Request-Id', 'ETag', ...limitHeaderNames]) } }
}

/** The errors of core and of this transport: unreadable bodies, and cookies from other sites. */
function routeErrors({ operation, method, session }: Route): readonly ErrorCode[] {
  const found = new Set(possibleErrors(operation))
  // Only a POST accepts an Idempotency-Key.
  if (method !== 'POST') found.delete('IDEMPOTENCY_KEY_REUSED')
  if (method !== 'POST' && !operation.errors?.includes('CONFLICT')) found.delete('CONFLICT')
  if (method === 'POST' || method === 'PUT' || method === 'PATCH')
    found.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE')
  if (session === 'continues' || session === 'ends') found.add('FORBIDDEN')
  return errorCodes.filter((code) => found.has(code))
}

function toParameters({ method, operation }: Route, { parameters }: RequestFields) {
  const all: (ParameterObject | Reference)[] = [...parameters]
  if (method === 'POST' && takesIdempotencyKey(operation)) all.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (!('anonymous' in operation.access)) all.push({ $ref: '#/components/parameters/Project' })
  if (operation.kind === 'action') all.push({ $ref: '#/components/parameters/Tags' })
  if (isResumable(operation)) all.push({ $ref: '#/components/parameters/LastEventId' })
  if (method === 'GET' && operation.versioned) all.push({ $ref: '#/components/parameters/IfNoneMatch' })
  if (operation.errors?.includes('PRECONDITION_FAILED')) all.push({ $ref: '#/components/parameters/IfMatch' })
  return all.length > 0 ? { parameters: all } : {}
}

function media(schema: SchemaObject, example: unknown): MediaType {
  return { schema, ...(example !== undefined && { example }) }
}

/** The response to a request that succeeds. */
function successResponse(
  { operation, session, openaiFields = false }: Route,
  operationId: string,
  hoist: boolean,
  schemas: SchemaCollection,
): ResponseObject {
  const { response, events } = operationExample(operationId)
  if (operation.kind === 'subscription') {
    return {
      description: 'Success, as server-sent events.',
      headers: headerReferences(['X-Request-Id']),
      content: { 'text/event-stream': media({ type: 'string', description: itemEvents }, events) },
    }
  }
  const data = withoutToken(schemas.describe(operation.output, 'output'), session, schemas)
  const meta = metaSchema(schemas, operation, data.type === 'array')
  const form = openaiFields && hoist ? openaiSchemas(data, schemas) : { data, hoisted: schemas.resolve(data) }
  const schema = successSchema(form.data, meta, hoist ? form.hoisted : undefined)
  const streams = canStream(operation)
  return {
    description: streams ? 'Success, as server-sent events if `stream` is true.' : 'Success.',
    headers: headerReferences([
      'X-Request-Id',
      ...(operation.metered ? limitHeaderNames : []),
      ...(operation.creates ? (['Location'] as const) : []),
      ...(operation.versioned ? (['ETag'] as const) : []),
      ...(takesIdempotencyKey(operation) ? (['Idempotent-Replayed'] as const) : []),
      ...(streams ? (['X-Fairlead-Warnings'] as const) : []),
      ...(session ? (['Set-Cookie'] as const) : []),
      ...(operation.deprecated ? (['Deprecation', 'Sunset'] as const) : []),
    ] satisfies readonly HeaderName[]),
    content: {
      'application/json': media(schema, response),
      ...(streams && { 'text/event-stream': media({ type: 'string', description: chunkEvents }, events) }),
    },
  }
}

const itemEvents = '`message` events, each with an item and its id, then `error` if the stream fails.'
const chunkEvents =
  '`chunk` events, each with a part of the result, then `done` with the whole body, or `error` with the body of an error.'

/** In the cookie mode the refresh token is in a cookie instead. */
function withoutToken(data: SchemaObject, session: Route['session'], schemas: SchemaCollection): SchemaObject {
  if (session === undefined || session === 'ends') return data
  const name = data.$ref?.split('/').at(-1)
  const changed = withoutRequired(schemas.resolve(data), ['refresh_token'])
  return name === undefined ? changed : schemas.add(name, changed)
}
