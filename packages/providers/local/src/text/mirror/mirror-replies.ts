import type { AnswerPart, TextAnswer, TextEvent } from '@fairlead/core/provider'
import type { Delay } from '../delay.ts'
import type { TextReplies } from '../text-replies.ts'
import { tokenizer } from '../tokens/tokenizer.ts'
import type { Reflect, Reflection } from './mirror.ts'
import { chunksOf, type Section } from './sections.ts'
import { thrown } from './thrown.ts'

/** Puts what the mirror shows into the provider's contract. */
export function mirrorReplies(reflect: Reflect, delay: Delay): TextReplies {
  return {
    async generateText(request, call) {
      const reflection = await reflect(request, call, await tokenizer())
      const { failure, sections } = reflection
      // On purpose no answer at all: whoever calls a provider must find that out for itself.
      if (failure === 'malformed') return { malformed: true } as unknown as TextAnswer
      if (failure) throw thrown[failure]()
      const content = sections.map(({ kind, pieces }) => (kind === 'text' ? pieces.join('') : '')).join('')
      const isOnlyText = sections.every(({ kind }) => kind === 'text')
      return { content, ...(!isOnlyText && { parts: sections.flatMap(partsOf) }), ...finishOf(reflection) }
    },
    async *streamText(request, call) {
      const reflection = await reflect(request, call, await tokenizer())
      const { failure, script } = reflection
      call.warn?.(reflection.warnings)
      const failAfter = script.failAfter ?? (failure === 'malformed' ? 1 : 0)
      const events = reflection.sections.flatMap((section) => eventsOf(section, script.chunks))
      for (const [index, event] of (failure ? events.slice(0, failAfter) : events).entries()) {
        if (index > 0 && script.delayMs) await delay(script.delayMs, call.signal)
        call.signal.throwIfAborted()
        yield event
      }
      // A malformed stream has no word of why: an end without `finish`.
      if (failure === 'malformed') return
      if (failure) throw thrown[failure]()
      yield { type: 'finish', ...finishOf(reflection) }
    },
  }
}

/** The input of a call that is cut off is no JSON. */
function partsOf({ kind, pieces, isCutOff }: Section): readonly AnswerPart[] {
  if (typeof kind === 'string') return [{ type: kind, text: pieces.join('') }]
  return isCutOff ? [] : [{ type: 'tool_call', ...kind }]
}

function eventsOf({ kind, pieces }: Section, chunks: number | undefined): readonly TextEvent[] {
  return chunksOf(pieces, chunks).map((text) =>
    typeof kind === 'string'
      ? { type: kind, text }
      : { type: 'tool_call', id: kind.id, name: kind.name, inputDelta: text },
  )
}

function finishOf({ finishReason, stopSequence, usage, warnings }: Reflection) {
  return { finishReason, stopSequence, usage, ...(warnings.length > 0 && { warnings }) }
}
