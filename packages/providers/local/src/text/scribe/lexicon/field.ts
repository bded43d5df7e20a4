/** A semantic field: the words that surround a topic, each list with the likeliest first. */
export interface Field {
  /** Words of a topic that belong here, in the singular. */
  readonly about: string
  /** Plural or uncountable nouns: `ropes`, `salt`. */
  readonly thing: readonly string[]
  /** Noun phrases with their article, to be seen: `a wet street`. */
  readonly sight: readonly string[]
  /** Noun phrases with their article, to be heard. */
  readonly sound: readonly string[]
  /** With article, without preposition; something is *near* or *beyond* it. */
  readonly place: readonly string[]
  /** Adjectives of praise or mood. */
  readonly quality: readonly string[]
  /** The activity there, as a gerund. */
  readonly verb: readonly string[]
  /** Short nouns without article, fit for a name. */
  readonly noun: readonly string[]
  /** Lines of a haiku, in syllables; each stands for itself. */
  readonly 'line of five': readonly string[]
  readonly 'line of seven': readonly string[]
  /** The benefit for people, as a noun phrase: `the smell of home`. */
  readonly promise: readonly string[]
  /** The merit of a good one in this field: `gets up before you do`. */
  readonly deed: readonly string[]
  /** The advantages of a thing that one buys, each a line of a list. */
  readonly merit: readonly string[]
}
