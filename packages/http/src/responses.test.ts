import { describe, expect, test } from 'vitest'
import { addFailure, type HttpResponse, jsonResponse } from './responses.ts'

const written = (value: unknown): HttpResponse['body'] => jsonResponse(200, [], value).body

describe('jsonResponse', () => {
  test('jsonResponse writes a page of records at once', () => {
    const record = Object.fromEntries(Array.from({ length: 20 }, (_, field) => [`field${field}`, 'a text']))
    const page = { data: Array.from({ length: 100 }, () => record) }
    expect(written(page)).toBe(JSON.stringify(page))
  })

  test.each<[string, unknown]>([
    ['many numbers', { vectors: Array.from({ length: 20 }, () => Array.from({ length: 3_072 }, Math.random)) }],
    ['many vectors as text', { data: Array.from({ length: 100 }, () => ({ embedding: 'A'.repeat(16_384) })) }],
    ['many records', Array.from({ length: 10_000 }, (_, id) => ({ id }))],
  ])('jsonResponse writes %s in parts', (_case, value) => {
    const body = written(value) as { readonly parts: Iterable<string> }
    expect([...body.parts].join('')).toBe(JSON.stringify(value))
  })

  test('jsonResponse writes one long text at once, because it cannot be divided', () => {
    const text = { content: 'A'.repeat(8_000_000) }
    expect(written(text)).toBe(JSON.stringify(text))
  })
})

describe('the headers of a failure', () => {
  const readHeaders = (code: 'PROVIDER_ERROR' | 'PROVIDER_UNAVAILABLE', status: number, reason?: string) => {
    const headers: string[] = []
    addFailure(headers, { error: { code }, upstream: { status, code: reason } })
    return headers
  }

  test.each([401, 402, 403])(
    'the headers of a failure keep clients from retrying what the upstream rejects with %i',
    (status) => {
      expect(readHeaders('PROVIDER_ERROR', status)).toEqual(['x-should-retry', 'false'])
    },
  )

  test.each(['insufficient_quota', 'billing_hard_limit_reached'])(
    'the headers of a failure keep clients from retrying after 429 of the upstream with the code %s',
    (reason) => {
      expect(readHeaders('PROVIDER_ERROR', 429, reason)).toEqual(['x-should-retry', 'false'])
      expect(readHeaders('PROVIDER_ERROR', 429, 'rate_limit_exceeded')).toEqual([])
    },
  )

  test.each([500, 503])(
    'the headers of a failure leave it to clients whether they retry after %i of the upstream',
    (status) => {
      expect(readHeaders('PROVIDER_ERROR', status)).toEqual([])
    },
  )
})
