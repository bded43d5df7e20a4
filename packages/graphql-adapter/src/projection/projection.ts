import type { z } from 'zod'
import type { Builder } from '../builder.ts'
import type { Dynamic } from './dynamic.ts'
import { enumName, enumValues, enumWith } from './enum-names.ts'
import { elementOf, fieldsOf, schemaName, type Shape, shapeOf } from './shape.ts'
import { scalarOf } from './scalar-of.ts'

/** Fields of a GraphQL type, made of those of a zod object. */
export type Fields = Readonly<Record<string, Dynamic>>

/** How fields of core's schemas become fields of GraphQL's: one for all of them, so that each type is made once. */
export interface Projection {
  /** What a type is called that shows or takes an object of core's which has no name there. To be told before it is met. */
  name(schema: z.ZodType, name: string): void
  /** What the type is called that shows an object of core's. */
  nameOf(schema: z.ZodType): string
  /** Has objects of that name shown by a type that is made elsewhere. */
  show(name: string, type: Dynamic): void
  /** The fields of an object type, each read from a property of its own name. */
  outputFields(t: Dynamic, schema: z.ZodType): Fields
  /** The fields of an input type, or the arguments of a field. */
  inputFields(t: Dynamic, schema: z.ZodType): Fields
  /** The object type that shows what a schema describes, or a list of it. */
  outputType(schema: z.ZodType): Dynamic
  /** The input type that takes what a schema describes. */
  inputType(schema: z.ZodType): Dynamic
}

export function createProjection(builder: Builder): Projection {
  const names = new Map<z.ZodType, string>()
  const outputs = new Map<string, Dynamic>()
  const inputs = new Map<string, Dynamic>()
  const enums = new Map<string, Dynamic>()

  function nameOf(schema: z.ZodType): string {
    const name = names.get(schema) ?? schemaName(schema)
    if (name === undefined)
      throw new TypeError(`no name for the object with ${fieldsOf(schema).map(([field]) => field)}`)
    return name
  }

  function enumType(schema: z.ZodType): Dynamic {
    const name = enumName(schema)
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
        const among = enumWith((schema as z.ZodLiteral).value)
        return among ? enumType(among) : scalarOf(schema)
      }
      default:
        return scalarOf(schema)
    }
  }

  const projection: Projection = {
    name: (schema, name) => void names.set(shapeOf(schema).schema, name),
    nameOf,
    show: (name, type) => void outputs.set(name, type),
    outputType: (schema) =>
      typeOf(shapeOf(schema).schema, (object) =>
        made(outputs, nameOf(object), () =>
          builder.objectRef(nameOf(object)).implement({
            ...described(shapeOf(object)),
            fields: (t) => projection.outputFields(t, object),
          }),
        ),
      ),
    inputType: (schema) =>
      typeOf(shapeOf(schema).schema, (object) =>
        made(inputs, nameOf(object), () =>
          builder.inputType(`${nameOf(object)}Input`, {
            ...described(shapeOf(object)),
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

function described({ description }: Pick<Shape, 'description'>) {
  return description === undefined ? {} : { description }
}

function made<Key, Value>(kept: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = kept.get(key)
  if (value === undefined) kept.set(key, (value = make()))
  return value
}
