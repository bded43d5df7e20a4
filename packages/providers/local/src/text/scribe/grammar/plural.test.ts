import { expect, test } from 'vitest'
import { plural } from './plural.ts'

test.each([
  ['old mill', 'old mills'],
  ['Child', 'Children'],
  ['constructor', 'constructors'],
  ['Constructor', 'Constructors'],
])('the grammar makes the plural of "%s": "%s"', (singular, expected) => {
  expect(plural(singular)).toBe(expected)
})
