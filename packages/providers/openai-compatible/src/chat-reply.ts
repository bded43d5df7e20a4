import {
  type AnswerPart,
  type FinishReason,
  isObject,
  type JsonObject,
  type Issue,
  type TextAnswer,
} from '@fairlead/core/provider'
import { isNoReason, readFinishReason, requireAnswer, unknownReasonWarning } from '@fairlead/provider-toolkit'
import * as z from 'zod'
import { toCitation } from './citations.ts'
import { chooseFinishReason, readFacts, type Reading, toFinish, usageIn } from './finish.ts'
import { ReasoningDetails } from './reasoning-details.ts'
import { asSent, objectIn, objectsIn, textIn, without } from './sent-values.ts'
import { toolCallDelta, toToolCalls } from './tool-calls.ts'

const dialect = 'openai-chat'

const messageShape = z.object({
  /** Text, or Mistral's parts, some of which are text and some reasoning. */
  content: z.union([z.string(), z.array(z.object({ type: z.string() }))]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(toolCallDelta).nullish(),
})
const wholeChoice = z.object({ message: messageShape, finish_reason: z.string().nullish() })
const replyShape = z.object({ choices: z.tuple([wholeChoice], z.unknown()) })
const otherReply = asSent(replyShape)
/** Most replies are a text alone. Checked without zod, each of them takes 2 kB less memory, as does each piece of a stream. */
export const chatReply: typeof otherReply = {
  safeParse: (value) =>
    isPlain<ChatReply>(value, 'message') ? { success: true, data: value } : otherReply.safeParse(value),
}
type ChatReply = z.input<typeof replyShape>

const chunkChoice = z.object({ delta: messageShape.nullish(), finish_reason: z.string().nullish() })
const chunkShape = z.object({ choices: z.array(chunkChoice) })
const otherChunk = asSent(chunkShape)
export const chatChunk: typeof otherChunk = {
  safeParse: (value) =>
    isPlain<ChatChunk>(value, 'delta') ? { success: true, data: value } : otherChunk.safeParse(withChoices(value)),
}
export type ChatChunk = z.input<typeof chunkShape>
export type ChatChoice = z.input<typeof chunkChoice>

/** Some servers leave the choices of a chunk out, or null, that has only the token counts. */
function withChoices(value: unknown): unknown {
  return isObject(value) && isMissing(value['choices']) && isObject(value['usage']) ? { ...value, choices: [] } : value
}

/** Whether it has one choice, with a text alone in its message, or in its piece of one. */
function isPlain<Sent>(value: unknown, place: 'message' | 'delta'): value is Sent {
  const choices = isObject(value) && value['choices']
  if (!Array.isArray(choices) || choices.length !== 1 || !isObject(choices[0])) return false
  const { [place]: said, finish_reason: reason } = choices[0]
  return isObject(said) && plainTextIn(said) !== undefined && (typeof reason === 'string' || isMissing(reason))
}

/** The text of a message, or of a piece of one, that has nothing else. */
export function plainTextIn(delta: JsonObject): string | undefined {
  const { content, refusal, tool_calls, reasoning_content, reasoning, reasoning_details, annotations } = delta
  const other = refusal ?? tool_calls ?? reasoning_content ?? reasoning ?? reasoning_details ?? annotations
  return typeof content === 'string' && isMissing(other) ? content : undefined
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

export function fromChatReply(sent: ChatReply, reading: Reading): TextAnswer {
  const { provider, native } = reading
  const choice = sent.choices[0]
  const { finish_reason: reason } = choice
  const { logprobs: sentLogprobs }: JsonObject = choice
  const { text, thought, others, refusal, annotations, details, calls: deltas } = readMessage(choice.message)
  const calls = deltas.length > 0 ? toToolCalls(deltas, reading, isCutOff(reason)) : []
  const ending = readEnding(reason, calls.length, refusal !== '', () => calls.some(isUnreadable))
  const providerOptions = details.length > 0 ? new ReasoningDetails(provider, details).take() : undefined
  const citations = annotations.length > 0 ? annotations.map((each) => toCitation(each, reading)) : undefined
  const parts: AnswerPart[] = []
  if (thought !== '' || providerOptions) {
    parts.push({ type: 'reasoning', text: thought, ...(providerOptions && { providerOptions }) })
  }
  if (text !== '') parts.push({ type: 'text', text, ...(citations && { citations }) })
  if (others.length > 0) parts.push(...others.map((block) => opaquePart(block, provider)))
  if (refusal !== '') parts.push({ type: 'refusal', text: refusal })
  if (calls.length > 0) parts.push(...calls)
  const response = { ...readFacts(sent), ...(native && { native: { [native]: wholeNative(sent) } }) }
  const end = {
    ...ending,
    stopSequence: readStopSequence(choice),
    counted: usageIn(sent, native),
    tier: response.serviceTier,
    textLength: text.length,
    reasoningLength: thought.length,
  }
  const logprobs = objectIn(sentLogprobs)
  const finish = toFinish(end, reading)
  const said = mayBeEmpty(native) || (native && saysMore(choice.message)) ? 1 : parts.length
  requireAnswer(said, finish, 'choices.0.message.content')
  return {
    parts,
    ...finish,
    ...(Object.keys(response).length > 0 && { response }),
    ...(logprobs && { logprobs }),
  }
}

/** A message, or the piece of one that a chunk has. */
export function readMessage(sent: z.input<typeof messageShape>) {
  const { content, refusal, tool_calls: calls } = sent
  const { reasoning_content, reasoning, reasoning_details, annotations }: JsonObject = sent
  const parts = typeof content === 'string' ? none : (content ?? none)
  return {
    text: typeof content === 'string' ? content : joined(parts, ({ type, text }) => (type === 'text' ? text : '')),
    // DeepSeek, vLLM, and xAI send `reasoning_content`; OpenRouter, Ollama, and Groq send `reasoning`.
    thought: textIn(reasoning_content) || textIn(reasoning) || joined(parts, thinkingIn),
    others: parts.filter(({ type }) => type !== 'text' && type !== 'thinking'),
    refusal: refusal ?? '',
    annotations: objectsIn(annotations),
    // OpenRouter's.
    details: objectsIn(reasoning_details),
    calls: calls ?? none,
  }
}

const none: readonly JsonObject[] = []

/** The texts of parts. One that is not a text counts as missing. */
function joined(parts: readonly JsonObject[], textOf: (part: JsonObject) => unknown): string {
  return parts.length === 0 ? '' : parts.map((part) => textIn(textOf(part)) ?? '').join('')
}

/** Mistral's reasoning: a text, or parts with a text. */
function thinkingIn({ thinking }: JsonObject): string {
  return textIn(thinking) ?? joined(objectsIn(thinking), ({ text }) => text)
}

/** Mistral's blocks between texts, such as `reference`. */
export function opaquePart(block: JsonObject, provider: string): AnswerPart {
  return { type: 'opaque', provider, dialect, kind: String(block['type']), data: block }
}

/** The stop sequence of vLLM, and of SGLang. One that is the id of a token is left out. */
export function readStopSequence({ stop_reason, matched_stop }: JsonObject): string | undefined {
  return textIn(stop_reason) ?? textIn(matched_stop)
}

const interpreted = {
  head: ['id', 'model', 'system_fingerprint', 'service_tier', 'object', 'choices', 'usage'],
  choice: ['index', 'text', 'message', 'delta', 'finish_reason', 'logprobs'],
  message: ['role', 'content', 'refusal', 'reasoning_content', 'reasoning', 'reasoning_details', 'tool_calls'],
}

/** The fields of a part of a reply that core does not interpret. */
export function uninterpreted(part: keyof typeof interpreted, sent: object): JsonObject {
  return without(sent, interpreted[part])
}

/** A text may end at once, and only its probabilities may be asked for. */
export function mayBeEmpty(native: Reading['native']): boolean {
  return native === 'openai-completions'
}

/** Whether a message says what only clients of the API understand, such as audio. Its sources are a list. */
function saysMore(message: object): boolean {
  return Object.values(uninterpreted('message', message)).some(isObject)
}

/** The fields of a reply that are in no other place of the answer, in their places. */
function wholeNative(sent: ChatReply): JsonObject {
  const [choice, ...others] = sent.choices
  const { content }: JsonObject = choice.message
  const said = { ...uninterpreted('message', choice.message), ...(content === null && { content }) }
  return { ...uninterpreted('head', sent), choices: [{ ...uninterpreted('choice', choice), message: said }, ...others] }
}

/** Whether an answer reached its maximum length. */
export function isCutOff(reason: string | null | undefined): boolean {
  return readFinishReason(reason) === 'length'
}

/** Whether the input of a tool call is cut off, or no JSON for another reason. */
function isUnreadable({ input }: { readonly input?: unknown }): boolean {
  return input === undefined
}

export interface Ending {
  readonly finishReason: FinishReason
  readonly found?: readonly Issue[]
}

/**
 * How an answer that has ended properly ended. One with tool calls waits for their results, whatever reason the server
 * gives: for some it is `stop`. Without a reason that is known, a call whose input cannot be read was cut off.
 */
export function readEnding(
  reason: string | null | undefined,
  callCount: number,
  hasRefused: boolean,
  hasUnreadableCall: () => boolean,
): Ending {
  const known = readFinishReason(reason)
  if (known === 'stop' || known === 'tool_calls') return { finishReason: chooseFinishReason(callCount, hasRefused) }
  if (known !== undefined) return { finishReason: known }
  const finishReason = hasUnreadableCall() ? 'length' : chooseFinishReason(callCount, hasRefused)
  return { finishReason, found: [unknownReasonWarning(reason)] }
}

/** The chunks that a whole reply stands for: it has a message in the place of its pieces. */
export function toChunks(reply: unknown): readonly unknown[] | undefined {
  const choices = objectsIn(objectIn(reply)?.['choices'])
  if (!choices.some(({ message }) => isObject(message))) return undefined
  return [{ ...(reply as object), choices: choices.map((choice) => ({ ...choice, delta: choice['message'] })) }]
}

/** The finish reason of a chunk, if it has one. */
export function reasonIn({ finish_reason: reason }: { readonly finish_reason?: string | null | undefined }) {
  return isNoReason(reason) ? undefined : reason!
}
