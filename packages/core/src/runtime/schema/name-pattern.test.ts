import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coversPattern, matchesName } from './name-pattern.ts'

describe('matchesName', () => {
  test.each([
    ['gpt-5', 'gpt-5', true],
    ['gpt-5', 'gpt-5-mini', false],
    ['gpt-*', 'gpt-5-mini', true],
    ['gpt-*', 'gpt-', true],
    ['*', '', true],
    ['*/*', 'openai/gpt-5', true],
    ['*/*', 'gpt-5', false],
    ['a*a', 'a', false],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'a-c', false],
    ['a*bc*bc', 'abc', false],
    ['*.5', 'gpt-x5', false],
  ])('matchesName reads %s for %s as %s', (pattern, name, matches) => {
    expect(matchesName(pattern, name)).toBe(matches)
  })

  test('matchesName agrees with a regular expression', () => {
    const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 })
    const property = fc.property(text('ab*'), text('ab'), (pattern, name) => {
      expect(matchesName(pattern, name)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name))
    })
    fc.assert(property)
  })
})

describe('coversPattern', () => {
  test.each([
    [['gpt-*'], 'gpt-5*', true],
    [['gpt-5*'], 'gpt-*', false],
    [['a', 'b'], 'b', true],
    [['a*c'], 'a*b*c', true],
    [['*'], '*', true],
    [['a'], '*', false],
  ])('coversPattern reads %s over %s as %s', (patterns, other, covers) => {
    expect(coversPattern(patterns, other)).toBe(covers)
  })
})
