const ownName = 'fairlead'

/** Shorter words are in too many passwords. */
const minStemLength = 4
/** Letters besides the stems that make a password independent of them: more than "password" or "welcome" has. */
const minOwnLetters = 9

/** Digits and signs that stand for a letter. One and the exclamation mark stand for two, which count as one here. */
const letterOf: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '!': 'l',
  i: 'l',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '8': 'b',
}

/**
 * Whether a password is little more than the name of the service or one of these names, with digits and signs in place of
 * letters or around them.
 */
export function isDerivedFrom(password: string, names: readonly string[]): boolean {
  const characters = [...password.toLowerCase()]
  const folded = characters.map(fold)
  const ofNames = new Set([ownName, ...names].flatMap((name) => name.split(/[^\p{L}\p{N}]+/u)).map(foldAll))
  const stems = [...ofNames].filter((stem) => stem.length >= minStemLength)
  const own = characters.map((character) => /\p{L}/u.test(character))
  const found = stems.filter((stem) => remove(stem, folded, own))
  return found.length > 0 && own.filter(Boolean).length < minOwnLetters
}

/** Marks where the stem is as not the password's own. Returns whether it is anywhere. */
function remove(stem: string, folded: readonly string[], own: boolean[]): boolean {
  const letters = [...stem]
  const found = folded.flatMap((_, at) => (letters.every((letter, n) => folded[at + n] === letter) ? [at] : []))
  for (const at of found) own.fill(false, at, at + letters.length)
  return found.length > 0
}

function foldAll(text: string): string {
  return [...text.normalize('NFKC').toLowerCase()].map(fold).join('')
}

function fold(character: string): string {
  return letterOf[character] ?? character
}
