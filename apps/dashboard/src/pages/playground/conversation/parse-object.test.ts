import { describe, expect, test } from 'vitest'
import { parseObject } from './parse-object.ts'

describe('parseObject', () => {
  test('parseObject rejects what is not an object', () => {
    expect(parseObject('[]')).toEqual({ issue: 'must be a JSON object' })
    expect(parseObject('{')).toMatchObject({ issue: expect.stringContaining('is not JSON') })
    expect(parseObject('{"type":"object"}')).toEqual({ value: { type: 'object' } })
  })
})
