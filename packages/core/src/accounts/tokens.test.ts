import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayPrefix, newApiKeyToken } from './tokens.ts'
import { hashToken, prefixOfToken } from './tokens.ts'

const isApiKeyToken = (text: string) => prefixOfToken(text) === 'fl_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('an API key', () => {
  test('is fl_, 43 characters of randomness and 6 of checksum', () => {
    for (let made = 0; made < 100; made++) expect(newApiKeyToken()).toMatch(/^fl_[0-9A-Za-z]{49}$/)
  })

  test.each([0, 255])('has the same length for all random bytes, such as %i', (byte) => {
    const token = newApiKeyToken((bytes) => new Uint8Array(bytes).fill(byte))
    expect(token).toHaveLength(52)
    expect(isApiKeyToken(token)).toBe(true)
  })

  test('is never made twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newApiKeyToken())).size).toBe(1_000)
  })

  test('is told apart by its first ten characters, and stored as a hash of all', () => {
    const token = newApiKeyToken()
    expect(displayPrefix(token)).toBe(token.slice(0, 10))
    expect(hashToken(token)).toMatch(/^[\da-f]{64}$/)
    expect(hashToken(token)).not.toContain(token.slice(3, 10))
  })
})

describe('a mistyped key', () => {
  test('is known for one without a look-up: one character changed', () => {
    const place = fc.integer({ min: 0, max: 51 })
    fc.assert(
      fc.property(place, fc.constantFrom(...alphabet, '_', '-', ' '), (at, instead) => {
        const token = newApiKeyToken()
        const mistyped = token.slice(0, at) + instead + token.slice(at + 1)
        expect(isApiKeyToken(mistyped)).toBe(mistyped === token)
      }),
    )
  })

  test('is known for one without a look-up: two neighbours swapped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 50 }), (at) => {
        const token = newApiKeyToken()
        const [one = '', other = ''] = token.slice(at, at + 2)
        const mistyped = token.slice(0, at) + other + one + token.slice(at + 2)
        expect(isApiKeyToken(mistyped)).toBe(one === other)
      }),
    )
  })

  test.each(['', 'fl_', 'x', 'fl_'.padEnd(52, '0'), `fl_${'é'.repeat(49)}`, '\0'.repeat(52)])('is %j', (text) => {
    expect(isApiKeyToken(text)).toBe(false)
  })

  test('is one with something before or after it', () => {
    const token = newApiKeyToken()
    for (const text of [` ${token}`, `${token} `, `${token}\n`, `x${token}`, token + token, token.slice(0, -1)]) {
      expect(isApiKeyToken(text)).toBe(false)
    }
  })
})
