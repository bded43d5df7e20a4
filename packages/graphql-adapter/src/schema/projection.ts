import { scopeName } from '@fairlead/core/adapter'
import type * as z from 'zod'
import type { Builder } from './builder.ts'
import { findOverrides } from './overrides.ts'
import { enumOptions, enumValues, type TypeNames, uncapitalized } from './type-names.ts'
import { mergedFields, findOption, textOrList, readUnion } from './unions.ts'
import { readElement, readFields, readMeta, readScalar, type Shape, readShape } from './zod-shape.ts'

/** The type of a field that is built from a schema of core at run time. `build-schema.test.ts` compares each with its schema. */
// oxlint-disable-next-line typescript/no-explicit-any -- Pothos infers field types from static references
export type Dynamic = any

/** The fields of a GraphQL type. */
export type Fields = Readonly<Record<string, Dynamic>>

/** Converts schemas of core to GraphQL types. There is one for a whole schema, so that each type is created once. */
export interface Projection {
  /** The fields of an object type, each resolved from the property of its name. */
  outputFields(t: Dynamic, schema: z.ZodType): Fields
  /** The fields of an input type, or the arguments of a field. */
  inputFields(t: Dynamic, schema: z.ZodType): Fields
  /** The object type for a schema, or a list of it. */
  outputType(schema: z.ZodType): Dynamic
  /** The input type for a schema. */
  inputType(schema: z.ZodType): Dynamic
}

/** A schema that is being built. */
export interface SchemaDraft {
  readonly builder: Builder
  readonly projection: Projection
  readonly names: TypeNames
  /** The names of the types that are records. */
  readonly records: ReadonlySet<string>
  /** Connection types by the name of their record. */
  readonly connections: Map<string, Dynamic>
}

/** Creates the object type of a record, including fields that its schema does not have. */
export type MakeRecord = (name: string, schema: z.ZodType, description: string | undefined) => Dynamic

/** @param scopes the scopes of all features, with what each allows: the values of the enum `Scope` */
export function createProjection(
  builder: Builder,
  names: TypeNames,
  makeRecord: MakeRecord,
  scopes: Readonly<Record<string, string>>,
): Projection {
  const outputs = new Map<string, Dynamic>()
  const inputs = new Map<string, Dynamic>()
  const enums = new Map<string, Dynamic>()

  function enumType(schema: z.ZodType): Dynamic {
    const name = names.of(schema)
    return once(enums, name, () => builder.enumType(name, enumOptions(names.enumOf(schema))))
  }

  function scopeType(): Dynamic {
    const { description } = scopeName
    return once(enums, 'Scope', () =>
      builder.enumType('Scope', { ...(description !== undefined && { description }), values: enumValues(scopes) }),
    )
  }

  /** A key keeps the scope of a feature that was removed. It grants nothing, and is not a value of the enum. */
  function knownScopes(field: string, { schema }: Shape): { readonly resolve?: (parent: Fields) => Dynamic } {
    if (schema.def.type !== 'array' || readShape(readElement(schema)).schema !== scopeName) return {}
    return { resolve: (parent) => parent[field].filter((scope: string) => Object.hasOwn(scopes, scope)) }
  }

  function toType(schema: z.ZodType, objectType: (schema: z.ZodType) => Dynamic): Dynamic {
    switch (schema.def.type) {
      case 'array':
        return [toType(readShape(readElement(schema)).schema, objectType)]
      case 'object':
      case 'union':
        return objectType(schema)
      case 'enum':
        return enumType(schema)
      case 'literal': {
        const parent = names.enumWith(schema)
        return parent ? enumType(parent) : readScalar(schema)
      }
      default:
        return schema === scopeName ? scopeType() : readScalar(schema)
    }
  }

  function outputUnion(name: string, schema: z.ZodType): Dynamic {
    const { description } = readMeta(schema)
    return builder.unionType(name, {
      ...(description !== undefined && { description }),
      types: readUnion(schema).options.map((option) => projection.outputType(option)),
      resolveType: (value: unknown) => names.of(findOption(schema, value) ?? schema),
    })
  }

  const projection: Projection = {
    outputType: (schema) =>
      toType(readShape(schema).schema, (object) => {
        const name = names.of(object)
        if (object.def.type === 'union') return once(outputs, name, () => outputUnion(name, object))
        return once(outputs, name, () => makeRecord(name, object, readMeta(object).description))
      }),
    inputType: (schema) =>
      toType(readShape(schema).schema, (object) =>
        once(inputs, names.of(object), () =>
          builder.inputType(`${names.of(object)}Input`, {
            description: readMeta(object).description ?? `The input of \`${uncapitalized(names.of(object))}\`.`,
            fields: (t) => projection.inputFields(t, object),
          }),
        ),
      ),
    outputFields: (t, schema) =>
      Object.fromEntries(
        readFields(schema).flatMap(([field, inner]) => {
          const shape = readShape(inner)
          const override = findOverrides(names.of(schema))[field]
          if (override === 'omit') return []
          const { name = field, ...options } = override ?? {}
          const type = field === 'id' ? 'ID' : projection.outputType(shape.schema)
          const nullable = shape.nullable || shape.optional
          return [[name, t.field({ type, nullable, ...described(shape), ...knownScopes(field, shape), ...options })]]
        }),
      ),
    inputFields: (t, schema) =>
      eachField(schema, (name, shape) =>
        argumentOrField(t)({
          type: name === 'id' ? 'ID' : projection.inputType(shape.schema),
          required: !shape.nullable && !shape.optional,
          ...described(shape),
          ...readDefault(shape),
        }),
      ),
  }
  return projection
}

function eachField(schema: z.ZodType, toField: (name: string, shape: Shape) => Dynamic): Fields {
  const fields = schema.def.type === 'union' ? mergedFields(schema) : readFields(schema)
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const both = textOrList(name, field)
      if (!both) return [[name, toField(name, readShape(field))]]
      const { text, list, listName } = both
      return [
        [name, toField(name, readShape(text))],
        [listName, toField(listName, readShape(list))],
      ]
    }),
  )
}

/** Pothos's builder of arguments is a function, its builder of input fields is not. */
function argumentOrField(t: Dynamic): Dynamic {
  return t.arg ?? ((options: unknown) => t.field(options))
}

/** Maps have no literal in GraphQL. */
function readDefault({ schema, fallback }: Shape) {
  const isShown = fallback !== undefined && fallback !== null && schema.def.type !== 'record'
  return isShown ? { defaultValue: fallback } : {}
}

function described({ description }: { readonly description?: string | undefined }) {
  return description === undefined ? {} : { description }
}

function once<Key, Value>(created: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = created.get(key)
  if (value === undefined) created.set(key, (value = create()))
  return value
}
