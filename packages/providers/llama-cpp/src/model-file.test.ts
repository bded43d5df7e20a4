import { describe, expect, test } from 'vitest'
import { toModelId } from './model-file.ts'

describe('the id of a model', () => {
  test.each([
    ['/models/tiny.gguf', 'tiny'],
    ['/models/Tiny 2.GGUF', 'Tiny-2'],
    ['tiny-q8_0-00001-of-00003.gguf', 'tiny-q8_0'],
    ['/models/.gguf', 'model'],
    [`/models/${'long'.repeat(60)}.gguf`, 'long'.repeat(50)],
  ])('the id of a model for the file %s is %s', (path, id) => {
    expect(toModelId(path)).toBe(id)
  })
})
