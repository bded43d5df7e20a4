import type { z } from 'zod'

/** The schema inside those that make it optional, nullable or give it a default. */
export function unwrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  let inner = schema
  while (inner && 'innerType' in inner.def) inner = inner.def.innerType as z.ZodType
  return inner
}

/** The schema of a field of an object, or of an entry of a record. */
export function memberOf(schema: z.ZodType | undefined, key: string): z.ZodType | undefined {
  const inner = unwrapped(schema)
  if (inner && 'valueType' in inner.def) return inner.def.valueType as z.ZodType
  const shape = shapeOf(inner)
  return shape && Object.hasOwn(shape, key) ? shape[key] : undefined
}

/** The schema of the entries of an array. */
export function elementOf(schema: z.ZodType | undefined): z.ZodType | undefined {
  const inner = unwrapped(schema)
  return inner && 'element' in inner ? (inner as z.ZodArray<z.ZodType>).element : undefined
}

/** The fields of an object; undefined for any other schema. */
export function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> | undefined {
  const inner = unwrapped(schema)
  return inner && 'shape' in inner ? (inner as z.ZodObject<Record<string, z.ZodType>>).shape : undefined
}

/** The most entries that an array or a record may have; infinite where its schema sets no maximum. */
export function maxEntries(schema: z.ZodType): number {
  const { maxProperties = Infinity } = (schema.meta() ?? {}) as { readonly maxProperties?: number }
  let most = maxProperties
  for (const { _zod: core } of schema.def.checks ?? []) {
    const { check, maximum } = core.def as { readonly check: string; readonly maximum?: number }
    if (check === 'max_length' && maximum !== undefined) most = Math.min(most, maximum)
  }
  return most
}
