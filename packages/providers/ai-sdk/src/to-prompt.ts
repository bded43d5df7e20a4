import type {
  LanguageModelV4CustomPart,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import {
  type MediaPart,
  type Message,
  type OpaquePart,
  readToolInput,
  type ToolResultPart,
  withUserMessage,
} from '@fairlead/core/provider'
import type { AnyLanguageModel } from './options.ts'
import { packageOptions, type WithOptions } from './package-options.ts'

export interface PromptFormat {
  /** The provider's id: under it, parts carry the options of the model's package. */
  readonly id: string
  /** The version of the specification, which differ in how they represent files. */
  readonly version: AnyLanguageModel['specificationVersion']
}

type Content<Role extends Message['role']> = Extract<Message, { role: Role }>['content']

/** The messages as all versions have them. Results of consecutive messages are one message, as the packages expect. */
export function toPrompt(messages: readonly Message[], format: PromptFormat): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = []
  for (const { role, content } of withUserMessage(messages)) {
    if (role === 'system') {
      prompt.push(...content.map((part) => ({ role, content: part.text, ...readOptions(part, format) })))
    } else if (role === 'tool') {
      const results = content.map((part) => toResult(part, format))
      const last = prompt.at(-1)
      if (last?.role === 'tool') last.content.push(...results)
      else prompt.push({ role, content: results })
    } else {
      const message = role === 'user' ? toUser(content, format) : toAssistant(content, format)
      if (message.content.length > 0) prompt.push(message)
    }
  }
  return prompt
}

function toUser(parts: Content<'user'>, format: PromptFormat): LanguageModelV4Message {
  const content = parts.map((part) =>
    part.type === 'text' ? toText(part, format) : { ...toFile(part, format), ...readOptions(part, format) },
  )
  return { role: 'user', content: content.filter(hasContent) }
}

function toAssistant(parts: Content<'assistant'>, format: PromptFormat): LanguageModelV4Message {
  const content = parts.flatMap((part): AssistantContent => {
    if (part.type === 'opaque') return toBlock(part, format)
    if (part.type !== 'tool_call') return [toText(part, format)]
    const { id: toolCallId, name: toolName, input = {} } = part
    return [{ type: 'tool-call', toolCallId, toolName, input, ...readOptions(part, format) }]
  })
  return { role: 'assistant', content: content.filter(hasContent) }
}

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

/** A block of an earlier answer, as the package `ai` sends it back. */
function toBlock(part: OpaquePart & WithOptions, format: PromptFormat): AssistantContent {
  const { toolCallId, toolName, input, result, isError, kind, mediaType, data } = part.data
  const options = readOptions(part, format)
  const call = { toolCallId: String(toolCallId), toolName: String(toolName), ...options }
  if (isLeftOut(part, format)) return []
  switch (part.kind) {
    case 'tool-call':
      return [{ type: 'tool-call', input: readToolInput(String(input)).input ?? {}, providerExecuted: true, ...call }]
    case 'tool-result': {
      const type = `${isError === true ? 'error-' : ''}${typeof result === 'string' ? 'text' : 'json'}` as const
      return [{ type: 'tool-result', output: { type, value: result } as LanguageModelV4ToolResultOutput, ...call }]
    }
    case 'custom':
      return [{ type: 'custom', kind: kind as LanguageModelV4CustomPart['kind'], ...options }]
    default: {
      const file = { type: 'data', data: String(data) } as const
      return [{ type: 'reasoning-file', mediaType: String(mediaType), data: file, ...options }]
    }
  }
}

/** Whether the specification has no form for a block in a prompt. */
export function isLeftOut({ kind, data }: OpaquePart, { version }: Pick<PromptFormat, 'version'>): boolean {
  if (kind === 'tool-call' || kind === 'tool-result') return false
  return version !== 'v4' || (kind !== 'custom' && (kind !== 'reasoning-file' || typeof data['data'] !== 'string'))
}

type Words<Type> = { readonly type: Type; readonly text: string } & WithOptions

function toText<Type extends 'text' | 'reasoning'>({ type, text, ...part }: Words<Type>, format: PromptFormat) {
  return { type, text, ...readOptions(part, format) }
}

/** Many APIs reject an empty text. */
function hasContent(part: object): boolean {
  return !('text' in part && part.text === '') || 'providerOptions' in part
}

function toFile({ source, filename }: MediaPart, { version }: PromptFormat) {
  const { kind, mediaType = 'image/*' } = source
  const content = kind === 'url' ? new URL(source.url) : source.data
  return {
    type: 'file',
    mediaType,
    ...(filename !== undefined && { filename }),
    // Earlier versions have the bytes or the URL itself.
    data: version === 'v4' ? { type: kind, [kind]: content } : content,
  } as object as LanguageModelV4FilePart
}

function toResult(part: ToolResultPart, format: PromptFormat): LanguageModelV4ToolResultPart {
  const { toolCallId, name: toolName } = part
  const output = toOutput(part, format)
  return { type: 'tool-result', toolCallId, toolName, output, ...readOptions(part, format) }
}

function toOutput({ content, isError = false }: ToolResultPart, format: PromptFormat): LanguageModelV4ToolResultOutput {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length === content.length) return { type: isError ? 'error-text' : 'text', value: texts.join('\n') }
  const value = content.map((part) => (part.type === 'text' ? toText(part, format) : toResultFile(part, format)))
  return { type: 'content', value } as LanguageModelV4ToolResultOutput
}

/** Version 2 has no URLs in results: the model reads them as text. */
function toResultFile(part: MediaPart, format: PromptFormat): object {
  const { type, source } = part
  const options = readOptions(part, format)
  if (format.version === 'v4') return { ...toFile(part, format), ...options }
  const isOld = format.version === 'v2'
  if (source.kind === 'url') {
    return isOld ? { type: 'text', text: source.url } : { type: `${type}-url`, url: source.url, ...options }
  }
  const { data, mediaType } = source
  return isOld ? { type: 'media', data, mediaType } : { type: `${type}-data`, data, mediaType, ...options }
}

/** The options of the model's package that a part or a tool carries. */
export function readOptions(holder: WithOptions, { id }: Pick<PromptFormat, 'id'>) {
  const own = packageOptions(holder, id)
  return own ? { providerOptions: own } : {}
}
