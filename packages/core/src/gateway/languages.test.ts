import { describe, expect, test } from 'vitest'
import { languageName } from './analysis/languages.ts'

const letters = [...'abcdefghijklmnopqrstuvwxyz']

describe('languageName', () => {
  test('knows each code of ISO 639-1 and no other', () => {
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
  ])('calls %j %s', (code, name) => {
    expect(languageName(code)).toBe(name)
  })
})
