import type { AnswerPart, Issue, TextAnswer, TextEvent, TextRequest } from '@fairlead/core/provider'
import { type Ending, endingOf, readFinish, usageOf } from './finish.ts'
import type { GenerateReply, WirePart } from './wire.ts'

export interface Reading {
  /** The provider's id, for what the API needs back in the next request. */
  readonly id: string
  readonly request: Pick<TextRequest, 'messages'>
  readonly warnings: readonly Issue[]
  /** The tier of the request. */
  readonly tier?: string | undefined
}

export function textFromWire(reply: GenerateReply, { warnings, tier, ...reading }: Reading): TextAnswer {
  const parts = partsOf(reply).flatMap(partReader(reading))
  const finish = readFinish(endingOf(reply), new Set(parts.map(({ type }) => type)), tier)
  const isPlain = parts.every(({ type, providerOptions }) => type === 'text' && !providerOptions)
  return {
    content: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    ...(!isPlain && { parts }),
    ...finish,
    warnings: [...warnings, ...finish.warnings],
  }
}

/** The stream ends with the reply; it is complete if one of its events has a finish reason. */
export async function* textFromEvents(
  events: AsyncIterable<GenerateReply>,
  { warnings, tier, ...reading }: Reading,
): AsyncGenerator<TextEvent, void, undefined> {
  const read = partReader(reading)
  const types = new Set<AnswerPart['type']>()
  let ending: Ending = {}
  for await (const event of events) {
    // The counts of the prompt, which every event repeats.
    const early = ending.usage ? undefined : usageOf(event.usageMetadata, tier)
    if (early) yield { type: 'usage', usage: early }
    ending = withLatest(ending, endingOf(event))
    const parts = partsOf(event).flatMap(read)
    if (parts.length === 0) yield { type: 'alive' }
    for (const part of parts) {
      types.add(part.type)
      yield toEvent(part)
    }
  }
  const finish = readFinish(ending, types, tier)
  yield { type: 'finish', ...finish, warnings: [...warnings, ...finish.warnings] }
}

/** Reads one part after the other. Parts of other types, such as code that Google ran, are left out. */
function partReader({
  id,
  request: { messages },
}: Omit<Reading, 'warnings' | 'tier'>): (part: WirePart) => AnswerPart[] {
  let calls = messages.reduce((sum, { content }) => sum + content.filter(({ type }) => type === 'tool_call').length, 0)
  return ({ text, thought = false, thoughtSignature, functionCall, inlineData }) => {
    const signature = thoughtSignature !== undefined && { providerOptions: { [id]: { thoughtSignature } } }
    if (functionCall) {
      calls += 1
      const { name, args } = functionCall
      // Models before Gemini 3 send no id. It must be unique within the conversation.
      return [{ type: 'tool_call', id: functionCall.id || `call_${calls}`, name, input: args ?? {}, ...signature }]
    }
    if (inlineData || (!text && !signature)) return []
    return [{ type: thought ? 'reasoning' : 'text', text: text ?? '', ...signature }]
  }
}

function toEvent(part: AnswerPart): TextEvent {
  if (part.type !== 'tool_call') return part
  const { input, ...call } = part
  return { ...call, inputDelta: JSON.stringify(input) }
}

function partsOf({ candidates }: GenerateReply): readonly WirePart[] {
  return candidates?.[0]?.content?.parts ?? []
}

function withLatest(ending: Ending, latest: Ending): Ending {
  return { ...ending, ...Object.fromEntries(Object.entries(latest).filter(([, value]) => value !== undefined)) }
}
