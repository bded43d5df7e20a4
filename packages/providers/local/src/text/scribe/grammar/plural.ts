/** A map: a word such as `constructor` must not find what every object inherits. */
const irregular: ReadonlyMap<string, string> = new Map(
  Object.entries({
    child: 'children',
    person: 'people',
    man: 'men',
    woman: 'women',
    mouse: 'mice',
    goose: 'geese',
    foot: 'feet',
    tooth: 'teeth',
    ox: 'oxen',
    fish: 'fish',
    sheep: 'sheep',
    deer: 'deer',
    series: 'series',
    species: 'species',
    leaf: 'leaves',
    knife: 'knives',
    wolf: 'wolves',
    shelf: 'shelves',
    life: 'lives',
    wife: 'wives',
    half: 'halves',
    loaf: 'loaves',
    thief: 'thieves',
    hero: 'heroes',
    potato: 'potatoes',
    tomato: 'tomatoes',
    quiz: 'quizzes',
  }),
)

/** The plural of a noun phrase: its last word is the one that changes. */
export function plural(phrase: string): string {
  return phrase.replace(/[\p{L}]+$/u, (word) => ofWord(word))
}

function ofWord(word: string): string {
  const known = irregular.get(word.toLowerCase())
  if (known) return word[0] === word[0]!.toUpperCase() ? known[0]!.toUpperCase() + known.slice(1) : known
  if (/(s|x|z|ch|sh)$/i.test(word)) return `${word}es`
  return /[^aeiou]y$/i.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
}
