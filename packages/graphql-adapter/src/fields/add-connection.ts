import type { Operation } from '@fairlead/core'
import type { Dynamic } from '../projection/dynamic.ts'
import { given } from '../projection/given.ts'
import { elementOf, shapeOf } from '../projection/shape.ts'
import { deprecationOf } from './deprecation-of.ts'
import { type Draft, rootField } from './draft.ts'
import { begin, type Begun } from './run-operation.ts'

const defaultLength = 20

/** What Relay calls the fields with which core asks for a page. */
const relayNames: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after' }

/** A field of `Query` for a paged operation: a Relay connection, forwards only, since a page knows only its next one. */
export function addConnection({ builder, projection, names }: Draft, operation: Operation): void {
  const { summary, input, output } = operation
  const record = names.of(shapeOf(elementOf(output)).schema)
  const connection = builder.connectionObject(
    {
      name: `${record}Connection`,
      edgesNullable: false,
      nodeNullable: false,
      type: projection.outputType(elementOf(output)),
      // The length stands in the cost of the whole connection.
      edgesField: { complexity: { field: 1, multiplier: 1 } },
    },
    { name: `${record}Edge` },
  )
  builder.queryField(rootField(operation), (t) => {
    const { limit: first, cursor: after, ...filters } = projection.inputFields(t, input)
    return t.field({
      type: connection,
      nullable: true,
      description: summary,
      ...deprecationOf(operation),
      args: { first, ...(after && { after }), ...filters },
      complexity: ({ first: length }) => ({ field: 1, multiplier: Number(length ?? defaultLength) }),
      resolve: async (_root, { first: limit, after: cursor, ...args }, context) =>
        toConnection(await begin(context, operation, given(input, { ...args, limit, cursor }), { spell: spellPage })),
    })
  })
}

function spellPage(field: string): string {
  return relayNames[field] ?? field
}

function toConnection(reply: Begun): Dynamic {
  if ('events' in reply) throw new Error('a list came as a stream')
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
