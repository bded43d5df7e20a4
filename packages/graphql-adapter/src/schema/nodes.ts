import DataLoader from 'dataloader'
import type { Found, Operation } from '@fairlead/core'
import * as z from 'zod'
import type { GraphqlContext } from '../context.ts'
import type { Builder } from './builder.ts'
import { withVersion } from './edges.ts'
import { begin } from './run-operation.ts'
import { findRecord, type TypeNames } from './type-names.ts'
import { readShape } from './zod-shape.ts'

/** A type whose records `node(id:)` and `nodes(ids:)` find. */
interface NodeType {
  readonly name: string
  /** Loads many of its records at once, under the operation that returns one. */
  readonly load: Operation
}

/** Adds `Query.node` and `Query.nodes`. All records of a document are loaded together, and cost one unit. */
export function addNodes(builder: Builder, operations: readonly Operation[], names: TypeNames): void {
  const types = new Map<string, NodeType>()
  for (const operation of operations) {
    const source = findSource(operation)
    if (source)
      types.set(source.prefix, { name: names.of(readShape(findRecord(operation)).schema), load: batch(operation) })
  }
  if (types.size === 0) return
  const loaders = new WeakMap<GraphqlContext, DataLoader<string, unknown>>()
  const findLoader = (context: GraphqlContext) => {
    let loader = loaders.get(context)
    if (!loader) loaders.set(context, (loader = new DataLoader((ids) => loadNodes(context, types, ids))))
    return loader
  }
  builder.queryField('node', (t) =>
    t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description: 'Returns the record with this id, of any type. Null for an unknown id.',
      args: { id: t.arg({ type: 'ID', required: true, description: 'Id of a record.' }) },
      resolve: (_root, { id }, context) => findLoader(context).load(id),
    }),
  )
  builder.queryField('nodes', (t) =>
    t.field({
      type: [builder.nodeInterfaceRef()],
      nullable: { list: false, items: true },
      description: 'Returns the records with these ids, of any type, in their order. Null for an unknown id.',
      args: { ids: t.arg({ type: ['ID'], required: true, description: 'Ids of records.' }) },
      complexity: ({ ids }) => ({ field: 1, multiplier: ids.length }),
      resolve: (_root, { ids }, context) => ids.map((id) => findLoader(context).load(id)),
    }),
  )
}

export function isNode(operation: Operation): boolean {
  return findSource(operation) !== undefined
}

function findSource({ graphql }: Operation) {
  return graphql && 'query' in graphql ? graphql.node : undefined
}

function batch(operation: Operation): Operation {
  const loader = findSource(operation)?.loader
  if (!loader) throw new TypeError(`${operation.name} has no loader`)
  return {
    name: operation.name,
    summary: operation.summary,
    kind: 'read',
    access: loader.access,
    metered: operation.metered,
    input: z.strictObject({ ids: z.array(z.string()) }),
    output: z.array(z.unknown()),
    async run(services, call, input) {
      const { ids } = input as { readonly ids: readonly string[] }
      const found = await loader.find(services, call, ids)
      return ids.map((id) => found.get(id))
    },
  }
}

async function loadNodes(
  context: GraphqlContext,
  types: ReadonlyMap<string, NodeType>,
  ids: readonly string[],
): Promise<readonly unknown[]> {
  const loaded = new Map<string, unknown>()
  let isCharged = false
  for (const [prefix, ofType] of Map.groupBy(ids, (id) => id.slice(0, id.indexOf('_')))) {
    const type = types.get(prefix)
    if (!type) continue
    try {
      const reply = await begin(context, isCharged ? { ...type.load, metered: false } : type.load, { ids: ofType })
      if ('events' in reply) throw new Error(`${type.load.name} streamed`)
      isCharged ||= type.load.metered
      for (const [index, record] of (reply.data as readonly (Found<object> | undefined)[]).entries()) {
        if (record) loaded.set(ofType[index] ?? '', { ...withVersion(record), __typename: type.name })
      }
    } catch (error) {
      for (const id of ofType) loaded.set(id, error)
    }
  }
  return ids.map((id) => loaded.get(id) ?? null)
}
