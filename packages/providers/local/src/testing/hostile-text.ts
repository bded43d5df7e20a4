import * as fc from 'fast-check'
import { anyCharacter } from '../../../../core/src/testing/any-character.ts'

const inherited = ['constructor', 'Constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']
const names = [
  'A.',
  'A',
  'I',
  'Dr.',
  'Mr. ',
  "O'",
  "'s",
  'Bank',
  'Inc.',
  'St. ',
  'iPhone',
  'von ',
  'of ',
  'not ',
  'two ',
]
const marks = [
  '"',
  '“',
  '(',
  ')',
  '[',
  '- ',
  '–',
  '& ',
  '.',
  '!',
  '…',
  ',',
  '\n',
  '\n\n',
  '\t',
  ' ',
  '```mirror\n',
  '---\n',
]
const shapes = ['1', '1,000', '$', '%', '3 May', '12:00', '@', 'a@b.c', 'www.x.y', 'http://', 'fail: ', 'very ']
const characters = ['😀', '\ud83d', '\udc00', '\u0301', '\u200d', '\u0000', '\ufeff', 'İ', 'ß', 'ﬁ', 'ǅ', '中']
const pieces = [...inherited, ...names, ...marks, ...shapes, ...characters]

/**
 * Texts of pieces that parsers stumble over, alone and repeated.
 *
 * @param words what the parser under test knows
 */
export function hostileText(words: readonly string[] = []): fc.Arbitrary<string> {
  const piece = fc.constantFrom(...pieces, ...words.map((word) => `${word} `))
  const repeated = fc.tuple(piece, fc.integer({ min: 1, max: 200 })).map(([text, times]) => text.repeat(times))
  const parts = fc.oneof({ weight: 6, arbitrary: piece }, repeated, fc.string({ unit: anyCharacter, maxLength: 5 }))
  return fc.array(parts, { minLength: 1, maxLength: 40 }).map((texts) => texts.join(''))
}
