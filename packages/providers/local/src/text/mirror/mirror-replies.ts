import {
  type AnswerPart,
  readToolInput,
  type TextAnswer,
  type TextEvent,
  type TextFinish,
} from '@fairlead/core/provider'
import type { Delay } from '../delay.ts'
import type { TextReplies } from '../text-replies.ts'
import { tokenizer } from '../tokens/tokenizer.ts'
import type { Reflect, Reflection } from './mirror.ts'
import { regroupPieces, type Section } from './sections.ts'
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
      return { parts: sections.map(({ kind, pieces }) => toPart(kind, pieces.join(''))), ...toFinish(reflection) }
    },
    async *streamText(request, call) {
      const reflection = await reflect(request, call, await tokenizer())
      const { failure, script } = reflection
      call.warn?.(reflection.warnings)
      const failAfter = failure ? (script.failAfter ?? (failure === 'malformed' ? 1 : 0)) : Infinity
      let chunks = 0
      for (const event of reflection.sections.flatMap((section, index) => toEvents(section, index, script.chunks))) {
        if (chunks === failAfter) break
        if (event.type === 'part_delta' && chunks++ > 0 && script.delayMs) await delay(script.delayMs, call.signal)
        call.signal.throwIfAborted()
        yield event
      }
      // A malformed stream has no word of why: an end without `finish`.
      if (failure === 'malformed') return
      if (failure) throw thrown[failure]()
      yield { type: 'finish', ...toFinish(reflection) }
    },
  }
}

function toPart(kind: Section['kind'], text: string): AnswerPart {
  if (typeof kind === 'string') return { type: kind, text }
  return { type: 'tool_call', id: kind.id, name: kind.name, ...readToolInput(text) }
}

function toEvents({ kind, pieces }: Section, index: number, chunks: number | undefined): readonly TextEvent[] {
  const part: AnswerPart =
    typeof kind === 'string'
      ? { type: kind, text: '' }
      : { type: 'tool_call', id: kind.id, name: kind.name, inputText: '' }
  return [
    { type: 'part_start', index, part },
    ...regroupPieces(pieces, chunks).map((text) => ({ type: 'part_delta' as const, index, text })),
    { type: 'part_end', index },
  ]
}

function toFinish({ finishReason, stopSequence, usage, warnings }: Reflection): TextFinish {
  return { finishReason, stopSequence, usage, ...(warnings.length > 0 && { warnings }) }
}
