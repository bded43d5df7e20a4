import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { findIssues } from './validate.ts'
import { integerBetween } from './field-schemas.ts'

const schema = z.strictObject({ count: integerBetween(1, 10) })

describe('integerBetween', () => {
  test.each<[unknown, string]>([
    [0, 'must be between 1 and 10'],
    [11, 'must be between 1 and 10'],
    [1e22, 'must be between 1 and 10'],
    [-1e22, 'must be between 1 and 10'],
    [1.5, 'must be an integer'],
    ['1', 'must be a number'],
    [undefined, 'is required'],
  ])('integerBetween reports exactly one issue for %j', (count, issue) => {
    expect(findIssues(schema, { count })).toEqual([{ field: 'count', issue }])
  })

  test.each([1, 10])('integerBetween accepts %d', (count) => {
    expect(findIssues(schema, { count })).toEqual([])
  })
})
