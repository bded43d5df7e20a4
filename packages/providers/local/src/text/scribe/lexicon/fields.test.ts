import { describe, expect, test } from 'vitest'
import { syllables } from '../grammar/syllables.ts'
import { findField, readFields } from './find-field.ts'

const fields = readFields()

describe('the fields', () => {
  test('the fields know a topic by its words, in the plural too', () => {
    expect(findField('fresh cakes').place).toContain('the kitchen')
    expect(findField('qwertz')).toEqual(fields.at(-1))
  })

  test('the fields have lines of five and of seven syllables', () => {
    for (const field of fields) {
      expect(field['line of five'].filter((line) => syllables(line) !== 5)).toEqual([])
      expect(field['line of seven'].filter((line) => syllables(line) !== 7)).toEqual([])
    }
  })

  test('the fields have enough of everything to choose from', () => {
    for (const { about, ...lists } of fields) {
      for (const [name, words] of Object.entries(lists)) {
        expect(new Set(words).size, `${name} of "${about}"`).toBeGreaterThanOrEqual(4)
      }
    }
  })
})
