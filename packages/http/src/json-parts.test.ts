import { describe, expect, test } from 'vitest'
import { jsonParts } from './json-parts.ts'

describe('jsonParts', () => {
  test.each<[string, unknown]>([
    ['an object', { success: true, data: { text: 'a "b"', none: null, list: [] }, empty: {} }],
    ['a list of objects', [{ a: 1 }, { b: [true, false, null] }]],
    ['numbers', [1, -0.5, 1e-7, 3.4028234663852886e38]],
    ['texts', ['a', 'ü', '\u2028']],
    ['a text', 'hello'],
    ['null', null],
    ['what JSON lacks', [undefined, new Date(0), { at: new Date(0), not: Number.NaN }, [1, undefined]]],
  ])('jsonParts writes %s as JSON.stringify does', (_case, value) => {
    expect([...jsonParts(value)].join('')).toBe(JSON.stringify(value))
  })

  test('jsonParts leaves out undefined members', () => {
    expect([...jsonParts({ a: undefined, b: 1 })].join('')).toBe('{"b":1}')
  })

  test('jsonParts writes long lists of numbers in parts of at most 200 kB', () => {
    const value = { vectors: Array.from({ length: 3 }, () => Array.from({ length: 20_000 }, (_, at) => at / 7)) }
    const parts = [...jsonParts(value)]
    expect(parts.join('')).toBe(JSON.stringify(value))
    expect(parts.length).toBeGreaterThan(5)
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(200_000)
  })
})
