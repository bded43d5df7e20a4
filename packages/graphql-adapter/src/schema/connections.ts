import { FairleadError, type Operation } from '@fairlead/core'
import { backwards } from '@fairlead/core/adapter'
import type { GraphqlContext } from '../context.ts'
import type { Dynamic, SchemaDraft } from './projection.ts'
import { readDeprecation } from './root-fields.ts'
import { begin, type Begun } from './run-operation.ts'
import { rootFieldName } from './type-names.ts'
import { toCoreInput } from './core-input.ts'
import { readElement, readShape } from './zod-shape.ts'

const defaultLength = 20

/** Relay's names for the paging fields of core. */
const forwardNames: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after' }
const backwardNames: Readonly<Record<string, string>> = { limit: 'last', cursor: 'before' }

/** Adds the field of `Query` for a paged operation: a Relay connection. */
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
  const { summary, input, graphql } = operation
  const { limit: _limit, cursor: after, ...others } = projection.inputFields(t, input)
  const filters = Object.fromEntries(Object.entries(others).filter(([name]) => !fixed.includes(name)))
  const isBackwards = !(graphql && 'query' in graphql && graphql.backwards === false)
  return t.field({
    type,
    nullable: true,
    description: isBackwards ? summary : `${summary} It can only be paged forwards.`,
    ...readDeprecation(operation),
    args: {
      first: t.arg.int({ description: `Maximum number of records in the page. Default: ${defaultLength}.` }),
      after,
      ...(isBackwards && {
        last: t.arg.int({ description: 'Maximum number of records in the page, from the end of the list.' }),
        before: t.arg.string({ description: 'Cursor of the record after the page. Requires `last`.' }),
      }),
      ...filters,
    },
    complexity: ({ first, last }: Dynamic) => ({ field: 1, multiplier: Number(first ?? last ?? defaultLength) }),
    resolve: async (
      parent: never,
      { first, after: cursor, last, before, ...given }: Dynamic,
      context: GraphqlContext,
    ) => {
      const ofParent = inputOf ? inputOf(parent, context) : {}
      if (!ofParent) return null
      const isFromEnd = isGiven(last)
      const sent = () => {
        checkDirection({ first, after: cursor, last, before })
        const page = isFromEnd
          ? backwards({ ...given, limit: last }, before ?? undefined)
          : { ...given, limit: first, cursor }
        return toCoreInput(input, { ...page, ...ofParent })
      }
      const names = isFromEnd ? backwardNames : forwardNames
      const reply = await begin(context, operation, sent, { spell: (field) => names[field] ?? field })
      return toConnection(reply, isFromEnd, isGiven(isFromEnd ? before : cursor))
    },
  })
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** A page either begins after a record or at the start, or ends before a record or at the end. */
function checkDirection({ first, after, last, before }: Readonly<Record<string, unknown>>): void {
  const wrong = isGiven(last)
    ? (isGiven(first) && ['first', 'cannot be combined with "last"']) ||
      (isGiven(after) && ['after', 'cannot be combined with "last"'])
    : isGiven(before) && ['before', 'requires "last"']
  if (!wrong) return
  const [field = '', issue = ''] = wrong
  throw new FairleadError('INVALID_REQUEST', `${field} ${issue}`, { issues: [{ field, issue }] })
}

/** @param hasOther whether there is a cursor, and so at least one record on its side of the page */
function toConnection(reply: Begun, isFromEnd: boolean, hasOther: boolean): Dynamic {
  if ('events' in reply) throw new Error('a list streamed')
  const records = reply.records?.() ?? []
  const edges = (reply.data as readonly object[]).map((node, index) => {
    const { cursor, version } = records[index] ?? {}
    return { cursor, node: version === undefined ? node : { ...node, version } }
  })
  const { nextCursor = null, hasMore = false } = reply.meta.page ?? {}
  const start = edges[0]?.cursor ?? null
  const end = nextCursor ?? edges.at(-1)?.cursor ?? null
  if (isFromEnd) {
    const pageInfo = { hasNextPage: hasOther, hasPreviousPage: hasMore, startCursor: end, endCursor: start }
    return { edges: edges.toReversed(), pageInfo }
  }
  return { edges, pageInfo: { hasNextPage: hasMore, hasPreviousPage: hasOther, startCursor: start, endCursor: end } }
}
