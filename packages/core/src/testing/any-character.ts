import { nat } from 'fast-check'

/**
 * Any character of Unicode, for `string({ unit: anyCharacter })`. The unit `binary` of fast-check has the same ones, but
 * keeps a table of all of them in memory, which each collection of garbage then visits.
 */
export const anyCharacter = nat(0x10ffff).map(toCharacter, toCode)

function toCharacter(code: number): string {
  return String.fromCodePoint(code).toWellFormed()
}

function toCode(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined
  if (code === undefined || toCharacter(code) !== character) throw new Error('this is not one character')
  return code
}
