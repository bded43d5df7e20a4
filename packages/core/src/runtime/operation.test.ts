import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { possibleErrors } from './operation.ts'

describe('possibleErrors', () => {
  test('possibleErrors returns the common errors for an unmetered read', () => {
    expect(possibleErrors(operations.sessions)).toEqual([
      'INVALID_REQUEST',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'NOT_FOUND',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
    ])
  })

  test('possibleErrors adds errors of actions, metering, and idempotency', () => {
    expect(possibleErrors(operations.generate)).toEqual([
      'INVALID_REQUEST',
      'CONTENT_REFUSED',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'NOT_FOUND',
      'CONFLICT',
      'IDEMPOTENCY_KEY_REUSED',
      'QUOTA_EXCEEDED',
      'RATE_LIMIT_EXCEEDED',
      'BUDGET_EXCEEDED',
      'INTERNAL_ERROR',
      'PROVIDER_ERROR',
      'PROVIDER_TIMEOUT',
      'PROVIDER_UNAVAILABLE',
      'SERVICE_UNAVAILABLE',
    ])
  })

  test('possibleErrors adds no authentication errors to an anonymous operation', () => {
    expect(possibleErrors(operations.signup)).toEqual([
      'INVALID_REQUEST',
      'FORBIDDEN',
      'CONFLICT',
      'RATE_LIMIT_EXCEEDED',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
    ])
  })
})
