import * as z from 'zod'
import type { OperationRun } from '../../runtime/run/operation-run.ts'
import type { Issue } from '../../runtime/errors.ts'
import {
  cacheFlag,
  integerBetween,
  modelId,
  numberBetween,
  textUpTo,
  namedObject,
  namedEnum,
} from '../../runtime/schema/field-schemas.ts'
import { tokenUsage } from '../../runtime/events/model-call-events.ts'
import type { FinishReason, TextAnswer, TokenUsage } from '../messages/answer.ts'
import type { CheckedText } from './request-text.ts'
import { answerPart, conversationFields, maxTextCharacters } from '../messages/conversation-input.ts'
import { recordedTokens, textCost } from '../cost.ts'
import { type AnswerPart, isObject, textOf } from '../messages/message.ts'
import type { TextModel } from '../model.ts'
import { noteUpstream } from '../provider-responses.ts'

/** Of a request with a prompt. */
export const defaultMaxTokens = 100

const { messages, ...otherFields } = conversationFields

/** Reported beside the issues of other fields. */
const always = { when: ({ value }: { readonly value: unknown }) => isObject(value) }

/** @param promptDefault the default with a prompt, which `withPromptDefaults` sets */
function setting(range: z.ZodNumber, promptDefault: number, description: string) {
  const defaults = `Default: ${promptDefault} with \`prompt\`; the provider’s default with \`messages\`, and for null.`
  return range.nullable().optional().describe(`${description} ${defaults}`)
}

export const textFields = z.strictObject({
  prompt: textUpTo(maxTextCharacters)
    .optional()
    .describe('Prompt. Required without `messages`. The model’s context size may limit it further.'),
  messages,
  model: modelId.describe('Id of a text model.'),
  maxTokens: z
    .int()
    .min(1, { error: 'must be at least 1' })
    .nullable()
    .optional()
    .describe(
      'Maximum tokens to generate, at most the model’s own maximum. Default: 100 with `prompt`, lowered to the model’s maximum; the model’s maximum with `messages`, and for null.',
    ),
  temperature: setting(numberBetween(0, 2), 0.7, 'Sampling temperature. 0 always takes the most likely token.'),
  topP: setting(
    numberBetween(0, 1),
    1,
    'Nucleus sampling: only the most likely tokens with this total probability are considered.',
  ),
  frequencyPenalty: setting(numberBetween(-2, 2), 0, 'Penalizes tokens by how often they have appeared.'),
  presencePenalty: setting(numberBetween(-2, 2), 0, 'Penalizes tokens that have appeared at all.'),
  seed: integerBetween(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The same seed and request give the same text, if the model supports it.'),
  stop: z
    .array(z.string().min(1, { error: 'must not be empty' }))
    .max(1_000)
    .optional()
    .describe(
      'Stop sequences: generation ends before the first one that appears. At most 4, unless the model takes more, as Claude does.',
    ),
  ...otherFields,
  adapt: z
    .boolean()
    .default(false)
    .describe(
      'Whether to adapt a request that the model cannot take instead of rejecting it: `max_tokens` is lowered to the model’s maximum, and `reasoning` is left out, with warnings. If the request has `tools`, a provider’s own tools are optional.',
    ),
  cache: cacheFlag,
})

export const textInput = textFields
  .refine(({ prompt, messages: sent }) => prompt !== undefined || sent !== undefined, {
    ...always,
    path: ['prompt'],
    error: 'is required unless you send "messages"',
  })
  .refine(({ prompt, messages: sent }) => prompt === undefined || sent === undefined, {
    ...always,
    path: ['messages'],
    error: 'cannot be combined with "prompt"',
  })
  .overwrite(withPromptDefaults)

/** A request with messages leaves these settings to the provider. */
function withPromptDefaults(input: z.output<typeof textFields>): z.output<typeof textFields> {
  const { prompt, temperature = 0.7, topP = 1, frequencyPenalty = 0, presencePenalty = 0 } = input
  return prompt === undefined ? input : { ...input, temperature, topP, frequencyPenalty, presencePenalty }
}

export const generation = namedObject('Generation', 'A generated text.', {
  id: z.string().describe('Generation id: `gen_` and digits.'),
  content: z.string().describe('Generated text: the texts of all parts together.'),
  parts: z
    .array(answerPart)
    .describe(
      'The whole answer in its order. As the `content` of a message of role `assistant`, it continues the conversation.',
    ),
  refusal: z.string().optional().describe('What the model said when it declined to answer. Absent if it answered.'),
  model: z.string().describe('Id of the model that generated the text.'),
  usage: tokenUsage.describe('Token usage.'),
  finishReason: namedEnum<Exclude<FinishReason, 'refusal'>>('FinishReason', 'Why generation ended.', {
    stop: 'The text is complete.',
    length: 'The text reached the maximum number of tokens.',
    content_filter: 'The model declined to answer, or a content filter withheld or cut the text.',
    tool_calls: 'The model calls tools, and waits for their results.',
    pause: 'The provider paused a long turn. Send the answer back as a message, and it goes on.',
  }).describe(
    'Why generation ended: it was complete (`stop`), reached `max_tokens` (`length`), was refused or cut by a content filter (`content_filter`), calls tools (`tool_calls`), or was paused (`pause`).',
  ),
  stopSequence: z
    .string()
    .optional()
    .describe('The sequence of `stop` that ended the text. Absent if none did, or the provider does not name it.'),
  created: z.int().describe('Creation time in Unix seconds.'),
})

export type Generation = z.output<typeof generation>

/** A piece of a stream: of the text, of the reasoning, or of a tool call. */
export const generationChunk = namedObject('GenerationChunk', 'The next part of a streamed text.', {
  content: z.string().describe('Next part of the text. Empty in a chunk of anything else.'),
  reasoning: z.string().optional().describe('Next part of the reasoning.'),
  refusal: z.string().optional().describe('Next part of a refusal.'),
  toolCall: namedObject('ToolCallDelta', 'A part of a tool call.', {
    id: z.string().describe('Id of the call.'),
    name: z.string().describe('Name of the tool.'),
    inputDelta: z.string().describe('Next part of the text of the input.'),
  })
    .optional()
    .describe('Next part of a tool call.'),
  providerOptions: conversationFields.providerOptions.describe(
    'Data of the provider, which completes the part of the answer. `parts` of the result have it.',
  ),
  usage: tokenUsage.optional().describe('Token usage so far, where the provider reports it before the end.'),
})

export type GenerationChunk = z.output<typeof generationChunk>

/** What the result has beside its documented fields for a transport that passed `native`. */
export interface WithAnswer {
  /** The whole answer in the form of the provider contract. */
  readonly answer?: TextAnswer
}

/** For providers, a prompt is a message too. */
export function ofPrompt(issue: Issue): Issue {
  return issue.field?.startsWith('messages') ? { ...issue, field: 'prompt' } : issue
}

/** The result of a call, which is also noted in its usage. */
export function toGeneration(
  call: OperationRun,
  model: TextModel,
  checked: CheckedText,
  isConversation: boolean,
  isCached: boolean,
): Generation & WithAnswer {
  const { parts, usage, finishReason, stopSequence, response, warnings: found } = checked
  const { costUsd, warnings } = checked.cost ?? textCost(model, usage)
  call.warn(isConversation ? found : found.map(ofPrompt))
  if (!isCached) call.warn(warnings)
  call.note({ model: model.id, ...(isCached ? { costUsd: 0 } : { ...recordedTokens(usage), costUsd }) })
  if (!isCached) noteUpstream(call, response)
  const refusal = parts.reduce((text, part) => (part.type === 'refusal' ? text + part.text : text), '')
  return {
    id: call.newId('gen'),
    content: textOf({ parts }),
    parts: toWireParts(parts),
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

export function toUsage(usage: TokenUsage): Generation['usage'] {
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

/** The parts as messages have them. An answer without any is an empty text, because a message cannot be empty. */
function toWireParts(parts: readonly AnswerPart[]): WirePart[] {
  return parts.length === 0 ? [{ type: 'text', text: '' }] : parts.map(toWirePart)
}

function toWirePart(part: AnswerPart): WirePart {
  if (part.type === 'opaque') return part
  const { native: _native, ...shown } = part
  switch (shown.type) {
    case 'text': {
      const { citations, ...text } = shown
      return citations ? { ...text, citations: citations.map(({ native: _own, ...citation }) => citation) } : text
    }
    case 'tool_call': {
      const { input = {}, inputText: text, ...call } = shown
      return { ...call, input, ...(JSON.stringify(input) !== text && { inputText: text }) }
    }
    default:
      return shown
  }
}
