const emptyWords = new Set(
  `about above after again all also although always and another any anyone anything are around away back because been
  before behind being below between both but came can come could did does doing done down during each either else enough
  even ever every everything few first for from get gets give given going good had has have having her here hers him his
  how however into its itself just keep kept know last less let like little long look made make makes many may might more
  most much must near need never new next nobody nor not nothing now off often once one only onto other others our out
  over own per perhaps put quite rather really said same see seem she should since some someone something still such
  take than that the their them then there these they thing things this those though three through time till too toward
  two under until upon use used very want was way well were what when where which while who whole whose why will with
  within without would yet you your yours`.split(/\s+/),
)

/** Longer words are no language, and the stemmer takes long for them. */
const longestWord = 60

/** The words of a text that carry meaning, in lower case and in order, repetitions included. */
export function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
  return words.filter((word) => word.length > 2 && word.length <= longestWord && !emptyWords.has(word))
}
