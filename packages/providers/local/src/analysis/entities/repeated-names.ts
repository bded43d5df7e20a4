import type { Mention } from './mention.ts'
import type { Name } from './name.ts'

/** A judgement as sure as this may settle what the same name is elsewhere in the text. */
const telling = 0.6
/** A judgement as sure as this stands, whatever the rest of the text says. */
const sure = 0.8
/** The share of a judgment's confidence that remains where it is carried over. */
const carried = 0.95
const shortestPart = 3

/** Settles doubtful names by what the rest of the text says of them: "Oliver Glasner … Glasner", "Acme Ltd … Acme". */
export function settleRepeated(
  names: readonly Name[],
  judged: readonly (Mention | undefined)[],
): (Mention | undefined)[] {
  const known = new Map<string, Mention>()
  names.forEach((name, index) => {
    const mention = judged[index]
    if (!mention || mention.confidence < telling) return
    for (const key of listKeys(name, mention)) {
      if (mention.confidence > (known.get(key)?.confidence ?? 0)) known.set(key, mention)
    }
  })
  return names.map((name, index) => {
    const mention = judged[index]
    const model = known.get(name.lower)
    const confidence = (model?.confidence ?? 0) * carried
    if (!model || (mention && mention.confidence >= Math.min(confidence, sure))) return mention
    return { type: model.type, confidence, start: name.start, end: name.end }
  })
}

/** The whole name; of a person also the surname, of an organization also the first word of two. */
function listKeys({ words, lower }: Name, { type }: Mention): string[] {
  const part = type === 'PERSON' ? words.at(-1)! : type === 'ORGANIZATION' && words.length === 2 ? words[0]! : undefined
  return words.length > 1 && part && part.text.length >= shortestPart ? [lower, part.lower] : [lower]
}
