import { type ErrorCode, errorCodes, errorsOf, type Operation, takesIdempotencyKey } from '@fairlead/core'
import type { Route } from '../routes.ts'
import { operationExample } from './examples.ts'
import type { FailureResponses } from './failure-responses.ts'
import type { OperationObject, ParameterObject, Reference, SchemaObject } from './openapi-object.ts'
import { type RequestFields, requestFields } from './request-fields.ts'
import type { SchemaCollection } from './schema-collection.ts'
import type { SectionOf } from './sections.ts'
import { successResponse } from './success-response.ts'

export interface OperationForm {
  /** Whether the result's own fields stand at the top level too. */
  readonly hoist: boolean
}

export interface Parts {
  readonly schemas: SchemaCollection
  readonly failures: FailureResponses
  readonly sectionOf: SectionOf
}

/** Describes what one route does, as its declaration says. */
export function operationObject(route: Route, { hoist }: OperationForm, parts: Parts): OperationObject {
  const { operation, path } = route
  const operationId = hoist ? `${operation.name}QuickStart` : operation.name
  const fields = requestFields(route, parts.schemas)
  return {
    operationId,
    tags: [parts.sectionOf(path).name],
    summary: hoist ? `${operation.summary.replace(/\.$/, '')}, in the quick-start form.` : operation.summary,
    ...describedAs(operation),
    ...(operation.deprecated && { deprecated: true }),
    security: securityOf(route),
    ...parametersOf(route, fields),
    ...(fields.body && { requestBody: requestBodyOf(operationId, fields) }),
    responses: {
      [operation.creates ? '201' : '200']: successResponse(route, { operationId, hoist }, parts.schemas),
      ...parts.failures.describe(errorsOfRoute(route)),
    },
  }
}

function describedAs({ access, metered, deprecated }: Operation): { readonly description?: string } {
  const sentences = [
    'anonymous' in access ? 'Needs no credential.' : `Needs the scope \`${access.scope}\`.`,
    ...('role' in access ? [`For users of the role \`${access.role}\`.`] : []),
    metered ? 'A success takes one unit of the quota.' : 'Free of charge.',
    ...(deprecated
      ? [`Deprecated since ${deprecated.since}, gone from ${deprecated.sunset}: use \`${deprecated.instead}\` instead.`]
      : []),
  ]
  return { description: sentences.join(' ') }
}

const bearer = { bearer: [] }
const cookie = { sessionCookie: [] }

function securityOf({ operation, session }: Route): OperationObject['security'] {
  if (!('anonymous' in operation.access)) return [bearer]
  if (session === 'continues') return [{}, cookie]
  return session === 'ends' ? [bearer, cookie, {}] : []
}

/** What core may refuse, and what this transport does: bodies that it can't read, and cookies from elsewhere. */
function errorsOfRoute({ operation, method, session }: Route): readonly ErrorCode[] {
  const found = new Set(errorsOf(operation))
  // A key is taken in the header of a POST alone.
  if (method !== 'POST') found.delete('IDEMPOTENCY_KEY_REUSED')
  if (method !== 'POST' && !operation.errors?.includes('CONFLICT')) found.delete('CONFLICT')
  if (method === 'POST' || method === 'PUT') found.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE')
  if (session === 'continues' || session === 'ends') found.add('FORBIDDEN')
  return errorCodes.filter((code) => found.has(code))
}

function parametersOf({ method, operation }: Route, { parameters }: RequestFields) {
  const all: (ParameterObject | Reference)[] = [...parameters]
  if (method === 'POST' && takesIdempotencyKey(operation)) all.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (operation.errors?.includes('PRECONDITION_FAILED')) all.push({ $ref: '#/components/parameters/IfMatch' })
  return all.length > 0 ? { parameters: all } : {}
}

function requestBodyOf(operationId: string, { body, bodyRequired }: RequestFields) {
  const { request } = operationExample(operationId)
  const media = { schema: body as SchemaObject, ...(request !== undefined && { example: request }) }
  return { required: bodyRequired, content: { 'application/json': media } }
}
