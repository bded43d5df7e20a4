import { momentPattern } from './find-facts.ts'

/** Something that takes place at another time than planned. */
export interface Move {
  /** As the prompt words it: `a meeting`. */
  readonly what: string
  /** Ready to stand after "has moved": `from Friday to Monday at 10 am`, `to Monday`. */
  readonly dates: string
}

const verb =
  '(?:mov(?:e[ds]?|ing)|reschedul(?:e[ds]?|ing)|postpon(?:e[ds]?|ing)|shift(?:s|ed|ing)?|push(?:es|ed|ing)?(?: back)?|delay(?:s|ed|ing)?|chang(?:e[ds]?|ing))'
const word = "(?!that\\b)[\\w'’-]+"
const what = `((?:(?:an?|the|my|our|your|his|her|their) )?${word}(?: ${word}){0,4}?)`
const dates = `((?:from (?:${momentPattern.source}) )?(?:to|until) (?:${momentPattern.source}))`
const patterns = [
  // "The meeting has moved from Friday to Monday."
  new RegExp(
    `\\b((?:the|my|our|your|his|her|their) ${word}(?: ${word}){0,3}?) (?:(?:is|are|was|were|has|have|had|will|be|been|being) ){0,3}${verb} ${dates}`,
    'i',
  ),
  new RegExp(`\\b${verb} (?!from |to |until )${what} ${dates}`, 'i'),
]

/** Spares most prompts the patterns, which take long to compile: a service compiles what its warm-up uses. */
const anyMove = new RegExp(`\\b${verb} `, 'i')

/** `move a meeting from Friday to Monday`; undefined if nothing moves. */
export function findMove(instruction: string): Move | undefined {
  if (!anyMove.test(instruction)) return undefined
  const found = patterns.map((pattern) => pattern.exec(instruction)).find((match) => match !== null)
  return found ? { what: found[1]!, dates: found[2]! } : undefined
}
