import {
  type Issue,
  type Provider,
  type ProviderCall,
  ProviderError,
  textAnswer,
  textEvents,
  type TextRequest,
  withUserMessage,
} from '@fairlead/core/provider'
import { unusedOptions } from '../../unused-options.ts'
import { wholeText } from '../message-text.ts'
import type { TextReplies } from '../text-replies.ts'
import { cutAnswer } from '../tokens/cut-answer.ts'
import { tokenizer } from '../tokens/tokenizer.ts'
import { seededRandom } from './grammar/seeded-random.ts'
import { loadScribe } from './scribe.ts'

/** `[what goes in]`, but neither the boxes of a checklist nor brackets of the prompt. */
const gap = /\[[^\]\n]{2,120}\]/g

/** Tells the caller that a text is not finished, and what was not read. */
function findWarnings(text: string, unmet: readonly string[], asked: string, request: TextRequest): readonly Issue[] {
  // Brackets of JSON are no gaps.
  const brackets = request.responseFormat ? [] : (text.match(gap) ?? [])
  const gaps = brackets.filter((bracket) => !/^\[["\d]/.test(bracket) && !asked.includes(bracket)).length
  const count = gaps === 1 ? '1 gap' : `${gaps} gaps`
  const messages = withUserMessage(request.messages)
  const system = messages.findIndex(({ role }) => role === 'system')
  const last = messages.length - 1
  return [
    ...(gaps > 0
      ? [
          {
            field: null,
            issue: `the text is a frame with ${count} in square brackets to fill in: scribe knows nothing beyond the prompt`,
          },
        ]
      : []),
    ...(system >= 0
      ? [{ field: `messages[${system}]`, issue: 'scribe reads only tone, length and language from system messages' }]
      : []),
    ...(messages[last]?.role === 'assistant'
      ? [{ field: `messages[${last}]`, issue: 'scribe begins a new answer and does not continue this one' }]
      : []),
    ...formatWarnings(request, unmet),
    ...(request.tools?.length && request.toolChoice?.type !== 'none'
      ? [{ field: 'tools', issue: 'scribe never calls tools: it answers with text' }]
      : []),
    ...unusedOptions(request),
  ]
}

function formatWarnings({ responseFormat }: TextRequest, unmet: readonly string[]): readonly Issue[] {
  if (responseFormat?.type !== 'json_schema') return []
  const field = 'responseFormat.schema'
  return [
    { field, issue: 'the answer is an example of the schema, with values of the prompt where names of properties fit' },
    ...(unmet.length > 0
      ? [{ field, issue: `the example may not satisfy the schema: scribe does not support ${unmet.join(', ')}` }]
      : []),
  ]
}

/** A client that forces a call could do nothing with a text. */
function requireOptionalTools({ tools, toolChoice }: TextRequest): void {
  if (!tools?.length || (toolChoice?.type !== 'required' && toolChoice?.type !== 'tool')) return
  const detail = 'cannot force a call: scribe never calls tools; use auto, another model, or the test double mirror'
  throw new ProviderError('invalid_request', detail, { field: 'toolChoice', detail })
}

/** Core has models that take a schema analyze texts by it. An example of an analysis would be a made-up one. */
function requireNoAnalysis({ responseFormat }: TextRequest): void {
  if (responseFormat?.type !== 'json_schema' || responseFormat.name !== 'analysis') return
  const fields = Object.keys(Object(responseFormat.schema['properties']))
  if (!fields.includes('language') || !fields.every((field) => analyzed.has(field))) return
  const detail = 'cannot analyze: scribe would only give an example; use the analyzer reader'
  throw new ProviderError('invalid_request', detail, { field: 'model', detail })
}

const analyzed = new Set(['language', 'sentiment', 'entities', 'keywords'])

/** The maximum of the model, for requests without one. */
const maxReplyTokens = 4_096

/**
 * Puts what scribe writes into the provider's contract.
 *
 * @param random numbers from 0 up to 1, for requests without a seed
 * @param analyze finds entities and sentiment. Default: requests for these get a text that says so
 */
export function scribeReplies(
  random: () => number,
  now: () => Date = () => new Date(),
  analyze?: Provider['analyze'],
): TextReplies {
  const written = async (request: TextRequest, call: ProviderCall) => {
    const { signal } = call
    requireOptionalTools(request)
    requireNoAnalysis(request)
    const [{ count, pieces }, write] = await Promise.all([tokenizer(), loadScribe()])
    const asked = wholeText(request.messages)
    const promptTokens = await count(asked)
    signal.throwIfAborted()
    const { maxTokens = maxReplyTokens } = request
    const { text, unmet } = await write(request, {
      random: request.seed === undefined ? random : seededRandom(request.seed),
      fits: (whole) => pieces(whole, maxTokens).length <= maxTokens,
      now,
      analyze,
      call,
    })
    const answer = cutAnswer(pieces(text, maxTokens), request)
    const warnings = findWarnings(answer.pieces.join(''), unmet, asked, request)
    return {
      pieces: answer.pieces,
      finishReason: answer.finishReason,
      stopSequence: answer.stopSequence,
      usage: { promptTokens, completionTokens: answer.tokens },
      ...(warnings.length > 0 && { warnings }),
    }
  }
  return {
    async generateText(request, call) {
      const { pieces, ...finish } = await written(request, call)
      return textAnswer(pieces.join(''), finish)
    },
    async *streamText(request, call) {
      const { pieces, ...finish } = await written(request, call)
      call.warn?.(finish.warnings ?? [])
      yield* textEvents(untilAborted(pieces, call.signal), finish)
    },
  }
}

function* untilAborted(pieces: readonly string[], signal: AbortSignal): Generator<string> {
  for (const piece of pieces) {
    signal.throwIfAborted()
    yield piece
  }
}
