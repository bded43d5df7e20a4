import { FairleadError } from '@fairlead/core'
import type { Block } from './provider-data.ts'

/** An `INVALID_REQUEST` that names a field of the request. */
export function invalid(field: string, issue: string): FairleadError {
  return new FairleadError('INVALID_REQUEST', `${field} ${issue}`, { issues: [{ field, issue }] })
}

export function requireObject(value: unknown, field: string): Block {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Block
  throw invalid(field, value === undefined ? 'is required' : 'must be an object')
}

export function requireList(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw invalid(field, value === undefined ? 'is required' : 'must be a list')
}
