import type { MutationPayload, Operation } from '@fairlead/core'
import { edgeField } from './edges.ts'
import type { Dynamic, Fields, SchemaDraft } from './projection.ts'
import { capitalized, findRecord, rootFieldName, type TypeNames, uncapitalized } from './type-names.ts'
import { readElement, readFields, readMeta, readShape } from './zod-shape.ts'

/**
 * The type that only this mutation returns, so that fields can be added to it. It has a field for a record, and the fields
 * of any other result, unless the operation declares a payload.
 */
export function payloadType(draft: SchemaDraft, operation: Operation): Dynamic {
  const name = rootFieldName(operation)
  return draft.builder.objectRef<Record<string, unknown>>(`${capitalized(name)}Payload`).implement({
    description: `The result of \`${name}\`.`,
    fields: (t: Dynamic) => payloadFields(t, draft, operation),
  })
}

function payloadFields(t: Dynamic, draft: SchemaDraft, { graphql, output }: Operation): Fields {
  const payload = graphql && 'mutation' in graphql ? graphql.payload : undefined
  if (payload) return declaredFields(t, draft, payload, output)
  const { projection, names, records } = draft
  const { schema, nullable } = readShape(output)
  const type = names.has(schema) ? names.of(schema) : undefined
  if (schema.def.type === 'object' && type !== undefined && !records.has(type)) {
    return projection.outputFields(t, schema)
  }
  const description = readMeta(schema).description ?? 'The result.'
  const field = { type: projection.outputType(output), nullable, description, resolve: (result: unknown) => result }
  return { [type === undefined ? 'result' : uncapitalized(type)]: t.field(field) }
}

function declaredFields(
  t: Dynamic,
  { projection, names }: SchemaDraft,
  { record, loader, type = loader?.output, fields = [] }: MutationPayload,
  output: Operation['output'],
): Fields {
  if (!type) throw new TypeError(`The payload field ${record} has neither a type nor a loader.`)
  const result = readShape(output).schema
  const { schema } = readShape(type)
  const resultFields = new Map(readFields(result))
  const hasRecord = readFields(schema).every(([name]) => resultFields.has(name))
  const all = projection.outputFields(t, result)
  const description = `The \`${names.of(schema)}\` record.`
  return {
    [record]:
      loader && !hasRecord
        ? edgeField(t, { description, loader, idOf: ({ id }) => id }, projection)
        : t.field({
            type: projection.outputType(type),
            nullable: false,
            description,
            resolve: (parent: unknown) => parent,
          }),
    ...Object.fromEntries(fields.map((field) => [field, all[field]])),
  }
}

/** The names of the types that are records: clients also get them from elsewhere, and caches keep them. */
export function recordNames(operations: readonly Operation[], names: TypeNames): ReadonlySet<string> {
  const isRead = ({ kind, graphql }: Operation) => kind !== 'write' || (graphql && 'query' in graphql)
  return new Set(
    operations.filter(isRead).flatMap((operation) => {
      const { schema } = readShape(findRecord(operation))
      const record = schema.def.type === 'array' ? readShape(readElement(schema)).schema : schema
      return names.has(record) ? [names.of(record)] : []
    }),
  )
}
