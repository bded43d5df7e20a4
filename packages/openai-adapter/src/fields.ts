import { FairleadError } from '@fairlead/core'

/** A JSON object of a request, unchecked. */
export type Fields = Readonly<Record<string, unknown>>

/** @param field as clients of OpenAI spell it */
export function invalid(field: string, issue: string): FairleadError {
  return new FairleadError('INVALID_REQUEST', `${field} ${issue}`, { issues: [{ field, issue }] })
}

/** A required object. */
export function objectAt(value: unknown, field: string): Fields {
  if (value === undefined || value === null) throw invalid(field, 'is required')
  if (!isObject(value)) throw invalid(field, 'must be an object')
  return value
}

/** A required list. */
export function listAt(value: unknown, field: string): readonly unknown[] {
  if (value === undefined || value === null) throw invalid(field, 'is required')
  if (!Array.isArray(value)) throw invalid(field, 'must be a list')
  return value
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The names of fields that were sent with a value, other than the known ones. */
export function unknownFields(fields: Fields, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(fields).filter((name) => !known.has(name) && fields[name] !== null && fields[name] !== undefined)
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

const ownOfTools = ['provider_options', 'cache_control']

/**
 * The fields that a provider of the client's API gets as they are. Tools with options for single providers are written
 * anew, because only core knows whose they are.
 */
export function nativeFields(body: Fields, isInterpreted: (name: string) => boolean): Fields {
  const { tools } = body
  const hasOptions =
    Array.isArray(tools) && tools.some((tool) => isObject(tool) && ownOfTools.some((name) => name in tool))
  const kept = Object.entries(body).filter(([name]) => !isInterpreted(name) && !(hasOptions && name === 'tools'))
  return Object.fromEntries(kept)
}
