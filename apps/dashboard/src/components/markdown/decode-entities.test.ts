import { describe, expect, test } from 'vitest'
import { decodeEntities } from './decode-entities.ts'

describe('decodeEntities', () => {
  test('decodeEntities decodes names and numbers once', () => {
    expect(decodeEntities('a &lt; b &amp;lt; &#233; &#x1F600; &nbsp;')).toBe('a < b &lt; é 😀 \u00a0')
  })

  test('decodeEntities leaves other texts as they are', () => {
    expect(decodeEntities('&unknown; &constructor; &#0; &#9999999; R&D; & &;')).toBe(
      '&unknown; &constructor; &#0; &#9999999; R&D; & &;',
    )
  })
})
