import type { z } from 'zod'
import { type TextAnswer, type TextEvent, textOf, type TokenUsage } from './answer.ts'
import { AnswerCollector, truncated } from './collect-answer.ts'
import { EventCheck, type Finish, isPartEvent, nextTurn } from './event-check.ts'
import { type Cost, estimateTokens } from './cost.ts'
import type { AnswerPart, Message, MessagePart, Native, ToolCallPart } from './message.ts'
import { promptSize } from './prompt-size.ts'
import { closeIterator } from './routing/stream-attempt.ts'
import { ProviderError } from './provider-error.ts'
import { parseResponse, providerResponses } from './provider-responses.ts'
import type { Provider, ProviderCall, TextRequest } from './provider.ts'
import { clip, maxNameLength } from '../runtime/names.ts'
import type { Issue } from '../runtime/errors.ts'

/** A validated answer with its token counts, reported or estimated. */
export interface CheckedText extends Omit<z.output<typeof providerResponses.text>, 'usage' | 'parts'> {
  readonly parts: readonly AnswerPart[]
  readonly usage: TokenUsage
  /** Of several calls, whose models may have different prices. Default: that of the usage. */
  readonly cost?: Cost
}

/** Requests a whole text, through `generateText` or else `streamText`. */
export async function requestText(provider: Provider, request: TextRequest, call: ProviderCall): Promise<CheckedText> {
  const sent = requestFor(provider, request)
  if (provider.generateText) {
    const answer = parseResponse(providerResponses.text, await provider.generateText(sent.request, call))
    return completeAnswer(request, withWarnings(answer, sent.warnings))
  }
  const check = new EventCheck(request, sent.warnings)
  const collector = new AnswerCollector()
  const items = eventsOf(provider, sent.request, call)[Symbol.asyncIterator]()
  try {
    for (let next = await items.next(); !next.done; next = await items.next()) {
      call.signal.throwIfAborted()
      const event = check.accept(next.value)
      if (event?.type === 'finish') return wholeAnswer(request, collector, event)
      if (event && isPartEvent(event)) collector.add(event)
      if (check.needsTurn) await nextTurn()
    }
  } finally {
    closeIterator(items)
  }
  throw truncated()
}

function eventsOf(provider: Provider, request: TextRequest, call: ProviderCall): AsyncIterable<TextEvent> {
  if (provider.streamText) return provider.streamText(request, call)
  throw new ProviderError('give_up', `${provider.id} lists text models but cannot generate text`)
}

/** Builds the whole answer from the events of a stream. */
export function wholeAnswer(
  request: TextRequest,
  collector: AnswerCollector,
  { type: _type, ...finish }: Finish,
): CheckedText {
  const answer = { parts: collector.parts(), ...finish } satisfies TextAnswer
  return completeAnswer(request, parseResponse(providerResponses.text, answer))
}

/** The request as this provider gets it: without the blocks of other providers, and other fields than its own. */
export function requestFor(
  provider: Provider,
  request: TextRequest,
): { readonly request: TextRequest; readonly warnings: readonly Issue[] } {
  const { native, messages } = request
  const [dialect] = native ? (Object.keys(native) as (keyof typeof native)[]) : []
  const isForeign = dialect !== undefined && !provider.dialects?.includes(dialect)
  const hasOther = messages.some(({ content }) => content.some((part) => isOfOther(part, provider)))
  if (!isForeign && !hasOther) return { request, warnings: [] }
  const known = isForeign ? withoutNative(request) : request
  if (!hasOther) return { request: known, warnings: [] }
  return {
    request: { ...known, messages: known.messages.map((message) => withoutOthers(message, provider)) },
    warnings: [foreignBlocks],
  }
}

function withoutNative({ native: _native, ...request }: TextRequest): TextRequest {
  return { ...request, messages: request.messages.map(({ native: _own, ...message }) => message) }
}

/** The request without the client's own form of its messages, which says something else once core has changed them. */
export function withoutNativeMessages(request: TextRequest): TextRequest {
  if (!request.native) return request
  const fields = Object.entries(request.native).map(([dialect, { system: _system, instructions: _own, ...others }]) => [
    dialect,
    others,
  ])
  return { ...withoutNative(request), native: Object.fromEntries(fields) as Native }
}

const foreignBlocks: Issue = { field: 'messages', issue: 'blocks of another provider were left out' }

/** A client of the dialect does not say which provider a block is from. */
function isOfOther(part: MessagePart, { id, dialects = [] }: Provider): boolean {
  return part.type === 'opaque' && part.provider !== id && !(part.provider === '' && dialects.includes(part.dialect))
}

/** Also without the client's own form of the message, which has these blocks too. */
function withoutOthers(message: Message, provider: Provider): Message {
  if (message.role !== 'assistant' || !message.content.some((part) => isOfOther(part, provider))) return message
  const content = message.content.filter((part) => !isOfOther(part, provider))
  return { role: 'assistant', content: content.length > 0 ? content : [{ type: 'text', text: '' }] }
}

function withWarnings<Answer extends { readonly warnings: readonly Issue[] }>(
  answer: Answer,
  warnings: readonly Issue[],
): Answer {
  return warnings.length === 0 ? answer : { ...answer, warnings: [...answer.warnings, ...warnings] }
}

/** Some servers report a plain end with tool calls, or the reverse. */
function finishReasonOf(
  reason: CheckedText['finishReason'],
  parts: readonly AnswerPart[],
): CheckedText['finishReason'] {
  if (reason !== 'stop' && reason !== 'tool_calls') return reason
  return parts.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop'
}

/**
 * Completes an answer, with warnings: leaves out tool calls that were cut off, corrects the finish reason, and estimates
 * missing token counts.
 */
function completeAnswer(
  request: TextRequest,
  {
    usage,
    warnings: reported,
    parts: all,
    finishReason: reason,
    stopSequence,
    ...answer
  }: z.output<typeof providerResponses.text>,
): CheckedText {
  // A call that was cut off cannot be run.
  const parts: readonly AnswerPart[] = reason === 'length' ? all.filter((part) => !isUnreadableCall(part)) : all
  const unreadable = parts.filter(isUnreadableCall)
  const found = unreadable.length > 0 ? [...reported, ...unreadable.map(warnOfInput)] : reported
  const finishReason = finishReasonOf(reason, parts)
  // Some servers name the end of the model's turn too, which the caller did not ask for.
  const isAsked = finishReason === 'stop' && stopSequence !== undefined && request.stop?.includes(stopSequence)
  const whole = { ...answer, finishReason, ...(isAsked && { stopSequence }), parts, warnings: found }
  if (usage) return { ...whole, usage }
  const [only] = parts
  const answered = parts.length === 1 && only?.type === 'text' ? textOf({ parts }) : JSON.stringify(parts)
  return {
    ...whole,
    usage: { promptTokens: promptSize(request).estimatedTokens, completionTokens: estimateTokens(answered.length) },
    warnings: [...found, { field: null, issue: 'the provider returned no token counts: usage and cost are estimates' }],
  }
}

/** A call in a form of the upstream's own, such as OpenAI's custom tools, may have any text. */
function isUnreadableCall(part: AnswerPart): part is ToolCallPart {
  return part.type === 'tool_call' && part.input === undefined && !part.native
}

function warnOfInput({ name }: Pick<ToolCallPart, 'name'>): Issue {
  const tool = clip(name, maxNameLength)
  return { field: 'tools', issue: `the model called "${tool}" with text that is not a JSON object: its input is empty` }
}
