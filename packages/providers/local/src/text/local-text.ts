import {
  type Provider,
  ProviderError,
  type ProviderCall,
  type TextAnswer,
  type TextModel,
  type TextRequest,
} from '@fairlead/core/provider'
import { type Delay, realDelay } from './delay.ts'
import { demoTurn } from './demo/demo.ts'
import { mirror } from './mirror/mirror.ts'
import { mirrorReplies } from './mirror/mirror-replies.ts'
import { secureRandom } from './secure-random.ts'
import { loadScribe } from './scribe/scribe.ts'
import { scribeReplies } from './scribe/scribe-replies.ts'
import type { TextReplies } from './text-replies.ts'
import { demoModel, mirrorModel, scribeModel } from './text-models.ts'
import { tokenizer } from './tokens/tokenizer.ts'

export interface LocalTextOptions {
  /** Numbers from 0 up to 1, for requests without a seed. Default: the machine's source of randomness. */
  readonly random?: () => number
  /** The clock that `scribe` reads. Default: the clock of the machine. */
  readonly now?: () => Date
  /** How `mirror` waits. Default: by the machine's clock. */
  readonly delay?: Delay
  /** Whether to have the model `demo`, which stands in for the models that clients usually ask for. Default: false. */
  readonly demo?: boolean
}

/** The text half of a provider. */
export interface LocalText extends Required<Pick<Provider, 'generateText' | 'streamText' | 'warmUp'>> {
  readonly models: readonly TextModel[]
}

const rehearsal: TextRequest = {
  model: scribeModel.id,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'write a haiku about a rehearsal' }] }],
  maxTokens: 100,
  seed: 0,
}

const rehearsed: ProviderCall = {
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  requestId: 'warm-up',
}

/**
 * The models `scribe`, `mirror`, and `demo`: text with no network and no weights.
 *
 * @param analyze finds entities and sentiment for `scribe`
 */
export function localText(
  { random = secureRandom, now, delay = realDelay, demo = false }: LocalTextOptions = {},
  analyze?: Provider['analyze'],
): LocalText {
  const scribe = scribeReplies(random, now, analyze)
  const replies: Readonly<Record<string, TextReplies>> = {
    [scribeModel.id]: scribe,
    [mirrorModel.id]: mirrorReplies(mirror(delay), delay),
    ...(demo && { [demoModel.id]: mirrorReplies(mirror(delay, demoTurn(scribe)), delay) }),
  }
  const repliesOf = ({ model }: TextRequest) => {
    if (Object.hasOwn(replies, model)) return replies[model]!
    const detail = `The embedded provider has no text model "${model}".`
    throw new ProviderError('invalid_request', detail, { field: 'model', detail })
  }
  return {
    models: [scribeModel, mirrorModel, ...(demo ? [demoModel] : [])],
    async generateText(request: TextRequest, call: ProviderCall): Promise<TextAnswer> {
      return repliesOf(request).generateText(request, call)
    },
    streamText: (request, call) => repliesOf(request).streamText(request, call),
    async warmUp() {
      await Promise.all([tokenizer(), loadScribe()])
      // The first answer compiles what every later one runs.
      await repliesOf(rehearsal).generateText(rehearsal, rehearsed)
    },
  }
}
