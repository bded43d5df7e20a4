import { describe, expect, test } from 'vitest'
import { clip, nearest, suggestName, coversPattern, matchesName } from './names.ts'
import * as fc from 'fast-check'

describe('clip', () => {
  test('clip returns a text of the maximum length unchanged', () => {
    expect(clip('abcde', 5)).toBe('abcde')
  })

  test('clip replaces everything beyond the maximum with an ellipsis that counts toward it', () => {
    expect(clip('abcdef', 5)).toBe('abcd…')
  })

  test('clip leaves out a surrogate pair that the cut would split', () => {
    expect(clip('abc😀def', 5)).toBe('abc…')
    expect(clip('ab😀cdef', 5)).toBe('ab😀…')
  })
})

describe('nearest', () => {
  const models = ['gpt-5.4', 'gpt-5.4-mini', 'claude-opus-4-5', 'o3', 'scribe']

  test.each([
    ['gpt-54', 'gpt-5.4'],
    ['GPT 5.4 mini', 'gpt-5.4-mini'],
    ['claude-opus-4.6', 'claude-opus-4-5'],
    ['o4', 'o3'],
    ['scrib', 'scribe'],
    ['llama', undefined],
    ['x', undefined],
    ['', undefined],
  ])('nearest finds for %j the name %j', (name, near) => {
    expect(nearest(name, models)).toBe(near)
  })

  test('nearest finds nothing for a name whose every letter would have to change', () => {
    expect(nearest('x', ['a'])).toBeUndefined()
  })

  test('nearest compares at most 2,000 candidates, and none that are long', () => {
    const others = Array.from({ length: 2_000 }, (_, index) => `model-${index}`)
    expect(nearest('scrib', [...others.slice(1), 'scribe'])).toBe('scribe')
    expect(nearest('scrib', [...others, 'scribe'])).toBeUndefined()
    expect(nearest('s'.repeat(64), ['s'.repeat(90)])).toBe('s'.repeat(90))
    expect(nearest('s'.repeat(64), [`${'s'.repeat(64)}${'-'.repeat(100)}`])).toBeUndefined()
    expect(nearest('s'.repeat(65), ['s'.repeat(64)])).toBeUndefined()
  })
})

describe('suggestName', () => {
  test('suggestName suggests the nearest name, listed or not, and lists the names otherwise', () => {
    expect(suggestName('scrib', ['scribe'], 'models')).toBe('did you mean "scribe"?')
    expect(suggestName('local/scrib', ['scribe'], 'models', ['local/scribe'])).toBe('did you mean "local/scribe"?')
    expect(suggestName('none', ['scribe'], 'models', ['local/scribe'])).toBe('models: scribe')
  })
})

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
