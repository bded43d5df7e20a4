import { lexicon } from 'vader-sentiment/src/vader_lexicon.js'
import valences from './event-valences.json' with { type: 'json' }
import { boosters, contrasts, negations } from './modifiers.ts'
import { neutralWords } from './neutral-words.ts'
import { phraseTable } from './phrase-table.ts'
import { stemWord } from '../stem-word.ts'
import { directionValence, movable } from './direction.ts'

interface Token {
  readonly lower: string
  readonly shouted: boolean
}

interface Felt {
  readonly index: number
  readonly valence: number
  /** Whether it is a phrase that holds its own negation: "not worth it". */
  readonly settled: boolean
}

/** VADER knows moods but few events. */
const phrases = phraseTable(valences.events, valences.idioms)

/** VADER's own constants (Hutto and Gilbert, 2014): reach and strength of what stands before a word. */
const reach = 3
const turned = -0.74
const shout = 0.6
const exclamation = 0.25
const normalizer = 15

/** The mood of one sentence, from -1 to 1. */
export function scoreSentence(sentence: string): number {
  const tokens = tokenize(sentence)
  const plain = findValences(tokens)
  const ironic = plain.some(({ valence }) => valence === valences.irony)
  const felt = plain.map((word) => modified(word, tokens)).map((word) => (ironic ? meantIronically(word) : word))
  const sum = weighContrast(felt, tokens) + directionValence(tokens.map(({ lower }) => lower))
  const marks = Math.min(3, sentence.split('!').length - 1) * exclamation
  const louder = sum === 0 ? 0 : sum + Math.sign(sum) * marks
  return louder / Math.sqrt(louder * louder + normalizer)
}

const tokenPattern =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’/-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*|(?<![\p{L}\p{N}])(?:[:;=8xX]['’]?-?[()DPp/\\|3oO]{1,4}|<\/?3)(?![\p{L}\p{N}])|\p{Extended_Pictographic}/gu

function tokenize(sentence: string): Token[] {
  const words = sentence.match(tokenPattern) ?? []
  const allShouted = words.every((word) => word === word.toUpperCase())
  return words.map((word) => ({
    lower: word.toLowerCase().replaceAll('’', "'"),
    shouted: !allShouted && word.length > 2 && /^\p{Lu}+$/u.test(word),
  }))
}

function findValences(tokens: readonly Token[]): Felt[] {
  const stems = tokens.map(({ lower }) => stemWord(lower))
  const felt: Felt[] = []
  for (let index = 0; index < tokens.length;) {
    const phrase = phrases.longestAt(stems, index)
    const valence = phrase ? phrase.valence : wordValence(tokens[index]!.lower)
    const settled = phrase !== undefined && negations.has(tokens[index]!.lower)
    if (valence !== 0) felt.push({ index, valence, settled })
    index += phrase?.length ?? 1
  }
  return felt
}

function wordValence(word: string): number {
  if (neutralWords.has(word) || negations.has(word) || boosters.has(word) || movable(word) || /^\d/.test(word)) return 0
  if (Object.hasOwn(lexicon, word)) return lexicon[word]!
  const parts = word.split('-')
  return parts.length === 2 && Object.hasOwn(lexicon, parts[0]!) && !neutralWords.has(parts[0]!)
    ? lexicon[parts[0]!]!
    : 0
}

/** Applies the negations and boosters that stand just before a word. */
function modified({ index, valence, settled }: Felt, tokens: readonly Token[]): Felt {
  let strength = valence
  let negated = false
  for (let distance = 1; distance <= reach && index - distance >= 0; distance += 1) {
    const { lower } = tokens[index - distance]!
    strength += Math.sign(valence) * (boosters.get(lower) ?? 0) * (1 - 0.05 * (distance - 1))
    negated ||= negations.has(lower)
  }
  if (tokens[index]!.shouted) strength += Math.sign(valence) * shout
  return { index, valence: negated && !settled ? strength * turned : strength, settled }
}

function meantIronically(felt: Felt): Felt {
  return { ...felt, valence: -Math.abs(felt.valence) }
}

function weighContrast(felt: readonly Felt[], tokens: readonly Token[]): number {
  const turn = tokens.findLastIndex(({ lower }) => contrasts.has(lower))
  const weight = (index: number) => (turn <= 0 ? 1 : index < turn ? 0.5 : 1.5)
  return felt.reduce((sum, { index, valence }) => sum + valence * weight(index), 0)
}
