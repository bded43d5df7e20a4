import type { z } from 'zod'

/** What a zod schema says of one field, without its wrappings. */
export interface Shape {
  readonly schema: z.ZodType
  /** Whether it may be null. */
  readonly nullable: boolean
  /** Whether it may be left out. */
  readonly optional: boolean
  /** What it is when left out, where that is told. */
  readonly fallback: unknown
  readonly description: string | undefined
}

/** Unwraps a schema down to its kind; what an outer wrapping says of the field counts before what an inner one says. */
export function shapeOf(schema: z.ZodType): Shape {
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
export function fieldsOf(schema: z.ZodType): readonly (readonly [name: string, schema: z.ZodType])[] {
  if (schema.def.type !== 'object') throw new TypeError(`a ${schema.def.type} has no fields`)
  return Object.entries((schema as z.ZodObject).shape as Readonly<Record<string, z.ZodType>>)
}

/** What the entries of an array schema are. */
export function elementOf(schema: z.ZodType): z.ZodType {
  return (schema as z.ZodArray<z.ZodType>).element
}

/** The metadata of the schema that declares the type's `id`: a copy with another description is still of that type. */
export function declared(schema: z.ZodType): {
  readonly id?: string | undefined
  readonly description?: string | undefined
} {
  let named: z.ZodType | undefined = schema
  // oxlint-disable-next-line no-underscore-dangle -- zod's public name for what belongs to its core
  while (named && named.meta()?.id === undefined) named = named._zod.parent as z.ZodType | undefined
  return (named ?? schema).meta() ?? {}
}

export function schemaName(schema: z.ZodType): string | undefined {
  return declared(schema).id
}
