import { describe, expect, test } from 'vitest'
import { ProviderError, type ProviderErrorOptions } from '../../provider.ts'
import { scripted } from '@fairlead/testing'
import { toFairleadError } from './provider-failure.ts'

const target = { provider: scripted('loud', 'x'), id: 'any' }

function errorFor(failure: 'invalid_request' | 'content_refused', options: Record<string, unknown>) {
  return toFairleadError(new ProviderError(failure, 'internal message', options as ProviderErrorOptions), target, {
    attempts: 1,
    isOnlyTarget: true,
    billed: undefined,
  })
}

describe('toFairleadError', () => {
  test('toFairleadError passes on the detail and the field of a provider error', () => {
    expect(errorFor('content_refused', { detail: 'Not this.' }).message).toBe('Not this.')
    expect(errorFor('invalid_request', { detail: 'too long', field: 'messages' }).issues).toEqual([
      { field: 'messages', issue: 'was rejected by the provider: too long' },
    ])
  })

  test('toFairleadError truncates a long detail', () => {
    const { message } = errorFor('content_refused', { detail: 'x'.repeat(10_000_000) })
    expect(message).toHaveLength(1_000)
  })

  test('toFairleadError replaces control characters and lone surrogates', () => {
    expect(errorFor('content_refused', { detail: 'a\r\nb\0c\ud800' }).message).toBe('a b c\uFFFD')
    expect(errorFor('invalid_request', { field: 'a\0b' }).issues[0]?.field).toBe('a b')
  })

  test.each([42, {}, ['x'], null])('toFairleadError ignores a detail of %j', (detail) => {
    expect(errorFor('content_refused', { detail }).message).toBe('The provider refused the content.')
    expect(errorFor('invalid_request', { detail, field: detail }).issues).toEqual([
      { field: null, issue: 'was rejected by the provider' },
    ])
  })
})
