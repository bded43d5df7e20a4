import type { EntityType } from '@fairlead/core/provider'
import nlp from 'compromise'
import type { Mention } from './mention.ts'
import type { Segment } from '../segments.ts'

interface Term {
  readonly pre: string
  readonly text: string
  readonly post: string
}

interface TermView {
  readonly docs: readonly (readonly Term[])[]
}

/** The people, places and organizations that compromise finds in a sentence, with the weight of its vote. */
export function compromiseVotes({ text, start }: Segment): Mention[] {
  const view = nlp(text)
  const offsets = findOffsets(view as unknown as TermView)
  const votes = (found: unknown, type: EntityType, confidence: number) =>
    (found as TermView).docs.flatMap((terms) => toMention(terms, offsets, start, type, confidence))
  return [
    ...votes(view.people(), 'PERSON', 0.6),
    ...votes(view.organizations(), 'ORGANIZATION', 0.5),
    ...votes(view.places(), 'LOCATION', 0.55),
  ]
}

/** Where each term stands; compromise keeps the text between terms in `pre` and `post`, so that it all adds up. */
function findOffsets(view: TermView): ReadonlyMap<Term, number> {
  const offsets = new Map<Term, number>()
  let offset = 0
  for (const term of view.docs.flat()) {
    offsets.set(term, offset + term.pre.length)
    offset += term.pre.length + term.text.length + term.post.length
  }
  return offsets
}

function toMention(
  terms: readonly Term[],
  offsets: ReadonlyMap<Term, number>,
  offset: number,
  type: EntityType,
  confidence: number,
): Mention[] {
  const first = terms[0]
  const last = terms.at(-1)
  const start = first && offsets.get(first)
  const end = last && offsets.get(last)
  if (start === undefined || end === undefined) return []
  return [{ type, confidence, start: offset + start, end: offset + end + last!.text.length }]
}
