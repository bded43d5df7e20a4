import { describe, expect, test } from 'vitest'
import { ifMatchFrom } from './http-request.ts'

describe('an If-Match header', () => {
  test.each([
    ['"3"', [3]],
    ['"3", "4","5"', [3, 4, 5]],
    [' "3" ,, "4" , ', [3, 4]],
    ['*', 'any'],
    [' * ', 'any'],
    // A weak tag never matches strongly; any other tag matches no version.
    ['W/"3"', []],
    ['W/"3", "4"', [4]],
    ['"a,b", "4"', [4]],
    ['"03"', []],
    ['""', []],
    ['"99999999999999999999"', []],
    ['3', 'malformed'],
    ['"3', 'malformed'],
    ['"3" "4"', 'malformed'],
    ['*, "3"', 'malformed'],
    ['', 'malformed'],
    [',', 'malformed'],
  ])('an If-Match header with the value %j is parsed as %j', (header, expected) => {
    expect(ifMatchFrom(header)).toEqual(expected)
  })

  test('an If-Match header has no effect if it is missing', () => {
    expect(ifMatchFrom(undefined)).toBeUndefined()
  })
})
