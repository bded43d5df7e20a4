import type { Operation } from '@fairlead/core'
import type { GraphqlContext } from '../context.ts'
import type { Dynamic, SchemaDraft } from './projection.ts'
import { readDeprecation } from './root-fields.ts'
import { begin, type Begun } from './run-operation.ts'
import { rootFieldName } from './type-names.ts'
import { toCoreInput } from './core-input.ts'
import { readElement, readShape } from './zod-shape.ts'

const defaultLength = 20

/** Relay's names for the paging fields of core. */
const relayNames: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after' }

/** Adds the field of `Query` for a paged operation: a Relay connection, forwards only, as core's pages are. */
export function addConnection(draft: SchemaDraft, operation: Operation): void {
  const type = connectionType(draft, operation)
  draft.builder.queryField(rootFieldName(operation), (t) => connectionField(t, draft, { operation, type }))
}

/** The connection type of a paged operation. */
export function connectionType(
  { builder, projection, names, connections }: SchemaDraft,
  { output }: Operation,
): Dynamic {
  const record = names.of(readShape(readElement(output)).schema)
  const created = connections.get(record)
  if (created) return created
  const type = builder.connectionObject(
    {
      name: `${record}Connection`,
      description: `A page of \`${record}\` records.`,
      edgesNullable: false,
      nodeNullable: false,
      type: projection.outputType(readElement(output)),
      // The cost of the root field includes the length.
      edgesField: { description: 'The records with their cursors.', complexity: { field: 1, multiplier: 1 } },
    },
    {
      name: `${record}Edge`,
      description: `An edge of \`${record}Connection\`.`,
    },
  )
  connections.set(record, type)
  return type
}

interface Connection {
  readonly operation: Operation
  readonly type: Dynamic
  /** Input that the parent determines; its fields are not arguments. Undefined for a field that is null. */
  readonly inputOf?: (parent: never, context: GraphqlContext) => object | undefined
  readonly fixed?: readonly string[]
}

/** A field with a page of a list. */
export function connectionField(t: Dynamic, { projection }: SchemaDraft, connection: Connection): Dynamic {
  const { operation, type, inputOf, fixed = [] } = connection
  const { summary, input } = operation
  const { limit: first, cursor: after, ...others } = projection.inputFields(t, input)
  const filters = Object.fromEntries(Object.entries(others).filter(([name]) => !fixed.includes(name)))
  return t.field({
    type,
    nullable: true,
    description: summary,
    ...readDeprecation(operation),
    args: { first, after, ...filters },
    complexity: ({ first: length }: Dynamic) => ({ field: 1, multiplier: Number(length ?? defaultLength) }),
    resolve: async (parent: never, { first: limit, after: cursor, ...args }: Dynamic, context: GraphqlContext) => {
      const ofParent = inputOf ? inputOf(parent, context) : {}
      if (!ofParent) return null
      const sent = toCoreInput(input, { ...args, ...ofParent, limit, cursor })
      return toConnection(await begin(context, operation, sent, { spell: (field) => relayNames[field] ?? field }))
    },
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
