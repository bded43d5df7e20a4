import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FinishReason, TextAnswer, TokenUsage } from './answer.ts'
import { AnswerCollector, truncated } from './collect-answer.ts'
import { EventCheck, type Finish } from './event-check.ts'
import { type Cost, estimateTokens } from './cost.ts'
import type { AnswerPart, ToolCallPart } from './message.ts'
import { promptSize } from './prompt-size.ts'
import { ProviderError } from './provider-error.ts'
import { parseResponse, providerResponses } from './provider-responses.ts'
import type { Provider, ProviderCall, TextRequest } from './provider.ts'
import { requestFor } from './provider-request.ts'
import { clip, maxNameLength } from '../runtime/names.ts'
import type { Issue } from '../runtime/errors.ts'
import { closeIterator } from '../runtime/task.ts'

/** A validated answer with its token counts, reported or estimated. */
export interface CheckedText extends TextAnswer {
  readonly usage: TokenUsage
  readonly warnings: readonly Issue[]
  /** Of several calls, whose models may have different prices. Default: that of the usage. */
  readonly cost?: Cost
}

/** Requests a whole text, through `generateText` or else `streamText`. */
export async function requestText(provider: Provider, request: TextRequest, call: ProviderCall): Promise<CheckedText> {
  const sent = requestFor(provider, request)
  if (provider.generateText) {
    const answer = parseResponse(providerResponses.text, await provider.generateText(sent.request, call))
    return completeAnswer(request, answer.parts, answer, sent.warnings)
  }
  if (!provider.streamText)
    throw new ProviderError('give_up', `${provider.id} lists text models but cannot generate text`)
  const check = new EventCheck(request, sent.warnings)
  const collector = new AnswerCollector()
  const items = provider.streamText(sent.request, call)[Symbol.asyncIterator]()
  try {
    for (let next = await items.next(); !next.done; next = await items.next()) {
      call.signal.throwIfAborted()
      const event = check.accept(next.value)
      if (event?.type === 'finish') return completeAnswer(request, collector.parts(), event)
      if (event && 'index' in event) collector.add(event)
      if (check.needsTurn) await nextTurn()
    }
  } finally {
    closeIterator(items)
  }
  throw truncated()
}

/**
 * Completes a validated answer, with warnings: leaves out tool calls that were cut off, corrects the finish reason, and
 * estimates missing token counts.
 *
 * @param found warnings of core about the request
 */
export function completeAnswer(
  request: TextRequest,
  all: readonly AnswerPart[],
  { finishReason: reason, stopSequence, usage, response, logprobs, warnings: reported }: Omit<Finish, 'type'>,
  found: readonly Issue[] = [],
): CheckedText {
  // A call that was cut off cannot be run.
  const parts = reason === 'length' ? all.filter((part) => !isUnreadableCall(part)) : all
  const finishReason = finishReasonOf(reason, parts)
  // Some servers name the end of the model's turn too, which the caller did not ask for.
  const isAsked = finishReason === 'stop' && stopSequence !== undefined && request.stop?.includes(stopSequence)
  const warnings = [...reported, ...found, ...parts.filter(isUnreadableCall).map(warnOfInput)]
  if (!usage)
    warnings.push({ field: null, issue: 'the provider returned no token counts: usage and cost are estimates' })
  return {
    parts,
    finishReason,
    ...(isAsked && { stopSequence }),
    usage: usage ?? estimatedUsage(request, parts),
    ...(response && { response }),
    ...(logprobs && { logprobs }),
    warnings,
  }
}

/** Some servers report a plain end with tool calls, or the reverse. */
function finishReasonOf(reason: FinishReason, parts: readonly AnswerPart[]): FinishReason {
  if (reason !== 'stop' && reason !== 'tool_calls') return reason
  return parts.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop'
}

function estimatedUsage(request: TextRequest, parts: readonly AnswerPart[]): TokenUsage {
  const [only] = parts
  const answered = parts.length === 1 && only?.type === 'text' ? only.text : JSON.stringify(parts)
  return { promptTokens: promptSize(request).estimatedTokens, completionTokens: estimateTokens(answered.length) }
}

/** A call in a form of the upstream's own, such as OpenAI's custom tools, may have any text. */
function isUnreadableCall(part: AnswerPart): part is ToolCallPart {
  return part.type === 'tool_call' && part.input === undefined && !part.native
}

function warnOfInput({ name }: Pick<ToolCallPart, 'name'>): Issue {
  const tool = clip(name, maxNameLength)
  return { field: 'tools', issue: `the model called "${tool}" with text that is not a JSON object: its input is empty` }
}
