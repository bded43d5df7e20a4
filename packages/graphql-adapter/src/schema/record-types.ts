import type { FairleadCore } from '@fairlead/core/adapter'
import type { Builder } from './builder.ts'
import { edgeFields } from './edges.ts'
import { isNode } from './nodes.ts'
import type { Dynamic, Fields, MakeRecord, SchemaDraft } from './projection.ts'
import type { CallMeta } from './run-operation.ts'
import { findRecord, type TypeNames } from './type-names.ts'
import { userFields } from './user-fields.ts'
import { readShape } from './zod-shape.ts'

/**
 * Creates the object types of records: the fields of their schema, `meta` for results of model calls, `version` for
 * versioned records, and the edges to other records.
 */
export function recordTypes(
  builder: Builder,
  { edges, operations }: Pick<FairleadCore, 'edges' | 'operations'>,
  names: TypeNames,
  draft: () => SchemaDraft,
): MakeRecord {
  const nodes = new Set<string>()
  const results = new Set<string>()
  const versioned = new Set<string>()
  for (const operation of operations) {
    const { schema } = readShape(findRecord(operation))
    if (schema.def.type !== 'object') continue
    const name = names.of(schema)
    if (operation.kind === 'action') results.add(name)
    if (operation.versioned) versioned.add(name)
    if (isNode(operation)) nodes.add(name)
  }
  const metaField = addCallMeta(builder)

  return (name, schema, text) => {
    const description = text === undefined ? {} : { description: text }
    const fields = (t: Dynamic): Fields => ({
      ...draft().projection.outputFields(t, schema),
      ...(versioned.has(name) && { version: versionField(t) }),
      ...edgeFields(edges, name, t, names, draft().projection),
      ...(name === 'User' && userFields(t, draft(), operations)),
      ...(results.has(name) && { meta: metaField(t) }),
    })
    if (!nodes.has(name)) return builder.objectRef<Record<string, unknown>>(name).implement({ ...description, fields })
    const interfaces = [builder.nodeInterfaceRef()]
    return builder.objectRef<Record<string, unknown>>(name).implement({ ...description, interfaces, fields })
  }
}

function versionField(t: Dynamic): Dynamic {
  return t.field({
    type: 'Int',
    nullable: true,
    description: 'Version of the record, for `ifVersion`. Null if the record is part of another result.',
    resolve: ({ version }: { readonly version?: number }) => version ?? null,
  })
}

/** Creates the type `CallMeta`. Returns a function that creates the field `meta`. */
function addCallMeta(builder: Builder): (t: Dynamic) => Dynamic {
  const warning = builder.objectRef<NonNullable<CallMeta['warnings']>[number]>('Warning').implement({
    description: 'A warning about a call, such as a setting that the model does not support.',
    fields: (t) => ({
      field: t.exposeString('field', { description: 'The input field, or null.' }),
      issue: t.exposeString('issue', { nullable: false, description: 'The warning.' }),
    }),
  })
  const meta = builder.objectRef<CallMeta>('CallMeta').implement({
    description: 'Metadata of a model call.',
    fields: (t) => ({
      requestId: t.exposeString('requestId', { nullable: false, description: 'The id of the request.' }),
      originalRequestId: t.exposeString('originalRequestId', {
        description: 'Of a replay: the id of the request whose stored response this is.',
      }),
      timestamp: t.expose('timestamp', { type: 'DateTime', nullable: false, description: 'When the request began.' }),
      provider: t.exposeString('provider', { description: 'The provider that responded.' }),
      costUsd: t.exposeFloat('costUsd', { description: 'The cost in US dollars.' }),
      cached: t.exposeBoolean('cached', { description: 'Whether the response came from the cache.' }),
      attempts: t.exposeInt('attempts', { description: 'Number of calls to providers.' }),
      warnings: t.field({
        type: [warning],
        nullable: false,
        description: 'Warnings, such as settings that the model does not support.',
        resolve: ({ warnings }) => warnings ?? [],
      }),
      replayed: t.exposeBoolean('replayed', {
        nullable: false,
        description: 'Whether this is a replay of an earlier request with the same `idempotencyKey`.',
      }),
    }),
  })
  return (t) =>
    t.field({
      type: meta,
      nullable: false,
      description: 'Metadata of the model call.',
      resolve: (result: { readonly meta: CallMeta }) => result.meta,
    })
}
