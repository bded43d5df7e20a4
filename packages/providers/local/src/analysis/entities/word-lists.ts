import names from './known-names.json' with { type: 'json' }
import contexts from './word-lists.json' with { type: 'json' }

type Lists<Names extends string> = Readonly<Record<Names, ReadonlySet<string>>>

function toSets<Names extends string>(lists: Readonly<Record<Names, { readonly words: readonly string[] }>>) {
  const entries = Object.entries<{ readonly words: readonly string[] }>(lists)
  return Object.fromEntries(entries.map(([name, list]) => [name, new Set(list.words)])) as unknown as Lists<Names>
}

/** Words beside or in a name that show its kind, by kind. */
export const lists = toSets(contexts)

/** Names that are known, beyond those that compromise knows. */
export const knownNames = toSets(names)
