import type { z } from 'zod'
import { type AnswerParts, answerParts, eventsOf } from './answer-parts.ts'
import { type Cost, estimateTokens } from './cost.ts'
import type { AnswerPart, ToolCallPart } from './message.ts'
import { promptSize } from './prompt-size.ts'
import { ProviderError } from './provider-error.ts'
import {
  ContractViolation,
  maxCharacters,
  noteUpstream,
  parseResponse,
  providerResponses,
} from './provider-responses.ts'
import type { FinishReason, Provider, ProviderCall, TextRequest, TokenUsage } from './provider.ts'
import { closeIterator, type StreamPace } from './routing/stream-attempt.ts'
import type { Call } from '../runtime/call.ts'
import { clip, maxNameLength } from '../runtime/names.ts'
import type { Issue } from '../runtime/errors.ts'
import { isUnreadable } from './tool-input.ts'

/** A validated text with its token counts, reported or estimated. */
export interface CheckedText extends Omit<z.output<typeof providerResponses.text>, 'usage' | 'parts'> {
  readonly parts?: readonly AnswerPart[]
  readonly usage: TokenUsage
  /** Of several calls, whose models may have different prices. Default: that of the usage. */
  readonly cost?: Cost
}
type ProviderEvent = z.output<typeof providerResponses.textEvent>
export type Finish = Extract<ProviderEvent, { type: 'finish' }>
/** A piece of the answer, with the counts that the upstream sent before it, or the end. */
export type TextEvent =
  | (Exclude<ProviderEvent, { type: 'finish' | 'start' | 'usage' }> & { readonly usage?: TokenUsage | undefined })
  | Finish

/** Requests a whole text, through `generateText` or else `streamText`. */
export async function requestText(provider: Provider, request: TextRequest, call: ProviderCall): Promise<CheckedText> {
  if (provider.generateText) {
    const answer = parseResponse(providerResponses.text, await provider.generateText(request, call))
    return withUsage(request, answer)
  }
  const parts = answerParts()
  for await (const event of textEvents(provider, request, call)) {
    if (event.type === 'finish') return wholeAnswer(request, parts, event)
    parts.add(event)
  }
  throw truncated()
}

/** Builds the whole answer from the events of a stream. */
export function wholeAnswer(
  request: TextRequest,
  collected: AnswerParts,
  { type: _type, ...finish }: Finish,
): CheckedText {
  const parts = collected.parts()
  const answer = { content: collected.content(), ...(parts && { parts }), ...finish }
  return withUsage(request, parseResponse(providerResponses.text, answer))
}

/**
 * Requests a text as a stream; as a single event if the provider cannot stream. A stream without `finish` has failed.
 *
 * @param run notes what the upstream's headers say, as soon as it is known
 */
export async function* textEvents(
  provider: Provider,
  request: TextRequest,
  call: ProviderCall,
  pace?: StreamPace,
  run?: Pick<Call, 'note'>,
): AsyncGenerator<TextEvent, void, undefined> {
  if (!provider.streamText) {
    pace?.awaitWhole()
    const { content, parts, ...finish } = await wholeText(provider, request, call)
    call.warn?.(finish.warnings)
    if (run) noteUpstream(run, finish.response)
    yield* eventsOf({ content, parts })
    yield { type: 'finish', ...finish }
    return
  }
  const items = provider.streamText(request, call)[Symbol.asyncIterator]()
  const maxLength = Math.max(minStreamLength, (request.maxTokens ?? maxCharacters) * maxCharactersPerToken)
  let length = 0
  let usage: Finish['usage']
  /** Whether the counts go with the next piece. */
  let isNew = false
  let next = await items.next()
  try {
    for (let count = 1; !next.done; next = await items.next(), count++) {
      if (count % eventsPerTurn === 0) await nextTurn()
      call.signal.throwIfAborted()
      // Providers of a newer contract may send event types that this version does not know.
      if (!isKnownEvent(next.value)) {
        pace?.alive()
        continue
      }
      const event = parseResponse(providerResponses.textEvent, next.value)
      if (event.type === 'start' || event.type === 'usage') {
        pace?.alive()
        if (run && event.type === 'start') noteUpstream(run, event.response)
        if (event.type === 'usage') [usage, isNew] = [event.usage, true]
        continue
      }
      if (event.type === 'finish') {
        yield event.usage ? event : { ...event, usage }
        return
      }
      yield isNew ? { ...event, usage } : event
      isNew = false
      length += (event.type === 'tool_call' ? event.inputDelta : event.text).length
      if (length > maxLength) throw new ContractViolation(`the stream has more than ${maxLength} characters`)
    }
  } finally {
    if (!next.done) closeIterator(items)
  }
  throw truncated()
}

/**
 * A stream is buffered for the whole response, even while the client reads nothing, so its length needs a limit. It is
 * generous: few tokens are this long, and some servers do not count all that they send.
 */
const maxCharactersPerToken = 32
const minStreamLength = 100_000
/** A stream that never waits for I/O would block timers, and so its own deadline. */
const eventsPerTurn = 64

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function wholeText(provider: Provider, request: TextRequest, call: ProviderCall) {
  if (!provider.generateText) {
    throw new ProviderError('give_up', `${provider.id} lists text models but cannot generate text`)
  }
  return parseResponse(providerResponses.text, await provider.generateText(request, call))
}

function isKnownEvent(raw: unknown): boolean {
  const type = typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : undefined
  return typeof type !== 'string' || knownEvents.has(type)
}

const knownEvents: ReadonlySet<string> = new Set([
  'text',
  'reasoning',
  'refusal',
  'tool_call',
  'start',
  'usage',
  'finish',
] satisfies ProviderEvent['type'][])

function truncated(): ProviderError {
  return new ProviderError('retry', 'the stream ended before its finish', { mayBill: true })
}

/** Some servers report a plain end with tool calls, or the reverse. */
function finishReasonOf(reason: FinishReason, parts: readonly AnswerPart[] = []): FinishReason {
  if (reason !== 'stop' && reason !== 'tool_calls') return reason
  return parts.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop'
}

/** Estimates missing token counts, and adds a warning. */
function withUsage(
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
  const parts = reason === 'length' ? all?.filter((part) => !isUnreadableCall(part)) : all
  const unreadable = parts?.filter(isUnreadableCall) ?? []
  const found = unreadable.length > 0 ? [...reported, ...unreadable.map(warnOfInput)] : reported
  const finishReason = finishReasonOf(reason, parts)
  // Some servers name the end of the model's turn too, which the caller did not ask for.
  const isAsked = finishReason === 'stop' && stopSequence !== undefined && request.stop?.includes(stopSequence)
  const whole = {
    ...answer,
    finishReason,
    ...(isAsked && { stopSequence }),
    ...(parts && { parts }),
    warnings: found,
  }
  if (usage) return { ...whole, usage }
  const answered = parts ? JSON.stringify(parts) : answer.content
  return {
    ...whole,
    usage: { promptTokens: promptSize(request).estimatedTokens, completionTokens: estimateTokens(answered.length) },
    warnings: [...found, { field: null, issue: 'the provider returned no token counts: usage and cost are estimates' }],
  }
}

function isUnreadableCall<Part extends AnswerPart>(part: Part): part is Part & ToolCallPart {
  return part.type === 'tool_call' && isUnreadable(part)
}

function warnOfInput({ name }: Pick<ToolCallPart, 'name'>): Issue {
  const tool = clip(name, maxNameLength)
  return { field: 'tools', issue: `the model called "${tool}" with text that is not a JSON object: its input is empty` }
}
