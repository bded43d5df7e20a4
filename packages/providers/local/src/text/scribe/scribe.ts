import type { TextRequest } from '@fairlead/core/provider'
import { loadOnce } from '../../load-once.ts'
import { withTopic } from './brief/brief.ts'
import { readConversation } from './brief/read-conversation.ts'
import type { Voice } from './grammar/compose.ts'
import { needsProvider } from './honest.ts'
import type { Kind } from './kind.ts'
import { translation } from './kinds/translation.ts'
import { isForeign } from './language.ts'
import { loadKinds } from './load-kinds.ts'
import { recognize } from './recognize.ts'
import { writeComposed } from './write-composed.ts'

export interface Paper {
  /** Numbers from 0 up to 1. */
  readonly random: () => number
  /** Whether a text has room; one that has none is cut off afterwards. */
  readonly fits: (text: string) => boolean
}

/** Writes the answer to a request. */
export type Write = (request: TextRequest, paper: Paper) => string

/** Longer system messages are read in part. */
const maxSystem = 2_000

/** Loads, once, all that composing needs, and gives what writes the answers. */
export const loadScribe = loadOnce(load)

async function load(): Promise<Write> {
  const kinds = await loadKinds()
  return (request, { random, fits }) => {
    const { brief, system } = readConversation(request.messages)
    if (isForeign(brief.instruction) || translation.asks.test(system.slice(0, maxSystem)))
      return needsProvider('language')
    const kind = kindOf(recognize(brief, kinds))
    const { tones, length } = brief
    const { temperature = 0.7, topP = 1, frequencyPenalty = 0, presencePenalty = 0 } = request
    const sampling = { temperature, topP, frequencyPenalty, presencePenalty, random }
    const voice: Voice = { sampling, tones, scale: length.scale, count: length.count }
    return 'work' in kind ? kind.work(brief, voice) : writeComposed(kind, withTopic(brief, kind.asks), voice, fits)
  }
}

function kindOf(kind: Kind | undefined): Kind {
  if (!kind) throw new Error('No kind took the request, though "continuation" takes any.')
  return kind
}
