import * as z from 'zod'
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
import type { FinishReason } from '../messages/answer.ts'
import { answerPart, conversationFields, maxTextCharacters } from '../messages/conversation-input.ts'
import { isObject } from '../../runtime/json.ts'

/** Of a request with a prompt. */
export const defaultMaxTokens = 100

const { messages, ...otherFields } = conversationFields

/** Reported beside the issues of other fields. */
const always = { when: ({ value }: { readonly value: unknown }) => isObject(value) }

/** The settings of a request with a prompt, which has none. Others leave them to the provider. */
const promptDefaults = { temperature: 0.7, topP: 1, frequencyPenalty: 0, presencePenalty: 0 }

function setting(name: keyof typeof promptDefaults, range: z.ZodNumber, description: string) {
  const defaults = `Default: ${promptDefaults[name]} with \`prompt\`; the provider’s default with \`messages\`, and for null.`
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
  temperature: setting(
    'temperature',
    numberBetween(0, 2),
    'Sampling temperature. 0 always takes the most likely token.',
  ),
  topP: setting(
    'topP',
    numberBetween(0, 1),
    'Nucleus sampling: only the most likely tokens with this total probability are considered.',
  ),
  frequencyPenalty: setting(
    'frequencyPenalty',
    numberBetween(-2, 2),
    'Penalizes tokens by how often they have appeared.',
  ),
  presencePenalty: setting('presencePenalty', numberBetween(-2, 2), 'Penalizes tokens that have appeared at all.'),
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

/** Sets the defaults in the object that the parser has made. */
function withPromptDefaults(input: z.output<typeof textFields>): z.output<typeof textFields> {
  if (input.prompt === undefined) return input
  if (input.temperature === undefined) input.temperature = promptDefaults.temperature
  if (input.topP === undefined) input.topP = promptDefaults.topP
  if (input.frequencyPenalty === undefined) input.frequencyPenalty = promptDefaults.frequencyPenalty
  if (input.presencePenalty === undefined) input.presencePenalty = promptDefaults.presencePenalty
  return input
}

export const generation = namedObject('Generation', 'A generated text.', {
  id: z.string().describe('Generation id: `gen_` and digits.'),
  content: z.string().describe('Generated text: the texts of all parts together.'),
  parts: z
    .array(answerPart)
    .describe(
      'The whole answer in its order. As the `content` of a message of role `assistant`, it continues the conversation.',
    ),
  refusal: z.string().optional().describe('The text with which the model declined to answer. Absent if it answered.'),
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
