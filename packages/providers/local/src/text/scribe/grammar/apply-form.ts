import type { Form } from './grammar.ts'

const small = new Set('a an and as at but by for from in nor of off on or per so the to up via with'.split(' '))

export function applyForm(text: string, form: Form): string {
  return form === 'title' ? titleCase(text) : capital(text)
}

/** Capitals as in a headline; a word that has a capital inside (iPhone, NASA) stays as it is. */
export function titleCase(text: string): string {
  const words = text.split(/(\s+)/)
  const last = words.length - 1
  return words
    .map((word, index) => {
      const isBlank = index % 2 === 1
      if (isBlank) return word
      return index > 0 && index < last && small.has(word.toLowerCase()) ? word.toLowerCase() : capital(word)
    })
    .join('')
}

/** Makes the first letter a capital unless the word carries one further in. */
export function capital(text: string): string {
  const [word = ''] = text.split(/\s/, 1)
  if (/\p{Lu}/u.test(word.slice(1)) || /[@/]|\w\.\w/.test(word)) return text
  return text.replace(/^(["'“‘(*_]*)(\p{Ll})/u, (_, before: string, letter: string) => before + letter.toUpperCase())
}
