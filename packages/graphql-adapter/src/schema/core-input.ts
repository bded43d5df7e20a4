import { FairleadError } from '@fairlead/core'
import type * as z from 'zod'
import { findOption, textOrList } from './unions.ts'
import { readElement, readFields, readShape } from './zod-shape.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Converts GraphQL input to core's input. Clients send null for absent fields; it stays null only if null is a value.
 * Throws `INVALID_REQUEST` for a text and a list that are one field in core.
 *
 * @param path of the value, for errors
 */
export function toCoreInput(schema: z.ZodType, value: unknown, path = ''): unknown {
  const { schema: inner } = readShape(schema)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    if (inner.def.type !== 'array') return value
    return value.map((item, index) => toCoreInput(readElement(inner), item, `${path}[${index}]`))
  }
  if (inner.def.type === 'object') return toCoreObject(inner, value as Fields, path)
  if (inner.def.type !== 'union') return value
  const option = findOption(inner, value)
  // Core rejects the fields of other options by name.
  return option ? { ...otherFields(option, value as Fields), ...toCoreObject(option, value as Fields, path) } : value
}

function toCoreObject(schema: z.ZodType, value: Fields, path: string): Fields {
  const input: Record<string, unknown> = {}
  for (const [name, field] of readFields(schema)) {
    const both = textOrList(name, field)
    const sent = both && (value[both.listName] ?? undefined) !== undefined ? both.listName : name
    const item = value[sent]
    const { nullable, optional } = readShape(field)
    if (item === undefined || (item === null && (both || (optional && !nullable)))) continue
    const itemPath = path === '' ? sent : `${path}.${sent}`
    if (sent !== name && (value[name] ?? undefined) !== undefined) throw combined(itemPath, name)
    input[name] = toCoreInput(both ? both.list : field, item, itemPath)
  }
  return input
}

function combined(field: string, other: string): FairleadError {
  const issue = `cannot be combined with "${other}"`
  return new FairleadError('INVALID_REQUEST', `${field} ${issue}`, { issues: [{ field, issue }] })
}

/** The fields that an option of a union does not have. */
function otherFields(option: z.ZodType, value: Fields): Fields {
  const own = new Set(readFields(option).flatMap(([name, field]) => [name, textOrList(name, field)?.listName]))
  return Object.fromEntries(Object.entries(value).filter(([name, item]) => item !== null && !own.has(name)))
}
