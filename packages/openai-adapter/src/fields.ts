import { FairleadError } from '@fairlead/core'
import { createJsonScan, describeExcess, type JsonScan } from '@fairlead/http'

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

/** Parses JSON texts inside of a request's JSON. All texts of a request have the limits of one body. */
export type ParseObject = (text: unknown, field: string) => Fields

export function objectParser(): ParseObject {
  let scan: JsonScan | undefined
  return (text, field) => {
    if (text === undefined || text === null || text === '') return {}
    if (typeof text !== 'string') throw invalid(field, 'must be JSON text')
    scan ??= createJsonScan()
    if (!scan.add(Buffer.from(text))) throw invalid(field, `is too much JSON. ${describeExcess(scan.excess, 0)}`)
    const value = parsed(text)
    if (!isObject(value)) throw invalid(field, 'must be the JSON text of an object')
    return value
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
