import type { Issue } from '@fairlead/core/provider'
import { wordList } from './word-list.ts'

/** Shorter texts are too easily mistaken; what the beginning of a long one says holds for the rest. */
const minLetters = 60
const longestSample = 2_000

/** A text in which these make up so large a share is English, without asking the detector. */
const englishWords = wordList(
  `
    the of and to in is was for that it on with as at by from this be are have has had not but they you we he
    she his her their our my your which were been will would can could there what when who how if so than then
    its into about after
  `,
)
const englishShare = 0.15

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** Warns of a text that is plainly in another language than said. */
export async function languageWarnings(text: string, said: string): Promise<Issue[]> {
  const detected = await plainLanguage(text.slice(0, longestSample).toWellFormed())
  if (detected === undefined || detected === said) return []
  return [
    {
      field: 'language',
      issue: `the text looks like ${names.of(detected) ?? detected}, not ${names.of(said) ?? said}`,
    },
  ]
}

async function plainLanguage(sample: string): Promise<string | undefined> {
  if ((sample.match(/\p{L}/gu)?.length ?? 0) < minLetters) return undefined
  if (isPlainEnglish(sample)) return 'en'
  // loaded by the first text that calls for it: it takes 90 MB in every thread, and most texts are English
  const { eld } = await import('eld/extrasmall')
  const guess = eld.detect(sample)
  return guess.isReliable() && guess.language !== '' ? guess.language : undefined
}

function isPlainEnglish(sample: string): boolean {
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? []
  return words.filter((word) => englishWords.has(word)).length >= words.length * englishShare
}
