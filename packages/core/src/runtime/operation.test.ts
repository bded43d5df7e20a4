import { describe, expect, test } from 'vitest'
import { operations } from '@fairlead/testing/workspace'
import { errorsOf } from './operation.ts'

describe('errorsOf', () => {
  test('errorsOf returns the common errors for an unmetered read', () => {
    expect(errorsOf(operations.sessions)).toEqual([
      'INVALID_REQUEST',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'NOT_FOUND',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
    ])
  })

  test('errorsOf adds errors of actions, metering, and idempotency', () => {
    expect(errorsOf(operations.generate)).toEqual([
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

  test('errorsOf adds no authentication errors to an anonymous operation', () => {
    expect(errorsOf(operations.signup)).toEqual([
      'INVALID_REQUEST',
      'FORBIDDEN',
      'CONFLICT',
      'RATE_LIMIT_EXCEEDED',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
    ])
  })
})
