import { describe, expect, test } from 'vitest'
import { clip } from './names.ts'

describe('clip', () => {
  test('returns a text of the maximum length unchanged', () => {
    expect(clip('abcde', 5)).toBe('abcde')
  })

  test('replaces everything beyond the maximum with an ellipsis that counts toward it', () => {
    expect(clip('abcdef', 5)).toBe('abcd…')
  })

  test('leaves out a surrogate pair that the cut would split', () => {
    expect(clip('abc😀def', 5)).toBe('abc…')
    expect(clip('ab😀cdef', 5)).toBe('ab😀…')
  })
})
