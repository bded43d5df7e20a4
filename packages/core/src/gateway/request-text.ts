import type { z } from 'zod'
import { type TextAnswer, type TextEvent, textOf, type TokenUsage } from './answer.ts'
import { AnswerCollector, answerEvents, truncated } from './collect-answer.ts'
import { type Cost, estimateTokens } from './cost.ts'
import type { AnswerPart, Message, MessagePart, Native, ToolCallPart } from './message.ts'
import { promptSize } from './prompt-size.ts'
import { ProviderError } from './provider-error.ts'
import {
  ContractViolation,
  maxCharacters,
  noteUpstream,
  parseResponse,
  providerResponses,
} from './provider-responses.ts'
import type { Provider, ProviderCall, TextRequest } from './provider.ts'
import { closeIterator, type StreamPace } from './routing/stream-attempt.ts'
import type { Call } from '../runtime/call.ts'
import { clip, maxNameLength } from '../runtime/names.ts'
import type { Issue } from '../runtime/errors.ts'

/** A validated answer with its token counts, reported or estimated. */
export interface CheckedText extends Omit<z.output<typeof providerResponses.text>, 'usage' | 'parts'> {
  readonly parts: readonly AnswerPart[]
  readonly usage: TokenUsage
  /** Of several calls, whose models may have different prices. Default: that of the usage. */
  readonly cost?: Cost
}

/** A validated event. Only those that say something about the answer leave `requestEvents`. */
export type CheckedEvent = Exclude<TextEvent, { readonly type: 'alive' | 'finish' }> | Finish
export type Finish = Extract<z.output<typeof providerResponses.textEvent>, { type: 'finish' }>

/** Requests a whole text, through `generateText` or else `streamText`. */
export async function requestText(provider: Provider, request: TextRequest, call: ProviderCall): Promise<CheckedText> {
  const sent = requestFor(provider, request)
  if (provider.generateText) {
    const answer = parseResponse(providerResponses.text, await provider.generateText(sent.request, call))
    return withUsage(request, withWarnings(answer, sent.warnings))
  }
  const collector = new AnswerCollector()
  for await (const event of requestEvents(provider, request, call)) {
    if (event.type === 'finish') return wholeAnswer(request, collector, event)
    if (isPartEvent(event)) collector.add(event)
  }
  throw truncated()
}

export function isPartEvent(event: CheckedEvent): event is Extract<CheckedEvent, { readonly index: number }> {
  return 'index' in event
}

/** Builds the whole answer from the events of a stream. */
export function wholeAnswer(
  request: TextRequest,
  collector: AnswerCollector,
  { type: _type, ...finish }: Finish,
): CheckedText {
  const answer = { parts: collector.parts(), ...finish } satisfies TextAnswer
  return withUsage(request, parseResponse(providerResponses.text, answer))
}

/**
 * Requests a text as a stream; a whole answer as events if the provider cannot stream. A stream without `finish` has
 * failed.
 *
 * @param run notes what the upstream's headers say, as soon as it is known
 */
export async function* requestEvents(
  provider: Provider,
  request: TextRequest,
  call: ProviderCall,
  pace?: StreamPace,
  run?: Pick<Call, 'note'>,
): AsyncGenerator<CheckedEvent, void, undefined> {
  if (!provider.streamText) {
    pace?.awaitWhole()
    const answer = await wholeText(provider, request, call)
    call.warn?.(answer.warnings)
    if (run) noteUpstream(run, answer.response)
    yield* answerEvents(answer) as Generator<CheckedEvent>
    return
  }
  const sent = requestFor(provider, request)
  const items = provider.streamText(sent.request, call)[Symbol.asyncIterator]()
  const maxLength = Math.max(minStreamLength, (request.maxTokens ?? maxCharacters) * maxCharactersPerToken)
  let length = 0
  let usage: Finish['usage']
  /** What the stream says before its first piece; undefined from then on. Another target may still be tried. */
  let held: CheckedEvent[] | undefined = []
  let next = await items.next()
  try {
    for (let count = 1; !next.done; next = await items.next(), count++) {
      if (count % eventsPerTurn === 0) await nextTurn()
      call.signal.throwIfAborted()
      const event = checkedEvent(next.value)
      // A ping, or an event of a newer contract that this version does not know.
      if (!event || event.type === 'start' || event.type === 'usage') pace?.alive()
      if (!event) continue
      if (event.type === 'start' && run) noteUpstream(run, event.response)
      if (event.type === 'usage') usage = event.usage as Finish['usage']
      if (held && isPrelude(event)) {
        held.push(event)
        continue
      }
      if (held) yield* held
      held = undefined
      if (event.type === 'finish') {
        yield withWarnings(event.usage || !usage ? event : { ...event, usage }, sent.warnings)
        return
      }
      yield event
      if (event.type === 'part_delta') length += event.text?.length ?? 0
      if (length > maxLength) throw new ContractViolation(`the stream has more than ${maxLength} characters`)
    }
  } finally {
    if (!next.done) closeIterator(items)
  }
  throw truncated()
}

/** Whether an event shows nothing of the answer yet. */
function isPrelude(event: CheckedEvent): boolean {
  if (event.type === 'start' || event.type === 'usage') return true
  return event.type === 'part_start' && 'text' in event.part && event.part.text === '' && !event.part.providerOptions
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

async function wholeText(provider: Provider, request: TextRequest, call: ProviderCall): Promise<CheckedText> {
  if (!provider.generateText) {
    throw new ProviderError('give_up', `${provider.id} lists text models but cannot generate text`)
  }
  return requestText(provider, request, call)
}

/** The validated event; undefined for one that reaches nobody. Plain pieces of text, most of all events, are not copied. */
function checkedEvent(raw: unknown): CheckedEvent | undefined {
  if (isPlainDelta(raw)) return raw
  const type = typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : undefined
  if (typeof type === 'string' && !knownEvents.has(type)) return undefined
  return parseResponse(providerResponses.textEvent, raw) as CheckedEvent
}

interface PlainDelta {
  readonly type: 'part_delta'
  readonly index: number
  readonly text: string
}

function isPlainDelta(raw: unknown): raw is PlainDelta {
  if (typeof raw !== 'object' || raw === null) return false
  const { type, index, text, citation, logprobs, data } = raw as Readonly<Record<string, unknown>>
  if (type !== 'part_delta' || typeof text !== 'string' || text.length > maxCharacters) return false
  return Number.isInteger(index) && citation === undefined && logprobs === undefined && data === undefined
}

const knownEvents: ReadonlySet<string> = new Set([
  'start',
  'part_start',
  'part_delta',
  'part_end',
  'usage',
  'finish',
] satisfies CheckedEvent['type'][])

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

function isUnreadableCall(part: AnswerPart): part is ToolCallPart {
  return part.type === 'tool_call' && part.input === undefined
}

function warnOfInput({ name }: Pick<ToolCallPart, 'name'>): Issue {
  const tool = clip(name, maxNameLength)
  return { field: 'tools', issue: `the model called "${tool}" with text that is not a JSON object: its input is empty` }
}
