import type { OperationRun } from '../../runtime/run/operation-run.ts'
import type { TextAnswer, AnswerUsage } from '../messages/answer.ts'
import { AnswerCollector, truncated } from '../messages/collect-answer.ts'
import { EventCheck, type Finish } from '../messages/event-check.ts'
import { type Cost, recordedTokens, textCost } from '../cost.ts'
import {
  type AnswerPart,
  type Message,
  type MessagePart,
  type Native,
  answerText,
  type ToolCallPart,
} from '../messages/message.ts'
import type { TextModel } from '../model.ts'
import type { Generation } from './generation.ts'
import { answerTokens, measurePrompt } from './prompt-size.ts'
import { ProviderError } from '../provider-error.ts'
import { noteUpstream, parsePlainAnswer, parseResponse, responseSchemas } from '../provider-responses.ts'
import type { Provider, TextRequest } from '../provider.ts'
import type { Attempt } from '../routing/attempt.ts'
import { supportsDialect } from '../routing/route.ts'
import { clip, maxNameLength } from '../../runtime/schema/names.ts'
import type { Issue } from '../../runtime/errors.ts'
import type { NativeRequest } from '../../runtime/run/run-options.ts'
import { closeIterator } from '../../runtime/run/task.ts'

/** A validated answer with its token counts, reported or estimated. */
export interface CheckedText extends TextAnswer {
  readonly usage: AnswerUsage
  readonly warnings: readonly Issue[]
  /** Of several calls, whose models may have different prices. Default: the cost of the usage. */
  readonly cost?: Cost
}

/** Requests a whole text, through `generateText` or else `streamText`. */
export async function requestText(provider: Provider, request: TextRequest, attempt: Attempt): Promise<CheckedText> {
  const sent = requestFor(provider, request)
  attempt.request = sent.request
  if (provider.generateText) {
    const given: unknown = await provider.generateText(sent.request, attempt)
    const answer = parsePlainAnswer(given) ?? parseResponse(responseSchemas.text, given)
    attempt.received(answer)
    return completeAnswer(request, answer.parts, answer, { native: attempt.native, found: sent.warnings })
  }
  if (!provider.streamText)
    throw new ProviderError('give_up', `${provider.id} lists text models but cannot generate text`)
  const check = new EventCheck(request, sent.warnings)
  const collector = new AnswerCollector()
  const items = provider.streamText(sent.request, attempt)[Symbol.asyncIterator]()
  try {
    for (let next = await items.next(); !next.done; next = await items.next()) {
      attempt.throwIfAborted()
      const event = check.accept(next.value)
      if (event?.type === 'finish') {
        attempt.received(event)
        return completeAnswer(request, collector.parts(), event, attempt)
      }
      if (event && 'index' in event) collector.add(event)
      if (check.needsTurn) await check.yieldToEventLoop()
    }
  } finally {
    closeIterator(items)
  }
  throw truncated()
}

/** The request as this provider gets it: without the blocks of other providers, and other fields than its own. */
export function requestFor(
  provider: Provider,
  request: TextRequest,
): { readonly request: TextRequest; readonly warnings: readonly Issue[] } {
  const { native, messages } = request
  const isForeign =
    native && !provider.dialects?.some((each) => native[each] && supportsDialect(provider, each, request.model))
  if (request.webSearch && (!provider.webSearch || (native && !isForeign))) {
    const { webSearch: _search, ...others } = request
    const { request: known, warnings } = requestFor(provider, others)
    // A client's own API has a place for the names of what was left out.
    return { request: known, warnings: native ? warnings : [...warnings, noSearch] }
  }
  const known = isForeign ? withoutNative(request) : request
  const hasOther = messages.some(
    ({ role, content }) => role === 'assistant' && content.some((part) => isOfOther(part, provider)),
  )
  if (!hasOther) return { request: known, warnings: [] }
  const kept = known.messages.map((message) => withoutOthers(message, provider))
  // A turn that held nothing else would be an empty message, which other APIs reject.
  const said = kept.filter(({ content }) => content.length > 0)
  return { request: { ...known, messages: said.length > 0 ? said : [nothingSaid] }, warnings: [foreignBlocks] }
}

/** Also without empty messages, which other APIs reject. */
function withoutNative({ native: _native, ...request }: TextRequest): TextRequest {
  const said = request.messages.filter(
    ({ content }) => !content.every((part) => part.type === 'text' && part.text === ''),
  )
  const messages = said.length > 0 ? said : request.messages
  return { ...request, messages: messages.map(({ native: _own, ...message }) => message) }
}

/** The request without the client's own form of its messages, which says something else once core has changed them. */
export function withoutNativeMessages(request: TextRequest): TextRequest {
  if (!request.native) return request
  const fields = Object.entries(request.native).map(
    ([dialect, { system: _system, instructions: _own, prompt: _prompt, ...others }]) => [dialect, others],
  )
  return { ...withoutNative(request), native: Object.fromEntries(fields) as Native }
}

const noSearch: Issue = { field: 'webSearch', issue: 'is not supported by this model and was ignored' }

/** A conversation has at least one message. */
const nothingSaid: Message = { role: 'assistant', content: [{ type: 'text', text: '' }] }

const foreignBlocks: Issue = { field: 'messages', issue: 'blocks of another provider were left out' }

/** A client of the dialect does not say which provider a block is from. */
function isOfOther(part: MessagePart, provider: Provider): boolean {
  if (part.type !== 'opaque') return false
  return part.provider === '' ? !supportsDialect(provider, part.dialect) : part.provider !== provider.id
}

/** Also without the client's own form of the message, which has these blocks too. */
function withoutOthers(message: Message, provider: Provider): Message {
  if (message.role !== 'assistant') return message
  const content = message.content.filter((part) => !isOfOther(part, provider))
  if (content.length === message.content.length) return message
  return { role: 'assistant', content }
}

/**
 * Completes a validated answer, with warnings: corrects the finish reason, and estimates missing token counts.
 *
 * @param about the client's own form of the request, and warnings of core about it
 */
export function completeAnswer(
  request: TextRequest,
  parts: readonly AnswerPart[],
  { finishReason: reason, stopSequence, usage, response, logprobs, warnings: reported }: Omit<Finish, 'type'>,
  { native, found = [] }: { readonly native?: NativeRequest | undefined; readonly found?: readonly Issue[] },
): CheckedText {
  const calls = parts.filter((part) => part.type === 'tool_call')
  // Some servers report a plain end with tool calls, or the reverse.
  const isPlain = reason === 'stop' || reason === 'tool_calls'
  const finishReason = !isPlain ? reason : calls.length > 0 ? 'tool_calls' : 'stop'
  // Some servers name the end of the model's turn too, which the caller did not ask for.
  const isAsked = finishReason === 'stop' && stopSequence !== undefined && request.stop?.includes(stopSequence)
  const warnings = reported.concat(found, calls.filter(isUnreadable).map(warnOfInput))
  if (!usage)
    warnings.push({ field: null, issue: 'the provider returned no token counts: usage and cost are estimates' })
  return {
    parts,
    finishReason,
    ...(isAsked && { stopSequence }),
    usage: usage ?? estimatedUsage(request, parts, native),
    ...(response && { response }),
    ...(logprobs && { logprobs }),
    warnings,
  }
}

/** All answers are about as long as the first, which is the one with parts. */
function estimatedUsage(request: TextRequest, parts: readonly AnswerPart[], native?: NativeRequest): AnswerUsage {
  const promptTokens = measurePrompt(request, native).estimatedTokens
  return { promptTokens, completionTokens: (native?.answers ?? 1) * answerTokens(parts) }
}

/** A call in a form of the upstream's own, such as OpenAI's custom tools, may have any text. */
function isUnreadable({ input, native }: ToolCallPart): boolean {
  return input === undefined && !native
}

function warnOfInput({ name }: Pick<ToolCallPart, 'name'>): Issue {
  const tool = clip(name, maxNameLength)
  return { field: 'tools', issue: `the model called "${tool}" with text that is not a JSON object: its input is empty` }
}

/** Fields of the result, besides the documented ones, for a transport that passed `native`. */
export interface WithAnswer {
  /** The whole answer in the form of the provider contract. */
  readonly answer?: TextAnswer
}

/** The result of a call, which is also noted in its usage. */
export function toGeneration(
  call: OperationRun,
  model: TextModel,
  checked: CheckedText,
  isCached: boolean,
): Generation & WithAnswer {
  const { parts, usage, finishReason, stopSequence, response } = checked
  const { costUsd, warnings } = checked.cost ?? textCost(model, usage)
  call.warn(checked.warnings)
  if (isCached) call.note({ model: model.id, costUsd: 0 })
  else {
    call.warn(warnings)
    call.note({ model: model.id, ...recordedTokens(usage), costUsd })
    noteUpstream(call, response)
  }
  let refusal = ''
  for (const part of parts) if (part.type === 'refusal') refusal += part.text
  return {
    id: call.newId('gen'),
    content: answerText({ parts }),
    // A message cannot be empty.
    parts: parts.length === 0 ? [{ type: 'text', text: '' }] : parts.map(toWirePart),
    ...(refusal && { refusal }),
    model: model.id,
    usage: toUsage(usage),
    finishReason: finishReason === 'refusal' ? 'content_filter' : finishReason,
    ...(stopSequence !== undefined && { stopSequence }),
    created: Math.floor(call.at / 1000),
    ...(call.native && { answer: answerIn(checked) }),
  }
}

function answerIn({ cost: _cost, warnings: _warnings, ...answer }: CheckedText): TextAnswer {
  return answer
}

export function toUsage(usage: AnswerUsage): Generation['usage'] {
  const { promptTokens, completionTokens, reasoningTokens, cachedPromptTokens, cacheWriteTokens, webSearches } = usage
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cachedPromptTokens && { cachedPromptTokens }),
    ...(cacheWriteTokens && { cacheWriteTokens }),
    ...(webSearches && { webSearches }),
  }
}

type WirePart = Generation['parts'][number]

/** The part as messages have it. */
function toWirePart(part: AnswerPart): WirePart {
  switch (part.type) {
    case 'opaque':
      return part
    case 'text': {
      const { native: _native, citations, ...text } = part
      return citations ? { ...text, citations: citations.map(({ native: _own, ...citation }) => citation) } : text
    }
    case 'tool_call': {
      const { native: _native, input = {}, inputText: text, ...call } = part
      return { ...call, input, ...(JSON.stringify(input) !== text && { inputText: text }) }
    }
    default: {
      const { native: _native, ...shown } = part
      return shown
    }
  }
}
