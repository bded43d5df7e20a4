import type { ErrorCode, Operation } from '@fairlead/core'
import { errorCodes, type FairleadCore } from '@fairlead/core/adapter'
import type { GraphQLSchema } from 'graphql'
import { type Builder, createBuilder } from './builder.ts'
import { addConnection } from './connections.ts'
import { addNodes } from './nodes.ts'
import { recordNames } from './payloads.ts'
import { createProjection, type Projection, type SchemaDraft } from './projection.ts'
import { recordTypes } from './record-types.ts'
import { addMutation, addQuery } from './root-fields.ts'
import { runOperation } from './run-operation.ts'
import { addItems, addSubscription } from './subscriptions.ts'
import { collectTypeNames, findRecord } from './type-names.ts'

/** Builds a schema with a root field for each operation that declares one. Its context value is a `GraphqlContext`. */
export function buildSchema({
  edges,
  operations,
  scopes,
}: Pick<FairleadCore, 'edges' | 'operations' | 'scopes'>): GraphQLSchema {
  const offered = operations.filter(({ graphql }) => graphql)
  const names = collectTypeNames(offered)
  const builder = createBuilder()
  const makeRecord = recordTypes(builder, { edges, operations: offered }, names, () => draft)
  const projection: Projection = createProjection(builder, names, makeRecord, scopes)
  const records = recordNames(offered, names)
  const draft: SchemaDraft = { builder, projection, names, records, connections: new Map() }
  addErrorCodes(builder)
  for (const operation of offered) addOperation(draft, operation)
  const user = offered.find(({ name }) => name === 'user')
  if (user) addMe(draft, user)
  addNodes(builder, offered, names)
  return builder.toSchema()
}

function addOperation(draft: SchemaDraft, operation: Operation): void {
  const { graphql, paged } = operation
  if (operation.kind === 'subscription') return addItems(draft, operation)
  if (graphql && 'query' in graphql) return paged ? addConnection(draft, operation) : addQuery(draft, operation)
  addMutation(draft, operation)
  if (operation.kind === 'action' && operation.stream) addSubscription(draft, operation)
}

/** The codes in `errors[].extensions.code`, which GraphQL does not type. */
function addErrorCodes(builder: Builder): void {
  builder.enumType('ErrorCode', {
    description: 'The codes of errors, as in `errors[].extensions.code`.',
    values: Object.fromEntries(errorCodes.map((code) => [code, { description: errorCodeMeanings[code] }])),
  })
}

const errorCodeMeanings: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: 'The request is malformed or has invalid fields: `details.issues` lists each.',
  CONTENT_REFUSED: 'The provider rejected the content.',
  UNAUTHORIZED: 'The credential is missing, malformed, unknown, revoked or expired.',
  FORBIDDEN: 'The credential is not allowed to do this.',
  NOT_FOUND: 'The record does not exist, or the caller may not read it.',
  METHOD_NOT_ALLOWED: 'The HTTP method is not allowed.',
  CONFLICT: 'The request conflicts with the current state.',
  PRECONDITION_FAILED: 'The version of the record is not `ifVersion`.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not `application/json` in UTF-8, or has a `Content-Encoding`.',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was used for another request.',
  QUOTA_EXCEEDED: 'The monthly quota is used up, or the account keeps as many images as it may.',
  RATE_LIMIT_EXCEEDED: 'Too many requests in a short time. Retry after `retryAfterMs`.',
  BUDGET_EXCEEDED: 'A budget of the API key or the user has no room for the request.',
  INTERNAL_ERROR: 'Internal server error.',
  PROVIDER_ERROR: 'The provider failed.',
  PROVIDER_TIMEOUT: 'The provider did not respond in time.',
  PROVIDER_UNAVAILABLE: 'The provider is busy or unavailable.',
  SERVICE_UNAVAILABLE: 'The service or one of its dependencies is busy or unavailable.',
}

/** `user` for the caller, which REST has as `/users/me`. */
function addMe({ builder, projection }: SchemaDraft, user: Operation): void {
  builder.queryField('me', (t) =>
    t.field({
      type: projection.outputType(findRecord(user)),
      nullable: true,
      description: 'Returns the caller.',
      resolve: (_root, _args, context) => runOperation(context, user, { id: 'me' }),
    }),
  )
}
