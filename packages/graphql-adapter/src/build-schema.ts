import type { Operation } from '@fairlead/core'
import { type GraphQLSchema, isObjectType } from 'graphql'
import { createBuilder } from './builder.ts'
import { addConnection } from './fields/add-connection.ts'
import { addMutation } from './fields/add-mutation.ts'
import { addQuery } from './fields/add-query.ts'
import { addStream } from './fields/add-stream.ts'
import type { Draft } from './fields/draft.ts'
import { nodeTypes, recordTypes } from './fields/records.ts'
import { runOperation } from './fields/run-operation.ts'
import { createProjection, type Projection } from './projection/projection.ts'
import { capitalized, collectTypeNames } from './projection/type-names.ts'

/** The schema of some operations: a root field for each that declares one. Fields run with their `GraphqlContext`. */
export function buildSchema(operations: readonly Operation[]): GraphQLSchema {
  const offered = operations.filter(({ graphql }) => graphql)
  const names = collectTypeNames(offered)
  const nodes = nodeTypes(offered, names)
  const builder = createBuilder(nodes)
  const projection: Projection = createProjection(
    builder,
    names,
    recordTypes(builder, offered, names, () => projection),
  )
  const draft: Draft = { builder, projection, names }
  for (const operation of offered) addOperation(draft, operation)
  const user = offered.find(({ name }) => name === 'user')
  if (user) addMe(draft, user)
  return withPlainIds(builder.toSchema(), Object.values(nodes))
}

function addOperation(draft: Draft, operation: Operation): void {
  const { graphql, paged, output } = operation
  if (graphql && 'query' in graphql) return paged ? addConnection(draft, operation) : addQuery(draft, operation)
  draft.projection.outputType(output)
  draft.names.set(operation.input, capitalized(operation.name))
  addMutation(draft, operation)
  if (operation.kind === 'inference' && operation.stream) addStream(draft, operation)
}

/** `user` for the caller: GraphQL has no path in which `me` could stand. */
function addMe({ builder, projection }: Draft, user: Operation): void {
  builder.queryField('me', (t) =>
    t.field({
      type: projection.outputType(user.output),
      nullable: true,
      description: 'Returns the caller.',
      resolve: (_root, _args, context) => runOperation(context, user, { id: 'me' }),
    }),
  )
}

/**
 * The Relay plugin awaits each id in order to encode it. Our ids are the same everywhere: a page of twenty records takes a
 * third of the time when they are read like any other field.
 */
function withPlainIds(schema: GraphQLSchema, nodes: readonly string[]): GraphQLSchema {
  for (const name of nodes) {
    const type = schema.getType(name)
    const id = isObjectType(type) ? type.getFields()['id'] : undefined
    if (!id) throw new TypeError(`The type ${name} has no id.`)
    id.resolve = undefined
  }
  return schema
}
