import { describe, expect, test } from 'vitest'
import { operations } from '../operations.ts'
import { errorsOf } from './operation.ts'

describe('the errors of an operation', () => {
  test('are few where it only looks something up', () => {
    expect(errorsOf(operations.usage)).toEqual([
      'INVALID_REQUEST',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
    ])
  })

  test('come with its kind, its metering and the keys that it takes', () => {
    expect(errorsOf(operations.generate)).toEqual([
      'INVALID_REQUEST',
      'CONTENT_REFUSED',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'CONFLICT',
      'IDEMPOTENCY_KEY_REUSED',
      'QUOTA_EXCEEDED',
      'RATE_LIMIT_EXCEEDED',
      'INTERNAL_ERROR',
      'PROVIDER_ERROR',
      'PROVIDER_TIMEOUT',
      'PROVIDER_UNAVAILABLE',
      'SERVICE_UNAVAILABLE',
    ])
  })

  test('are its own alone where anyone may ask', () => {
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
