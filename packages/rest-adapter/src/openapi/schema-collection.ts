import { scopeName, toSnakeCase } from '@fairlead/core/adapter'
import { isObject } from '@fairlead/core/provider'
import * as z from 'zod'
import type { SchemaObject } from './openapi-object.ts'

/** Which side of a schema is described: what may be sent, or what is answered. */
type Side = 'input' | 'output'

const home = '#/components/schemas/'

export type SchemaCollection = ReturnType<typeof schemaCollection>

/**
 * Turns zod schemas into OpenAPI 3.0 schemas with wire names. Schemas with an id are collected once each.
 *
 * @param scopes the values of a scope. Default: none
 */
export function schemaCollection(scopes: readonly string[] = []) {
  const collected = new Map<string, SchemaObject>()
  return {
    describe(schema: z.ZodType, side: Side): SchemaObject {
      // zod refers to a schema with an id only inside another schema.
      const { definitions = {}, properties } = jsonSchema(z.object({ it: schema }), side, scopes)
      for (const [id, definition] of Object.entries(definitions))
        collected.set(schemaName(id, side), converted(definition, side))
      return converted(properties?.['it'] ?? {}, side)
    },
    /** Adds a schema under a name; answers with a reference to it. */
    add(name: string, schema: SchemaObject): SchemaObject {
      collected.set(name, schema)
      return { $ref: home + name }
    },
    /** The schema that a reference refers to; any other schema is returned itself. */
    resolve: (schema: SchemaObject) =>
      schema.$ref === undefined ? schema : (collected.get(schema.$ref.slice(home.length)) ?? schema),
    /** All collected schemas, in the order of their names. */
    all: () => Object.fromEntries([...collected].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

type Converted = SchemaObject & { readonly definitions?: Readonly<Record<string, SchemaObject>> }

/** Throws at what JSON can't say, such as a transformation or a date: it has no place in a declaration. */
function jsonSchema(schema: z.ZodType, io: Side, scopes: readonly string[]): Converted {
  return z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    override({ zodSchema, jsonSchema: written }) {
      if (zodSchema === scopeName && scopes.length > 0) written.enum = [...scopes]
    },
  }) as Converted
}

/** A type whose input has optional fields that an answer always has becomes two schemas. */
function schemaName(id: string, side: Side): string {
  return side === 'input' ? `${id}Input` : id
}

/** The one place for what zod writes and OpenAPI 3.0 reads otherwise. */
function converted(schema: SchemaObject, side: Side): SchemaObject {
  const { $ref, allOf, ...others } = schema
  if ($ref !== undefined) return { $ref: home + schemaName($ref.replace('#/definitions/', ''), side) }
  if (allOf) return referenceWithKeywords(allOf, others, side)
  const idle = new Set(idleKeywords(others, side))
  const kept: SchemaObject = Object.fromEntries(Object.entries(others).filter(([keyword]) => !idle.has(keyword)))
  return {
    ...kept,
    ...(kept.type === 'integer' && { format: 'int64' }),
    // A null has to be among the values where they are listed.
    ...(kept.nullable && kept.enum && { enum: [...kept.enum, null] }),
    ...convertedMembers(kept, side),
  }
}

/** Keywords that OpenAPI 3.0 doesn't have, or that say nothing. */
function idleKeywords({ type, format, minimum, maximum, additionalProperties }: SchemaObject, side: Side): string[] {
  return [
    'id',
    '$id',
    // The bounds of JavaScript's own integers.
    ...(type === 'integer' && minimum === Number.MIN_SAFE_INTEGER ? ['minimum'] : []),
    ...(type === 'integer' && maximum === Number.MAX_SAFE_INTEGER ? ['maximum'] : []),
    // The format says what the long pattern beside it does.
    ...(format === 'date-time' ? ['pattern'] : []),
    // Answers may have more fields one day; a request with an unknown field is refused.
    ...(side === 'output' && additionalProperties === false ? ['additionalProperties'] : []),
  ]
}

/** OpenAPI 3.0 ignores the keywords beside a `$ref`, so zod wraps it. Validators do not agree on nullability then. */
function referenceWithKeywords(allOf: readonly SchemaObject[], beside: SchemaObject, side: Side): SchemaObject {
  if (beside.nullable) throw new Error('a schema with an id may not be nullable: remove its id')
  const [only = {}, ...others] = allOf.map((part) => converted(part, side))
  const bare = Object.keys(beside).length === 0 && others.length === 0
  return bare ? only : { ...beside, allOf: [only, ...others] }
}

function convertedMembers({ properties, required, ...others }: SchemaObject, side: Side): SchemaObject {
  const convert = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(convert) : isObject(value) ? converted(value, side) : value
  const nested = (['additionalProperties', 'items', 'oneOf', 'anyOf'] as const).filter((keyword) => others[keyword])
  return {
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [toSnakeCase(name), converted(member, side)]),
      ),
    }),
    ...(required && { required: required.map(toSnakeCase) }),
    ...Object.fromEntries(nested.map((keyword) => [keyword, convert(others[keyword])])),
  }
}
