import type { TextAnswer, TextEvent, TextFinish } from './answer.ts'
import type { TextModel } from '../model.ts'
import type { TextRequest } from '../provider.ts'

/**
 * The text of a request for a model that takes only a prompt. Of a conversation, the text of the last message.
 *
 * @example
 *   const answer = complete(lastPrompt(request))
 */
export function lastPrompt({ messages }: Pick<TextRequest, 'messages'>): string {
  const parts = messages.at(-1)?.content ?? []
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/**
 * An answer of text alone.
 *
 * @param facts how it ended, its usage, and what else is known. Default: it ended by itself.
 * @example
 *   textAnswer('HELLO', { usage: { promptTokens: 3, completionTokens: 3 } })
 */
export function textAnswer(text: string, facts: Partial<TextFinish> = {}): TextAnswer {
  return { finishReason: 'stop', ...facts, parts: [{ type: 'text', text }] }
}

/**
 * The events of an answer of text alone.
 *
 * @param pieces of the text
 * @param facts as in `textAnswer`; a function if they are known only at the end
 * @example
 *   streamText: (request) => textEvents(lastPrompt(request).split(' '))
 */
export async function* textEvents(
  pieces: Iterable<string> | AsyncIterable<string>,
  facts: Partial<TextFinish> | (() => Partial<TextFinish>) = {},
): AsyncGenerator<TextEvent, void, undefined> {
  yield { type: 'part_start', index: 0, part: { type: 'text', text: '' } }
  for await (const text of pieces) yield { type: 'part_delta', index: 0, text }
  yield { type: 'part_end', index: 0 }
  yield { type: 'finish', finishReason: 'stop', ...(typeof facts === 'function' ? facts() : facts) }
}

/**
 * A text model that is free of charge.
 *
 * @param facts other than these defaults: 1,000 tokens at most, no capabilities; it streams if the provider does
 * @example
 *   models: [textModel('shout', { maxTokens: 200 })]
 */
export function textModel(id: string, facts: Partial<TextModel> = {}): TextModel {
  return {
    id,
    type: 'text',
    name: id,
    description: 'A text model.',
    maxTokens: 1_000,
    pricing: { input: 0, output: 0 },
    ...facts,
  }
}
