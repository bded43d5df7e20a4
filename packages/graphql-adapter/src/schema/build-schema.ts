import type { Operation } from '@fairlead/core'
import type { GraphQLSchema } from 'graphql'
import { createBuilder } from './builder.ts'
import { addConnection } from './connections.ts'
import { addNode } from './nodes.ts'
import { createProjection, type Projection } from './projection.ts'
import { recordTypes } from './record-types.ts'
import { addMutation, addQuery, type SchemaDraft } from './root-fields.ts'
import { runOperation } from './run-operation.ts'
import { addSubscription } from './subscriptions.ts'
import { collectTypeNames } from './type-names.ts'

/** Builds a schema with a root field for each operation that declares one. Its context value is a `GraphqlContext`. */
export function buildSchema(operations: readonly Operation[]): GraphQLSchema {
  const offered = operations.filter(({ graphql }) => graphql)
  const names = collectTypeNames(offered)
  const builder = createBuilder()
  const makeRecord = recordTypes(builder, offered, names, () => projection)
  const projection: Projection = createProjection(builder, names, makeRecord)
  const draft: SchemaDraft = { builder, projection, names }
  for (const operation of offered) addOperation(draft, operation)
  const user = offered.find(({ name }) => name === 'user')
  if (user) addMe(draft, user)
  addNode(builder, offered, names)
  return builder.toSchema()
}

function addOperation(draft: SchemaDraft, operation: Operation): void {
  const { graphql, paged } = operation
  if (graphql && 'query' in graphql) return paged ? addConnection(draft, operation) : addQuery(draft, operation)
  addMutation(draft, operation)
  if (operation.kind === 'inference' && operation.stream) addSubscription(draft, operation)
}

/** `user` for the caller, which REST has as `/users/me`. */
function addMe({ builder, projection }: SchemaDraft, user: Operation): void {
  builder.queryField('me', (t) =>
    t.field({
      type: projection.outputType(user.output),
      nullable: true,
      description: 'Returns the caller.',
      resolve: (_root, _args, context) => runOperation(context, user, { id: 'me' }),
    }),
  )
}
