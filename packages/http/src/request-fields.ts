import type { FairleadError } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import { isObject } from '@fairlead/core/provider'

export { isObject }

/** A JSON object of a request, unchecked. */
export type Fields = Readonly<Record<string, unknown>>

/** @param field as clients of the surface spell it */
export function invalid(field: string, issue: string): FairleadError {
  return invalidRequest({ field, issue })
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The place of a user, for a search of the web. OpenAI and Anthropic have the same fields, which may be null. */
export function toUserLocation({ city, region, country, timezone }: Fields): Fields {
  return {
    city: city ?? undefined,
    region: region ?? undefined,
    country: country ?? undefined,
    timezone: timezone ?? undefined,
  }
}

/** A required object. */
export function objectAt(value: unknown, field: string): Fields {
  if (isObject(value)) return value
  throw invalid(field, isPresent(value) ? 'must be an object' : 'is required')
}

/** A required list. */
export function listAt(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw invalid(field, isPresent(value) ? 'must be a list' : 'is required')
}
