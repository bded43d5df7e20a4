import { bindColors } from './bind-colors.ts'
import type { Meaning, SceneName } from './meaning.ts'
import { type Phrase, splitPhrases } from './phrases.ts'
import type { Reading, Unpainted } from './reading.ts'

/** Understands a prompt by tables alone: no word is guessed at, and none is dropped in silence. */
export function readPrompt(prompt: string): Reading {
  const phrases = splitPhrases(prompt).filter(({ negated }) => !negated)
  const bound = bindColors(phrases)
  const scene = likeliestScene(phrases)
  return {
    ...(scene && { scene }),
    ...optional('time', first(phrases, 'time')?.time),
    ...optional('weather', first(phrases, 'weather')?.weather),
    ...optional('season', first(phrases, 'season')?.season),
    ...optional('mood', first(phrases, 'mood')?.mood),
    traits: new Set(all(phrases, 'trait').map(({ trait }) => trait)),
    families: all(phrases, 'family').map(({ family }) => family),
    colors: bound.free,
    colorNames: bound.names,
    parts: bound.parts,
    subjects: bound.subjects,
    unpainted: findUnpainted(phrases, scene),
  }
}

function likeliestScene(phrases: readonly Phrase[]): SceneName | undefined {
  const votes = new Map<SceneName, number>()
  const vote = (scene: SceneName, weight: number) => votes.set(scene, (votes.get(scene) ?? 0) + weight)
  for (const { scene, weight } of all(phrases, 'scene')) vote(scene, weight)
  for (const { home } of all(phrases, 'living')) if (home) vote(home, 1)
  let best: SceneName | undefined
  for (const [scene, count] of votes) if (!best || count > votes.get(best)!) best = scene
  return best
}

function findUnpainted(phrases: readonly Phrase[], scene: SceneName | undefined): Unpainted[] {
  const found = new Map<string, Unpainted>()
  for (const { text, meanings } of phrases) {
    const living = meanings.find((meaning) => meaning.as === 'living')
    const home = living?.home
    if (living) found.set(text, { text, reason: 'living', ...(home && home === scene && { home }) })
    else if (meanings.some(({ as }) => as === 'medium')) found.set(text, { text, reason: 'medium' })
    else if (meanings.length === 0 && isNameable(text)) found.set(text, { text, reason: 'unknown' })
  }
  return [...found.values()]
}

/** Adverbs, single letters and numbers name nothing that could be missed in a picture. */
function isNameable(text: string): boolean {
  return text.length > 2 && !text.endsWith('ly') && !/^\d+$/.test(text)
}

type Kind<As extends Meaning['as']> = Extract<Meaning, { readonly as: As }>

function all<As extends Meaning['as']>(phrases: readonly Phrase[], as: As): Kind<As>[] {
  return phrases.flatMap(({ meanings }) => meanings.filter((meaning): meaning is Kind<As> => meaning.as === as))
}

function first<As extends Meaning['as']>(phrases: readonly Phrase[], as: As): Kind<As> | undefined {
  return all(phrases, as)[0]
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value })
}
