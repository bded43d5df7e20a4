import { capital } from './apply-form.ts'

/** Mends what assembling leaves behind: articles, capitals at the beginning of sentences, doubled marks and blanks. */
export function polish(text: string): string {
  return smallInTitles(sentenceCapitals(articles(text)))
    .replaceAll(/([.!?…])\.(?!\.)(?=\s|$)/g, '$1')
    .replaceAll(/ +([,.;:!?])/g, '$1')
    .replaceAll(/,([.!?])/g, '$1')
    .replaceAll(/(\S) {2,}/g, '$1 ')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/^ (?=\S)/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** A title is put together from titled parts; only here is it known which of its articles stand inside. */
function smallInTitles(text: string): string {
  return text.replaceAll(/\*\*[^*\n]+\*\*/g, (title) =>
    title.replaceAll(/(?<=[^*:] )(?:The|An?)(?= )/g, (word) => word.toLowerCase()),
  )
}

function articles(text: string): string {
  return text.replaceAll(/\b([Aa])n? (["“‘]?)([\p{L}\p{N}]+)/gu, (_, a: string, quote: string, word: string) => {
    return `${a}${soundsLikeVowel(word) ? 'n' : ''} ${quote}${word}`
  })
}

/** Whether a word is spoken with a vowel first, so that it takes "an". */
export function soundsLikeVowel(word: string): boolean {
  if (/^(8|11(?!\d)|18(?!\d)|8\d)/.test(word)) return true
  if (/^[A-Z]{2,4}$/.test(word))
    return /^[AEFHILMNORSX]/.test(word) && !/^(NA[ST]|ROM|RAM|LA[NS]|SA[LT]|NI[CS])/.test(word)
  if (/^(hour|hono|heir|honest)/i.test(word)) return true
  return /^[aeiou]/i.test(word) && !/^(uni([^nm]|[mn]o)|us[aeiu]|ut[ei]|eu|ewe|one$|once|ubiq|ura[ln]|uk)/i.test(word)
}

function sentenceCapitals(text: string): string {
  const begin = /(^|\n)((?:- \[ \] |- |\d+\. |#+ |> )?(?:\*\*)?)([^\n]*)/g
  return text
    .replaceAll(begin, (_, before: string, bullet: string, line: string) => before + bullet + capital(line))
    .replaceAll(/(?<=[.!?]["”’)]?\s+)["“‘(]?\p{Ll}\S*/gu, (word, at: number, all: string) =>
      goesOn(all.slice(Math.max(0, at - 8), at).trimEnd()) ? word : capital(word),
    )
}

/** Whether a sentence runs on after these marks: after speech (“Stay!” she said) and after an abbreviation. */
function goesOn(before: string): boolean {
  return /["”]$|\.\.\.$|\b(?:e\.g|i\.e|etc|vs|no|Mr|Mrs|Ms|Dr|p\.m|a\.m|\p{L}\.\p{L})\.$/iu.test(before)
}
