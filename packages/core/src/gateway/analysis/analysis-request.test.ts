import { describe, expect, test } from 'vitest'
import { languageName } from './analysis-request.ts'

const letters = [...'abcdefghijklmnopqrstuvwxyz']

describe('languageName', () => {
  test('languageName knows exactly the 183 codes of ISO 639-1', () => {
    const codes = letters.flatMap((first) => letters.map((second) => first + second))
    expect(codes.filter((code) => languageName(code) !== undefined)).toHaveLength(183)
  })

  test.each([
    ['de', 'German'],
    ['zh', 'Chinese'],
    ['iw', undefined],
    ['zz', undefined],
    ['DE', undefined],
    ['deu', undefined],
    ['', undefined],
  ])('languageName returns the name of %j as %s', (code, name) => {
    expect(languageName(code)).toBe(name)
  })
})
