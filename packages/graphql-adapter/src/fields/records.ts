import type { Operation } from '@fairlead/core'
import type { Builder } from '../builder.ts'
import type { Dynamic } from '../projection/dynamic.ts'
import type { Fields, MakeRecord, Projection } from '../projection/projection.ts'
import { shapeOf } from '../projection/shape.ts'
import type { TypeNames } from '../projection/type-names.ts'
import { addCallMeta } from './call-meta.ts'
import { edgesOf } from './edges.ts'
import { runOperation } from './run-operation.ts'

/**
 * Makes the object types of records: the fields of their schema; `meta` on results of model calls; `version` on versioned
 * records; and the edges to other records. A record whose operation declares `node` can be found by `node(id:)`.
 */
export function recordTypes(
  builder: Builder,
  operations: readonly Operation[],
  names: TypeNames,
  projection: () => Projection,
): MakeRecord {
  const nodes = new Map<string, Operation>()
  const results = new Set<string>()
  const versioned = new Set<string>()
  for (const operation of operations) {
    const { schema } = shapeOf(operation.output)
    if (schema.def.type !== 'object') continue
    const name = names.of(schema)
    if (operation.kind === 'inference') results.add(name)
    if (operation.versioned) versioned.add(name)
    if (operation.graphql && 'node' in operation.graphql) nodes.set(name, operation)
  }
  const meta = addCallMeta(builder)

  return (name, schema, described) => {
    const description = described === undefined ? {} : { description: described }
    const fields = (t: Dynamic): Fields => ({
      ...projection().outputFields(t, schema),
      ...(versioned.has(name) && { version: versionField(t) }),
      ...edgesOf(name, t, operations, projection()),
      ...(results.has(name) && meta(t)),
    })
    const node = nodes.get(name)
    if (!node) return builder.objectRef<Record<string, unknown>>(name).implement({ ...description, fields })
    return builder.node(builder.objectRef<{ readonly id: string }>(name), {
      ...description,
      id: { resolve: ({ id }) => id },
      loadOne: (id, context) => runOperation(context, node, { id }) as Promise<{ readonly id: string }>,
      fields: (t) => {
        const { id: _id, ...others } = fields(t) as { readonly id: Dynamic }
        return others
      },
    })
  }
}

/** The type names of nodes, by the prefix of their ids. */
export function nodeTypes(operations: readonly Operation[], names: TypeNames): Readonly<Record<string, string>> {
  return Object.fromEntries(
    operations.flatMap(({ graphql, output }) =>
      graphql && 'node' in graphql && graphql.node ? [[graphql.node, names.of(shapeOf(output).schema)]] : [],
    ),
  )
}

function versionField(t: Dynamic): Dynamic {
  return t.field({
    type: 'SafeInt',
    nullable: true,
    description: 'The number of changes, for `ifVersion`. Null where the record is part of another result.',
    resolve: ({ version }: { readonly version?: number }) => version ?? null,
  })
}
