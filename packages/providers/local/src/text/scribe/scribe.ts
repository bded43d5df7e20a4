import type { Provider, ProviderCall, TextRequest } from '@fairlead/core/provider'
import { loadOnce } from '../../load-once.ts'
import { withTopic } from './brief/brief.ts'
import { readConversation } from './brief/read-conversation.ts'
import type { Voice } from './grammar/compose.ts'
import type { Desk } from './kind.ts'
import { readKinds } from './kinds/all-kinds.ts'
import { needsProvider, wantsLanguage } from './kinds/honest.ts'
import { isForeign } from './language.ts'
import { recognize } from './recognize.ts'
import { exampleFrom, type Example } from './schema-example.ts'
import { writeComposed } from './write-composed.ts'

/** The tools that the texts are written with. */
export interface Means {
  /** Numbers from 0 up to 1. */
  readonly random: () => number
  /** Whether a text has room; one that has none is cut off afterwards. */
  readonly fits: (text: string) => boolean
  readonly now: () => Date
  readonly analyze: Provider['analyze']
  readonly call: ProviderCall
}

/** Writes the answer to a request. Only that to a schema may have unmet keywords. */
export type Write = (request: TextRequest, means: Means) => Promise<Example>

/** Longer system messages are read in part. */
const maxSystem = 2_000

/** Loads, once, all that composing needs, and returns the function that writes the answers. */
export const loadScribe = loadOnce(load)

async function load(): Promise<Write> {
  const kinds = readKinds()

  return async (request, { random, fits, now, analyze, call }) => {
    const { brief, system } = readConversation(request.messages)
    const { temperature = 0.7, topP = 1, frequencyPenalty = 0, presencePenalty = 0, responseFormat } = request
    const sampling = { temperature, topP, frequencyPenalty, presencePenalty, random }
    const voice: Voice = { sampling, tones: brief.tones, scale: brief.length.scale, count: brief.length.count }
    const desk: Desk = {
      voice,
      now,
      analyze:
        analyze &&
        (async (text, tasks) => (await analyze({ analyzer: 'reader', text, tasks, language: 'en' }, call)).analysis),
    }
    const text = async () => {
      if (isForeign(brief.instruction) || wantsLanguage.test(system.slice(0, maxSystem)))
        return needsProvider('language')
      const kind = recognize(brief, kinds, desk)
      if (!kind) throw new Error('No kind took the request, though "unknown" takes any.')
      return 'work' in kind ? kind.work(brief, desk) : writeComposed(kind, withTopic(brief, kind.asks), voice, fits)
    }
    if (responseFormat?.type === 'json_schema') return exampleFrom(responseFormat.schema, brief, text, desk)
    const answer = await text()
    return { text: responseFormat ? asObject(answer) : answer, unmet: [] }
  }
}

/** The answer itself if it is a JSON object. */
function asObject(text: string): string {
  if (!text.startsWith('{')) return JSON.stringify({ text })
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return JSON.stringify({ text })
  }
}
