import { describe, expect, test } from 'vitest'
import { isCountry } from './shipment.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const known = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry)

describe('country codes', () => {
  test('are the 249 of ISO 3166-1', () => {
    expect(known).toHaveLength(249)
  })

  test('each name a country or territory that the Unicode CLDR knows too', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    expect(known.filter((code) => names.of(code) === undefined)).toEqual([])
  })

  test.each(['XX', 'EU', 'UK', 'XK', 'SU', 'de', 'DEU', '', 'D'])('do not hold %j', (code) => {
    expect(isCountry(code)).toBe(false)
  })
})
