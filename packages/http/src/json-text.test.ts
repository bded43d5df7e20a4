import { describe, expect, test } from 'vitest'
import { objectParser, seal, unseal } from './json-text.ts'

describe('sealed data', () => {
  test('sealed data is read as it was written', () => {
    const data = { options: { any: { signature: 'né' } } }
    expect(unseal(seal(data), 'signature', objectParser())).toEqual(data)
  })

  test.each([undefined, 7, '', 'EqMBCkYIAhgC', 'Fairlead.e30'])('sealed data is not expected in %j', (text) => {
    expect(unseal(text, 'signature', objectParser())).toBeUndefined()
  })

  test('sealed data that was changed is INVALID_REQUEST, and names the field', () => {
    const text = seal({ options: {} }).slice(0, -2)
    expect(() => unseal(text, 'messages[0].signature', objectParser())).toThrow(
      'messages[0].signature must be the JSON text of an object',
    )
  })
})

describe('the JSON texts of a request', () => {
  test('the JSON texts of a request have the limits of one body together', () => {
    const parse = objectParser()
    const half = JSON.stringify({ list: Array.from({ length: 30_000 }, () => 1) })
    expect(parse(half, 'first')).toHaveProperty('list')
    expect(() => parse(half, 'second')).toThrow('second is too much JSON')
  })
})
