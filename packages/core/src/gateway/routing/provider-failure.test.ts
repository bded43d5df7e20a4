import { describe, expect, test } from 'vitest'
import { ProviderError, type ProviderErrorOptions } from '../../provider.ts'
import { toFairleadError } from './provider-failure.ts'

const facts = { provider: 'loud', attempts: 1 }

function told(failure: 'invalid_request' | 'content_refused', options: Record<string, unknown>) {
  return toFairleadError(new ProviderError(failure, 'inner words', options as ProviderErrorOptions), facts)
}

describe('the words of a provider', () => {
  test('reach the caller where they are meant for it', () => {
    expect(told('content_refused', { detail: 'Not this.' }).message).toBe('Not this.')
    expect(told('invalid_request', { detail: 'too long', field: 'prompt' }).issues).toEqual([
      { field: 'prompt', issue: 'was refused by the provider: too long' },
    ])
  })

  test('are cut where they are a book', () => {
    const { message } = told('content_refused', { detail: 'x'.repeat(10_000_000) })
    expect(message).toHaveLength(1_000)
  })

  test('hold nothing that breaks a line, a log or a store', () => {
    expect(told('content_refused', { detail: 'a\r\nb\0c\ud800' }).message).toBe('a b c\uFFFD')
    expect(told('invalid_request', { field: 'a\0b' }).issues[0]?.field).toBe('a b')
  })

  test.each([42, {}, ['x'], null])('count for nothing where they are %j', (words) => {
    expect(told('content_refused', { detail: words }).message).toBe('The provider refused the content.')
    expect(told('invalid_request', { detail: words, field: words }).issues).toEqual([
      { field: null, issue: 'was refused by the provider' },
    ])
  })
})
