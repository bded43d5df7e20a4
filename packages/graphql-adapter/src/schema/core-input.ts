import type { z } from 'zod'
import { optionOf, textOrList } from './unions.ts'
import { elementOf, fieldsOf, shapeOf } from './zod-shape.ts'

type Fields = Readonly<Record<string, unknown>>

/** Converts GraphQL input to core's input. Clients send null for absent fields; it stays null only if null is a value. */
export function toCoreInput(schema: z.ZodType, value: unknown): unknown {
  const { schema: inner } = shapeOf(schema)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return inner.def.type === 'array' ? value.map((item) => toCoreInput(elementOf(inner), item)) : value
  if (inner.def.type === 'object') return toCoreObject(inner, value as Fields)
  if (inner.def.type !== 'union') return value
  const option = optionOf(inner, value)
  // Core rejects the fields of other options by name.
  return option ? { ...otherFields(option, value as Fields), ...toCoreObject(option, value as Fields) } : value
}

function toCoreObject(schema: z.ZodType, value: Fields): Fields {
  const input: Record<string, unknown> = {}
  for (const [name, field] of fieldsOf(schema)) {
    const both = textOrList(name, field)
    const sent = both && (value[both.listName] ?? undefined) !== undefined ? both.listName : name
    const item = value[sent]
    const { nullable, optional } = shapeOf(field)
    if (item === undefined || (item === null && (both || (optional && !nullable)))) continue
    input[name] = toCoreInput(both ? both.list : field, item)
    // With both, the second is a field that core does not know.
    if (both && sent !== name && (value[name] ?? undefined) !== undefined) input[both.listName] = value[name]
  }
  return input
}

/** The fields that an option of a union does not have. */
function otherFields(option: z.ZodType, value: Fields): Fields {
  const own = new Set(fieldsOf(option).flatMap(([name, field]) => [name, textOrList(name, field)?.listName]))
  return Object.fromEntries(Object.entries(value).filter(([name, item]) => item !== null && !own.has(name)))
}
