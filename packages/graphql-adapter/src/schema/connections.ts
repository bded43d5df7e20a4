import type { Operation } from '@fairlead/core'
import type { Dynamic } from './projection.ts'
import { deprecationOf, type SchemaDraft } from './root-fields.ts'
import { begin, type Begun } from './run-operation.ts'
import { rootFieldName } from './type-names.ts'
import { elementOf, shapeOf, toCoreInput } from './zod-shape.ts'

const defaultLength = 20

/** Relay's names for the paging fields of core. */
const relayNames: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after' }

/** Adds the field of `Query` for a paged operation: a Relay connection, forwards only, as core's pages are. */
export function addConnection({ builder, projection, names }: SchemaDraft, operation: Operation): void {
  const { summary, input, output } = operation
  const record = names.of(shapeOf(elementOf(output)).schema)
  const connection = builder.connectionObject(
    {
      name: `${record}Connection`,
      edgesNullable: false,
      nodeNullable: false,
      type: projection.outputType(elementOf(output)),
      // The cost of the root field includes the length.
      edgesField: { complexity: { field: 1, multiplier: 1 } },
    },
    { name: `${record}Edge` },
  )
  builder.queryField(rootFieldName(operation), (t) => {
    const { limit: first, cursor: after, ...filters } = projection.inputFields(t, input)
    return t.field({
      type: connection,
      nullable: true,
      description: summary,
      ...deprecationOf(operation),
      args: { first, ...(after && { after }), ...filters },
      complexity: ({ first: length }) => ({ field: 1, multiplier: Number(length ?? defaultLength) }),
      resolve: async (_root, { first: limit, after: cursor, ...args }, context) => {
        const sent = toCoreInput(input, { ...args, limit, cursor })
        return toConnection(await begin(context, operation, sent, { spell: (field) => relayNames[field] ?? field }))
      },
    })
  })
}

function toConnection(reply: Begun): Dynamic {
  if ('events' in reply) throw new Error('a list streamed')
  const records = reply.records?.() ?? []
  const edges = (reply.data as readonly object[]).map((node, index) => {
    const { cursor, version } = records[index] ?? {}
    return { cursor, node: version === undefined ? node : { ...node, version } }
  })
  const { nextCursor = null, hasMore = false } = reply.meta.page ?? {}
  return {
    edges,
    pageInfo: {
      hasNextPage: hasMore,
      hasPreviousPage: false,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: nextCursor ?? edges.at(-1)?.cursor ?? null,
    },
  }
}
