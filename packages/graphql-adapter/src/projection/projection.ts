import type { z } from 'zod'
import type { Builder } from '../builder.ts'
import type { Dynamic } from './dynamic.ts'
import { declared, elementOf, fieldsOf, type Shape, shapeOf } from './shape.ts'
import { scalarOf } from './scalar-of.ts'
import { enumValues, type TypeNames } from './type-names.ts'

/** Fields of a GraphQL type, made of those of a zod object. */
export type Fields = Readonly<Record<string, Dynamic>>

/** How fields of core's schemas become fields of GraphQL's: one for all of them, so that each type is made once. */
export interface Projection {
  /** The fields of an object type, each read from a property of its own name. */
  outputFields(t: Dynamic, schema: z.ZodType): Fields
  /** The fields of an input type, or the arguments of a field. */
  inputFields(t: Dynamic, schema: z.ZodType): Fields
  /** The object type that shows what a schema describes, or a list of it. */
  outputType(schema: z.ZodType): Dynamic
  /** The input type that takes what a schema describes. */
  inputType(schema: z.ZodType): Dynamic
}

/** Makes the object type of a record, with whatever it has beside the fields of its schema. */
export type MakeRecord = (name: string, schema: z.ZodType, description: string | undefined) => Dynamic

export function createProjection(builder: Builder, names: TypeNames, makeRecord: MakeRecord): Projection {
  const outputs = new Map<string, Dynamic>()
  const inputs = new Map<string, Dynamic>()
  const enums = new Map<string, Dynamic>()

  function enumType(schema: z.ZodType): Dynamic {
    const name = names.of(schema)
    return made(enums, name, () => builder.enumType(name, { values: enumValues(schema) }))
  }

  function typeOf(schema: z.ZodType, objectType: (schema: z.ZodType) => Dynamic): Dynamic {
    switch (schema.def.type) {
      case 'array':
        return [typeOf(shapeOf(elementOf(schema)).schema, objectType)]
      case 'object':
        return objectType(schema)
      case 'enum':
        return enumType(schema)
      case 'literal': {
        const among = names.enumWith((schema as z.ZodLiteral).value)
        return among ? enumType(among) : scalarOf(schema)
      }
      default:
        return scalarOf(schema)
    }
  }

  const projection: Projection = {
    outputType: (schema) =>
      typeOf(shapeOf(schema).schema, (object) => {
        const name = names.of(object)
        return made(outputs, name, () => makeRecord(name, object, declared(object).description))
      }),
    inputType: (schema) =>
      typeOf(shapeOf(schema).schema, (object) =>
        made(inputs, names.of(object), () =>
          builder.inputType(`${names.of(object)}Input`, {
            ...described(declared(object)),
            fields: (t) => projection.inputFields(t, object),
          }),
        ),
      ),
    outputFields: (t, schema) =>
      eachField(schema, (name, shape) =>
        t.field({
          type: name === 'id' ? 'ID' : projection.outputType(shape.schema),
          nullable: shape.nullable || shape.optional,
          ...described(shape),
        }),
      ),
    inputFields: (t, schema) =>
      eachField(schema, (name, shape) =>
        argumentOrField(t)({
          type: name === 'id' ? 'ID' : projection.inputType(shape.schema),
          required: !shape.nullable && !shape.optional,
          ...described(shape),
          ...defaultOf(shape),
        }),
      ),
  }
  return projection
}

function eachField(schema: z.ZodType, toField: (name: string, shape: Shape) => Dynamic): Fields {
  return Object.fromEntries(fieldsOf(schema).map(([name, field]) => [name, toField(name, shapeOf(field))]))
}

/** What makes arguments is a function with methods; what makes input fields has methods alone. */
function argumentOrField(t: Dynamic): Dynamic {
  return t.arg ?? ((options: unknown) => t.field(options))
}

/** An empty map needs no telling, and has no literal in GraphQL. */
function defaultOf({ schema, fallback }: Shape) {
  const told = fallback !== undefined && fallback !== null && schema.def.type !== 'record'
  return told ? { defaultValue: fallback } : {}
}

function described({ description }: { readonly description?: string | undefined }) {
  return description === undefined ? {} : { description }
}

function made<Key, Value>(kept: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = kept.get(key)
  if (value === undefined) kept.set(key, (value = make()))
  return value
}
