import { invalidBecause } from '../../runtime/errors.ts'
import { hasAtMost } from '../../runtime/schema/field-schemas.ts'
import { estimateTokens } from '../cost.ts'
import { textIn } from '../messages/collect-answer.ts'
import {
  type AnswerPart,
  type FileAnswerPart,
  type Message,
  type MessagePart,
  onlyPromptIn,
} from '../messages/message.ts'
import type { NativeRequest } from '../../runtime/run/run-options.ts'
import type { TextModel } from '../model.ts'
import type { TextRequest } from '../provider.ts'
import type { ModelRoute } from '../routing/route.ts'

/** The size of a request, for routing and for estimates. */
export interface PromptSize {
  readonly estimatedTokens: number
  /** Whether its texts have at most this many code points. */
  hasAtMost(codePoints: number): boolean
}

type Part = MessagePart | AnswerPart

/** The approximate tokens of a large image with most models. */
const tokensPerImage = 1_000
/** Of a file in base64: a page of a PDF document has about 50 kB and costs about 2,000 tokens. */
const base64PerFileToken = 33

/** The size of all texts, tools and schemas of a request. Images and files count in the tokens alone. */
export function promptSize({
  messages,
  tools,
  responseFormat,
}: Pick<TextRequest, 'messages' | 'tools' | 'responseFormat'>): PromptSize {
  const schema = responseFormat?.type === 'json_schema' ? responseFormat.schema : undefined
  const prompt = tools || schema ? undefined : onlyPromptIn(messages)
  if (prompt !== undefined) return textSize(prompt)
  const parts = messages.flatMap(({ content }: Message): readonly Part[] => content)
  const texts = [...parts.flatMap(textsOf), ...textsIn([tools, schema])]
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const mediaTokens = parts.reduce((sum, part) => sum + mediaTokensOf(part), 0)
  return {
    estimatedTokens: estimateTokens(length) + mediaTokens,
    // Joining the texts takes long for megabytes, and their lengths mostly suffice.
    hasAtMost: (codePoints) => length <= codePoints || hasAtMost(codePoints, texts.join('')),
  }
}

/** The size of a request, of which the client's own form may have several prompts, or tokens. */
export function measurePrompt(request: TextRequest, native: NativeRequest | undefined): PromptSize {
  return native?.prompts ? textsSize(native.prompts) : promptSize(request)
}

/** The size of texts that a model takes one by one, or of their tokens, of which only the number is known. */
export function textsSize(texts: readonly (string | number)[]): PromptSize {
  const sizes = texts.map((text) => (typeof text === 'string' ? textSize(text) : tokensSize(text)))
  return {
    estimatedTokens: sizes.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0),
    hasAtMost: (codePoints) => sizes.every((size) => size.hasAtMost(codePoints)),
  }
}

export function textSize(text: string): PromptSize {
  return { estimatedTokens: estimateTokens(text.length), hasAtMost: (codePoints) => hasAtMost(codePoints, text) }
}

/** Only the upstream knows how long they are as a text. */
function tokensSize(tokens: number): PromptSize {
  return { estimatedTokens: tokens, hasAtMost: () => true }
}

/** The approximate tokens of the parts of an answer so far. The blocks of an upstream's own tools are not written by the model. */
export function answerTokens(parts: Iterable<AnswerPart>): number {
  let length = 0
  let fileTokens = 0
  for (const part of parts) {
    length += textIn(part).length
    if (part.type === 'tool_call') length += part.name.length
    if (part.type === 'file') fileTokens += fileTokensOf(part)
  }
  return estimateTokens(length) + fileTokens
}

function fileTokensOf({ mediaType, data }: FileAnswerPart): number {
  return mediaType.startsWith('image/') ? tokensPerImage : Math.ceil(data.length / base64PerFileToken)
}

function textsOf(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return [part.text]
    case 'tool_call':
      return [part.name, part.inputText]
    case 'tool_result':
      return part.content.flatMap(textsOf)
    case 'opaque':
      return textsIn(part.data)
    default:
      return []
  }
}

/** The names and values of a JSON value. Writing the JSON would take 50 ms for 20 MB. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return [String(value)]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return Object.entries(value).flatMap(([name, item]) => [name, ...textsIn(item)])
}

function mediaTokensOf(part: Part): number {
  if (part.type === 'tool_result') return part.content.reduce((sum, each) => sum + mediaTokensOf(each), 0)
  if (part.type === 'image') return tokensPerImage
  if (part.type !== 'file' || !('source' in part)) return 0
  return part.source.kind === 'url' ? tokensPerImage : Math.ceil(part.source.data.length / base64PerFileToken)
}

/** Prose has about 4 characters in a token, and no tokenizer averages 16 over a whole prompt. */
export const maxCharactersPerToken = 16

/** Rejects a prompt that no target of the route can hold, so that it costs nothing and reaches no provider. */
export function requireRoom({ model, targets }: ModelRoute<TextModel>, size: PromptSize, field: string): void {
  let largest = targets[0].model
  for (const target of targets) if (maxPrompt(target.model) > maxPrompt(largest)) largest = target.model
  const limit = maxPrompt(largest)
  if (size.hasAtMost(limit)) return
  const { maxPromptCharacters: declared, contextSize } = largest
  const reason =
    declared === limit || contextSize === undefined
      ? 'for'
      : `to fit the context of ${contextSize.toLocaleString('en')} tokens of`
  throw invalidBecause('context_length_exceeded', {
    field,
    issue: `must have at most ${limit.toLocaleString('en')} characters ${reason} "${model.id}"`,
  })
}

/** The maximum length of a model's prompt in characters. */
function maxPrompt({ contextSize = Infinity, maxPromptCharacters: declared = Infinity }: TextModel): number {
  return Math.min(declared, contextSize * maxCharactersPerToken)
}
