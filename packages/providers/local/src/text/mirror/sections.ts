import type { FinishReason, TextRequest } from '@fairlead/core/provider'
import { cutAnswer } from '../tokens/cut-answer.ts'
import type { Tokenizer } from '../tokens/tokenizer.ts'
import type { Composed } from './compose.ts'
import type { Script, ScriptedCall } from './read-script.ts'

/** A part of an answer, in tokens. */
export interface Section {
  readonly kind: 'reasoning' | 'text' | (ScriptedCall & { readonly id: string })
  /** At least one. */
  readonly pieces: readonly string[]
}

/** An answer as it is sent. */
export interface CutSections {
  readonly sections: readonly Section[]
  readonly finishReason: FinishReason
  readonly stopSequence?: string | undefined
  readonly completionTokens: number
  readonly reasoningTokens: number
}

/** The maximum of the model, for requests without one. */
const maxReplyTokens = 16_384

/** Ends an answer at the maximum of tokens, and its text before a stop sequence. */
export function cutSections(
  { reasoning, reply, calls }: Composed,
  script: Script,
  { maxTokens = maxReplyTokens, stop = [] }: TextRequest,
  tokenizer: Tokenizer,
): CutSections {
  const planned: readonly (readonly [Section['kind'], string])[] = [
    ...(reasoning === undefined ? [] : [['reasoning', reasoning] as const]),
    ...(reply === undefined ? [] : [['text', reply === '' ? 'mirror' : reply] as const]),
    ...calls.map((call) => [call, JSON.stringify(call.input)] as const),
  ]
  const sections: Section[] = []
  const used = { total: 0, reasoning: 0 }
  let stopSequence: string | undefined
  let finishReason: FinishReason = calls.length > 0 ? 'tool_calls' : 'stop'
  let left = Math.min(maxTokens, script.maxTokens ?? Infinity)
  for (const [kind, text] of planned) {
    const all = splitText(text, kind === 'text' ? script.tokens : undefined, left, tokenizer)
    const cut = cutAnswer(all, { maxTokens: left, ...(kind === 'text' && { stop }) })
    left -= cut.tokens
    used.total += cut.tokens
    if (kind === 'reasoning') used.reasoning = cut.tokens
    const isCutOff = cut.tokens < all.length || (stop.length > 0 && cut.pieces.join('') !== all.join(''))
    if (cut.pieces.length > 0) sections.push({ kind, pieces: cut.pieces })
    if (isCutOff) {
      finishReason = cut.finishReason
      stopSequence = cut.stopSequence
      break
    }
  }
  return { sections, finishReason, stopSequence, completionTokens: used.total, reasoningTokens: used.reasoning }
}

function splitText(text: string, wanted: number | undefined, most: number, tokenizer: Tokenizer): readonly string[] {
  const pieces = tokenizer.pieces(text, Math.max(most, wanted ?? 0))
  if (wanted === undefined) return pieces
  return Array.from({ length: wanted }, (_, index) => pieces[index % pieces.length]!)
}

/** Joins the pieces of a section into as many chunks as the script asks for. Default: each is one. */
export function regroupPieces(pieces: readonly string[], wanted: number | undefined): string[] {
  if (wanted === undefined || wanted >= pieces.length) return [...pieces]
  return Array.from({ length: wanted }, (_, index) =>
    pieces
      .slice(Math.round((index * pieces.length) / wanted), Math.round(((index + 1) * pieces.length) / wanted))
      .join(''),
  )
}
