import type * as z from 'zod'

/** A zod schema without its wrappers, and what they say of the field. */
export interface Shape {
  readonly schema: z.ZodType
  readonly nullable: boolean
  readonly optional: boolean
  /** The default value, if any. */
  readonly fallback: unknown
  readonly description: string | undefined
}

/** Unwraps a schema. The description of an outer wrapper takes precedence. */
export function readShape(schema: z.ZodType): Shape {
  let inner = schema
  let nullable = false
  let optional = false
  let fallback: unknown
  let description = inner.description
  while ('innerType' in inner.def) {
    const { type } = inner.def
    nullable ||= type === 'nullable'
    optional ||= type === 'optional' || type === 'default'
    if (type === 'default' && fallback === undefined) fallback = (inner.def as z.core.$ZodDefaultDef).defaultValue
    inner = inner.def.innerType as z.ZodType
    description ??= inner.description
  }
  return { schema: inner, nullable, optional, fallback, description }
}

/** The fields of an object schema. */
export function readFields(schema: z.ZodType): readonly (readonly [name: string, schema: z.ZodType])[] {
  if (schema.def.type !== 'object') throw new TypeError(`A schema of type ${schema.def.type} has no fields.`)
  return Object.entries((schema as z.ZodObject).shape as Readonly<Record<string, z.ZodType>>)
}

/** The schema of an array's elements. */
export function readElement(schema: z.ZodType): z.ZodType {
  return (schema as z.ZodArray<z.ZodType>).element
}

/** The metadata of the schema that declares the `id`: a copy with another description is of the same type. */
export function readMeta(schema: z.ZodType): {
  readonly id?: string | undefined
  readonly description?: string | undefined
} {
  let named: z.ZodType | undefined = schema
  // oxlint-disable-next-line no-underscore-dangle -- zod's public name for its core's properties
  while (named && named.meta()?.id === undefined) named = named._zod.parent as z.ZodType | undefined
  return (named ?? schema).meta() ?? {}
}

const maxInt = 2 ** 31 - 1

/** The scalar for a schema's values. */
export function readScalar(
  schema: z.ZodType,
): 'Boolean' | 'DateTime' | 'Float' | 'Int' | 'JSONObject' | 'SafeInt' | 'String' | 'StringMap' | 'Vector' {
  switch (schema.def.type) {
    case 'string':
      return isDateTime(schema) ? 'DateTime' : 'String'
    case 'boolean':
      return 'Boolean'
    case 'number':
      return readInteger(schema as z.ZodNumber) ?? 'Float'
    case 'record':
      return ((schema as z.ZodRecord).valueType as z.ZodType).type === 'string' ? 'StringMap' : 'JSONObject'
    case 'literal':
      return (schema as z.ZodLiteral).values.has(true) ? 'Boolean' : 'String'
    case 'any':
      return 'Vector'
    default:
      throw new TypeError(`No scalar is defined for a schema of type ${schema.def.type}.`)
  }
}

function isDateTime(schema: z.ZodType): boolean {
  return (schema as z.ZodString).format === 'datetime' || schema.meta()?.['format'] === 'date-time'
}

/** `Int` has 32 bits. Integers without smaller bounds need `SafeInt`. */
function readInteger({ isInt, minValue, maxValue }: z.ZodNumber): 'Int' | 'SafeInt' | undefined {
  if (!isInt) return undefined
  return Math.abs(minValue ?? -Infinity) <= maxInt && Math.abs(maxValue ?? Infinity) <= maxInt ? 'Int' : 'SafeInt'
}
