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
import type { JsonObject } from '../../runtime/json.ts'
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
  const visitAll = (visit: Visit) => {
    for (const part of parts) visitTexts(part, visit)
    if (tools) visitJson(tools, visit)
    if (schema) visitJson(schema, visit)
  }
  let length = 0
  visitAll((text) => void (length += text.length))
  const mediaTokens = parts.reduce((sum, part) => sum + mediaTokensOf(part), 0)
  return {
    estimatedTokens: estimateTokens(length) + mediaTokens,
    hasAtMost(codePoints) {
      // Joining the texts takes long for megabytes, and their lengths mostly suffice.
      if (length <= codePoints) return true
      const texts: string[] = []
      visitAll((text) => void texts.push(text))
      return hasAtMost(codePoints, texts.join(''))
    },
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

type Visit = (text: string) => void

function visitTexts(part: Part, visit: Visit): void {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      visit(part.text)
      break
    case 'tool_call':
      visit(part.name)
      visit(part.inputText)
      break
    case 'tool_result':
      for (const each of part.content) visitTexts(each, visit)
      break
    case 'opaque':
      visitJson(part.data, visit)
  }
}

/** Visits the names and values of a JSON value. A list of them would be as large as the value. */
function visitJson(value: unknown, visit: Visit): void {
  if (typeof value === 'string') return visit(value)
  if (typeof value !== 'object' || value === null) return visit(String(value))
  if (Array.isArray(value)) {
    for (const item of value) visitJson(item, visit)
    return
  }
  for (const name in value) {
    visit(name)
    visitJson((value as JsonObject)[name], visit)
  }
}

/** The length of all names and values of a JSON value. Writing the JSON would take 50 ms for 20 MB. */
export function textLength(value: unknown): number {
  let length = 0
  visitJson(value, (text) => void (length += text.length))
  return length
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
