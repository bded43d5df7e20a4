import type { Kind } from '../kind.ts'
import { ownKinds } from './about-scribe.ts'
import { analyzedKinds } from './analyzed.ts'
import { answerFromText } from './answer-from-text.ts'
import { readComposedKinds } from './composed.ts'
import { computedKinds } from './computed.ts'
import { honestKinds } from './honest.ts'
import { jsonFacts } from './json-facts.ts'
import { textKinds } from './text-kinds.ts'

/** Every kind of answer. Of kinds that match a prompt equally well, the first is chosen. */
export function readKinds(): readonly Kind[] {
  return [
    ...computedKinds,
    ...ownKinds,
    jsonFacts,
    ...analyzedKinds,
    ...textKinds,
    answerFromText,
    ...readComposedKinds(),
    ...honestKinds,
  ]
}
