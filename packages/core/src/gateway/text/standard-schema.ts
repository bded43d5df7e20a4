import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { invalidRequest, type Issue } from '../../runtime/errors.ts'
import type { JsonSchema } from '../messages/message.ts'

/**
 * A schema of any library that follows [Standard Schema](https://standardschema.dev) and gives its JSON schema: zod 4 and
 * arktype as they are, `toStandardJsonSchema(schema)` of `@valibot/to-json-schema`, and `z.toJSONSchema(schema)` for
 * `zod/mini`.
 */
export type StandardSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>

/** The type of a value that a schema has parsed. */
export type InferOutput<Schema extends StandardSchema> = StandardSchemaV1.InferOutput<Schema>

/** A schema may be a function: arktype's are. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  return ((typeof schema === 'object' && schema !== null) || typeof schema === 'function') && '~standard' in schema
}

/**
 * The JSON schema of the values that a schema takes. Throws `INVALID_REQUEST` if it has none.
 *
 * @param field where the schema is in the input
 */
export function toJsonSchema(schema: JsonSchema | StandardSchema, field: string): JsonSchema {
  // A JSON schema that zod made is a Standard Schema too.
  if (!isStandardSchema(schema) || '$schema' in schema) return schema as JsonSchema
  const { vendor, jsonSchema } = schema['~standard'] as Partial<StandardSchema['~standard']>
  if (!jsonSchema)
    throw invalidRequest({ field, issue: `has no JSON schema, which the model needs; ${fixFor(vendor)}` })
  try {
    return jsonSchema.input({ target: 'draft-2020-12' })
  } catch (error) {
    throw invalidRequest({ field, issue: `cannot be expressed as a JSON schema: ${(error as Error).message}` })
  }
}

function fixFor(vendor: string | undefined): string {
  if (vendor === 'valibot') return 'pass toStandardJsonSchema(schema) of @valibot/to-json-schema'
  if (vendor === 'zod') return 'pass z.toJSONSchema(schema), or use zod 4.2 or later'
  return 'pass a schema with "~standard.jsonSchema", such as one of zod 4 or arktype'
}

/** Issues of a library as ours. An issue of the whole value has no field. */
export function toIssues(issues: readonly StandardSchemaV1.Issue[]): readonly Issue[] {
  return issues.map(({ path = [], message }) => {
    const keys = path.map((part) => String(typeof part === 'object' ? part.key : part))
    return { field: keys.length > 0 ? keys.join('.') : null, issue: message }
  })
}
