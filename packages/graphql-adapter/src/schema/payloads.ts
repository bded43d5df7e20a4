import type { Operation } from '@fairlead/core'
import { edgeField } from './edges.ts'
import type { Dynamic, SchemaDraft } from './projection.ts'
import { capitalized, rootFieldName } from './type-names.ts'
import { readFields, readShape } from './zod-shape.ts'

/** The type that a mutation returns: the result of its operation, or the payload that it declares. */
export function mutationType({ builder, projection, names }: SchemaDraft, operation: Operation): Dynamic {
  const { graphql, output } = operation
  const payload = graphql && 'mutation' in graphql ? graphql.payload : undefined
  if (!payload) return projection.outputType(output)
  const { record, loader, fields = [] } = payload
  const result = readShape(output).schema
  const resultFields = new Map(readFields(result))
  const hasRecord = readFields(readShape(loader.output).schema).every(([name]) => resultFields.has(name))
  const name = rootFieldName(operation)
  return builder.objectRef<Record<string, unknown>>(`${capitalized(name)}Payload`).implement({
    description: `The result of \`${name}\`.`,
    fields: (t: Dynamic) => {
      const all = projection.outputFields(t, result)
      const description = `The \`${names.of(readShape(loader.output).schema)}\` record.`
      const type = projection.outputType(loader.output)
      return {
        [record]: hasRecord
          ? t.field({ type, nullable: false, description, resolve: (parent: unknown) => parent })
          : edgeField(t, { description, loader, idOf: ({ id }) => id }, projection),
        ...Object.fromEntries(fields.map((field) => [field, all[field]])),
      }
    },
  })
}
