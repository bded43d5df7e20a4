import { FairleadError } from '@fairlead/core'
import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import DataloaderPlugin from '@pothos/plugin-dataloader'
import RelayPlugin from '@pothos/plugin-relay'
import type { GraphqlContext } from './context.ts'
import { toGraphqlError } from './error-extensions.ts'
import { type Scalars, scalars } from './scalars.ts'

/** How long a list is taken to be where nothing bounds it. */
const defaultListMultiplier = 10

interface SchemaTypes {
  Context: GraphqlContext
  Scalars: Scalars
  DefaultEdgesNullability: false
  DefaultNodeNullability: false
}

export type Builder = PothosSchemaTypes.SchemaBuilder<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>>

/** A builder with the three root types, the scalars and the plugins, and no field yet. */
export function createBuilder(nodeTypes: Readonly<Record<string, string>>): Builder {
  const typenames = new Map(Object.entries(nodeTypes))
  const builder = new SchemaBuilder<SchemaTypes>({
    plugins: [RelayPlugin, DataloaderPlugin, ComplexityPlugin],
    relay: {
      // Our ids are unique among all records by themselves, and are the same ones that REST has.
      encodeGlobalID: (_typename, id) => String(id),
      decodeGlobalID: (id) => ({ typename: typenames.get(id.slice(0, id.indexOf('_'))) ?? '', id }),
      nodesQueryOptions: false,
      nodeQueryOptions: {
        description: 'Finds a record by its id, whatever it is.',
        resolve(_root, { id }, { core, requestId }, _info, resolveNode) {
          if (id.typename !== '') return resolveNode(id)
          const nothing = new FairleadError('NOT_FOUND', 'Record not found.')
          throw toGraphqlError(core.refuse(nothing, { requestId }))
        },
      },
    },
    // What an operation costs is found before it runs, so that fields need not look.
    complexity: { defaultListMultiplier, disabled: true },
  })
  builder.queryType({})
  builder.mutationType({})
  builder.subscriptionType({})
  builder.scalarType('DateTime', scalars.DateTime)
  builder.scalarType('SafeInt', scalars.SafeInt)
  builder.scalarType('StringMap', scalars.StringMap)
  return builder
}
