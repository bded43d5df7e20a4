import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayPrefix, newApiKeyToken, hashToken, prefixOfToken } from './tokens.ts'

const isApiKeyToken = (text: string) => prefixOfToken(text) === 'fl_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('newApiKeyToken', () => {
  test('newApiKeyToken returns fl_ and 49 base62 characters', () => {
    for (let count = 0; count < 100; count++) expect(newApiKeyToken()).toMatch(/^fl_[0-9A-Za-z]{49}$/)
  })

  test.each([0, 255])('newApiKeyToken returns a token of 52 characters for random bytes of %i', (byte) => {
    const token = newApiKeyToken((bytes) => new Uint8Array(bytes).fill(byte))
    expect(token).toHaveLength(52)
    expect(isApiKeyToken(token)).toBe(true)
  })

  test('newApiKeyToken returns a different token each time', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newApiKeyToken())).size).toBe(1_000)
  })

  test('newApiKeyToken has a display prefix of ten characters and a hash that does not contain it', () => {
    const token = newApiKeyToken()
    expect(displayPrefix(token)).toBe(token.slice(0, 10))
    expect(hashToken(token)).toMatch(/^[\da-f]{64}$/)
    expect(hashToken(token)).not.toContain(token.slice(3, 10))
  })
})

describe('prefixOfToken', () => {
  test('prefixOfToken rejects a token with one changed character', () => {
    const place = fc.integer({ min: 0, max: 51 })
    fc.assert(
      fc.property(place, fc.constantFrom(...alphabet, '_', '-', ' '), (at, instead) => {
        const token = newApiKeyToken()
        const mistyped = token.slice(0, at) + instead + token.slice(at + 1)
        expect(isApiKeyToken(mistyped)).toBe(mistyped === token)
      }),
    )
  })

  test('prefixOfToken rejects a token with two adjacent characters swapped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 50 }), (at) => {
        const token = newApiKeyToken()
        const [one = '', other = ''] = token.slice(at, at + 2)
        const mistyped = token.slice(0, at) + other + one + token.slice(at + 2)
        expect(isApiKeyToken(mistyped)).toBe(one === other)
      }),
    )
  })

  test.each(['', 'fl_', 'x', 'fl_'.padEnd(52, '0'), `fl_${'é'.repeat(49)}`, '\0'.repeat(52)])(
    'prefixOfToken rejects %j',
    (text) => {
      expect(isApiKeyToken(text)).toBe(false)
    },
  )

  test('prefixOfToken rejects a token with leading, trailing, or missing characters', () => {
    const token = newApiKeyToken()
    for (const text of [` ${token}`, `${token} `, `${token}\n`, `x${token}`, token + token, token.slice(0, -1)]) {
      expect(isApiKeyToken(text)).toBe(false)
    }
  })
})
