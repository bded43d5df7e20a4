import type { Issue, ProviderCall, TextRequest } from '@fairlead/core/provider'
import type { TextReplies } from '../text-replies.ts'
import { cutAnswer } from '../tokens/cut-answer.ts'
import { tokenizer } from '../tokens/tokenizer.ts'
import { seededRandom } from './grammar/seeded-random.ts'
import { loadScribe } from './scribe.ts'

/** `[what goes in]`, but neither the boxes of a checklist nor brackets of the prompt. */
const gap = /\[[^\]\n]{2,120}\]/g

/** Tells the caller that a text is not finished. */
function warningsOf(text: string, prompt: string): { readonly warnings?: readonly Issue[] } {
  const gaps = (text.match(gap) ?? []).filter((bracket) => !prompt.includes(bracket)).length
  if (gaps === 0) return {}
  const count = gaps === 1 ? '1 gap' : `${gaps} gaps`
  const issue = `the text is a frame with ${count} in square brackets to fill in: scribe knows nothing beyond the prompt`
  return { warnings: [{ field: null, issue }] }
}

/** For requests without a maximum: that of the model. */
const maxReplyTokens = 4_096

/** Puts what scribe writes into the provider's contract. */
export function scribeReplies(random: () => number): TextReplies {
  const written = async (request: TextRequest, { signal }: ProviderCall) => {
    const [{ count, pieces }, write] = await Promise.all([tokenizer(), loadScribe()])
    const promptTokens = await count(request.prompt)
    signal.throwIfAborted()
    const { maxTokens = maxReplyTokens } = request
    const text = write(request, {
      random: request.seed === undefined ? random : seededRandom(request.seed),
      fits: (whole) => pieces(whole, maxTokens).length <= maxTokens,
    })
    const answer = cutAnswer(pieces(text, maxTokens), request)
    return {
      pieces: answer.pieces,
      finishReason: answer.finishReason,
      usage: { promptTokens, completionTokens: answer.tokens },
      ...warningsOf(answer.pieces.join(''), request.prompt),
    }
  }
  return {
    async generateText(request, call) {
      const { pieces, ...finish } = await written(request, call)
      return { content: pieces.join(''), ...finish }
    },
    async *streamText(request, call) {
      const { pieces, ...finish } = await written(request, call)
      for (const text of pieces) {
        call.signal.throwIfAborted()
        yield { type: 'text', text }
      }
      yield { type: 'finish', ...finish }
    },
  }
}
