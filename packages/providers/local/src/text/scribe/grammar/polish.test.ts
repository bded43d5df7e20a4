import { describe, expect, test } from 'vitest'
import { polish } from './polish.ts'

describe('polish', () => {
  test.each([
    ['a owl and an fox', 'An owl and a fox'],
    ['an university, a hour, a honest mistake', 'A university, an hour, an honest mistake'],
    ['a MRI, a 8-year-old, an one-off', 'An MRI, an 8-year-old, a one-off'],
  ])('polish mends the articles of %j', (text, mended) => expect(polish(text)).toBe(mended))

  test.each([
    ['one. two! “three?” she asked. four', 'One. Two! “Three?” she asked. Four'],
    ['- red\n- green', '- Red\n- Green'],
    ['it runs on iOS. iPhone users know.', 'It runs on iOS. iPhone users know.'],
    ['mail me e.g. at noon.', 'Mail me e.g. at noon.'],
    ['“stay,” she said', '“Stay,” she said'],
  ])('polish begins the sentences of %j with a capital', (text, mended) => expect(polish(text)).toBe(mended))

  test('polish removes doubled marks, blanks and lines', () => {
    expect(polish('one  two ,  three.. \n\n\n\nfour ?')).toBe('One two, three.\n\nFour?')
  })

  test('polish writes the articles inside a title small', () => {
    expect(polish('**The Fox and The Lantern**')).toBe('**The Fox and the Lantern**')
  })
})
