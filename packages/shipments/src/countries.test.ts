import { describe, expect, test } from 'vitest'
import { isCountry } from './shipment.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const known = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry)

describe('isCountry', () => {
  test('isCountry accepts 249 codes, as ISO 3166-1 assigns', () => {
    expect(known).toHaveLength(249)
  })

  test('isCountry accepts only codes that have a name in the Unicode CLDR', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    expect(known.filter((code) => names.of(code) === undefined)).toEqual([])
  })

  test.each(['XX', 'EU', 'UK', 'XK', 'SU', 'de', 'DEU', '', 'D'])('isCountry rejects %j', (code) => {
    expect(isCountry(code)).toBe(false)
  })
})
