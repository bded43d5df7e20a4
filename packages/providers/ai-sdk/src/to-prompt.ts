import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import {
  type FilePart,
  type ImagePart,
  type Message,
  type ProviderOptions,
  type ToolResultPart,
  withUserMessage,
} from '@fairlead/core/provider'
import type { AnyLanguageModel } from './options.ts'
import { packageOptions } from './package-options.ts'

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
      prompt.push(...content.map((part) => ({ role, content: part.text, ...optionsOf(part, format) })))
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
    part.type === 'text' ? toText(part, format) : { ...toFile(part, format), ...optionsOf(part, format) },
  )
  return { role: 'user', content: content.filter(hasContent) }
}

function toAssistant(parts: Content<'assistant'>, format: PromptFormat): LanguageModelV4Message {
  const content = parts.map((part) => {
    if (part.type !== 'tool_call') return toText(part, format)
    const { id: toolCallId, name: toolName, input } = part
    return { type: 'tool-call' as const, toolCallId, toolName, input, ...optionsOf(part, format) }
  })
  return { role: 'assistant', content: content.filter(hasContent) }
}

type Words<Type> = { readonly type: Type; readonly text: string } & WithOptions

function toText<Type extends 'text' | 'reasoning'>({ type, text, ...part }: Words<Type>, format: PromptFormat) {
  return { type, text, ...optionsOf(part, format) }
}

/** Many APIs reject an empty text. */
function hasContent(part: object): boolean {
  return !('text' in part && part.text === '') || 'providerOptions' in part
}

function toFile({ url, data = '', mediaType = 'image/*', ...part }: ImagePart | FilePart, { version }: PromptFormat) {
  const location = url === undefined ? undefined : new URL(url)
  const tagged = location ? { type: 'url', url: location } : { type: 'data', data }
  return {
    type: 'file',
    mediaType,
    ...('filename' in part && part.filename !== undefined && { filename: part.filename }),
    // Earlier versions have the bytes or the URL itself.
    data: version === 'v4' ? tagged : (location ?? data),
  } as LanguageModelV4FilePart
}

function toResult(part: ToolResultPart, format: PromptFormat): LanguageModelV4ToolResultPart {
  const { toolCallId, name: toolName } = part
  return {
    type: 'tool-result',
    toolCallId,
    toolName,
    output: toOutput(part, format),
    ...optionsOf(part, format),
  }
}

function toOutput({ content, isError = false }: ToolResultPart, format: PromptFormat): LanguageModelV4ToolResultOutput {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length === content.length) return { type: isError ? 'error-text' : 'text', value: texts.join('\n') }
  const value = content.map((part) => (part.type === 'text' ? toText(part, format) : toResultFile(part, format)))
  return { type: 'content', value } as LanguageModelV4ToolResultOutput
}

/** Version 2 has no URLs in results: the model reads them as text. */
function toResultFile(part: ImagePart | FilePart, format: PromptFormat): object {
  const { url, data, mediaType } = part
  if (format.version === 'v4') return { ...toFile(part, format), ...optionsOf(part, format) }
  if (format.version === 'v2') {
    return url === undefined ? { type: 'media', data, mediaType } : { type: 'text', text: url }
  }
  const kind = part.type === 'image' ? 'image' : 'file'
  if (url !== undefined) return { type: `${kind}-url`, url, ...optionsOf(part, format) }
  return { type: `${kind}-data`, data, mediaType, ...optionsOf(part, format) }
}

interface WithOptions {
  readonly providerOptions?: ProviderOptions | undefined
}

/** The options of the model's package that a part or a tool carries. */
export function optionsOf(holder: WithOptions, { id }: Pick<PromptFormat, 'id'>) {
  const own = packageOptions(holder, id)
  return own ? { providerOptions: own } : {}
}
