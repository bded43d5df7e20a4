import { describe, expect, test } from 'vitest'
import { pythonLiteral } from './python-literal.ts'

describe('pythonLiteral', () => {
  test('pythonLiteral writes constants, lists, and dictionaries as Python does', () => {
    expect(pythonLiteral({ a: true, b: null, c: [1, 'it\'s "x"'], d: {} })).toBe(
      '{\n    "a": True,\n    "b": None,\n    "c": [\n        1,\n        "it\'s \\"x\\"",\n    ],\n    "d": {},\n}',
    )
  })
})
