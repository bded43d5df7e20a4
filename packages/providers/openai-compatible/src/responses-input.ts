import type { Message, SentAnswerPart, ToolCallPart, ToolResultPart } from '@fairlead/core/provider'
import type { Options, OptionsOf } from './dialect.ts'
import { ownMessages } from './native.ts'
import { type ContentPart, dataUrl, fileName, plainText } from './chat-messages.ts'

/**
 * The messages of a conversation as input items of the Responses API.
 *
 * @param isReasoning whether the model reasons: the API rejects reasoning for one that cannot
 */
export function toInputItems(
  messages: readonly Message[],
  optionsOf: OptionsOf,
  isReasoning: boolean,
): readonly Options[] {
  return messages.flatMap((message): readonly Options[] => {
    const own = ownMessages(message, 'openai-responses')
    if (own) return own
    const { role, content } = message
    if (role === 'assistant') {
      const parts = content.filter(({ type }) => type !== 'reasoning' || isReasoning)
      return parts.flatMap((part) => toAnswerItem(part, optionsOf))
    }
    if (role === 'tool') return content.map((part) => toResultItem(part, optionsOf))
    return [{ role, content: toContent(content, optionsOf) }]
  })
}

function toContent(parts: readonly ContentPart[], optionsOf: OptionsOf): string | readonly Options[] {
  return plainText(parts, optionsOf) ?? parts.map((part) => toContentPart(part, optionsOf))
}

/** The fields of a part take precedence over its options, which could otherwise have the API load another address. */
function toContentPart(part: ContentPart, optionsOf: OptionsOf): Options {
  const options = optionsOf(part)
  if (part.type === 'text') return { ...options, type: 'input_text', text: part.text }
  if (part.type === 'image') return { detail: 'auto', ...options, type: 'input_image', image_url: dataUrl(part) }
  if (part.source.kind === 'url') return { ...options, type: 'input_file', file_url: part.source.url }
  return { ...options, type: 'input_file', filename: fileName(part), file_data: dataUrl(part) }
}

/** Each part of an answer becomes an item. Reasoning is returned as the API sent it, or not at all. */
function toAnswerItem(part: SentAnswerPart, optionsOf: OptionsOf): readonly Options[] {
  if (part.type === 'opaque') return part.dialect === 'openai-responses' && !isReference(part.data) ? [part.data] : []
  const options = optionsOf(part)
  if (part.type === 'tool_call') return [toCallItem(part, options)]
  if (part.type === 'text') return part.text === '' ? [] : [{ ...options, role: 'assistant', content: part.text }]
  return options?.['encrypted_content'] === undefined ? [] : [{ ...options, type: 'reasoning' }]
}

/** Without a type or with this one, it is an item that is stored in the operator's account. */
function isReference({ type }: Options): boolean {
  return typeof type !== 'string' || type === 'item_reference'
}

function toCallItem({ id, name, inputText }: ToolCallPart, options: Options | undefined): Options {
  return { ...options, type: 'function_call', call_id: id, name, arguments: inputText }
}

/** The API has no field for a failed tool. */
function toResultItem(part: ToolResultPart, optionsOf: OptionsOf): Options {
  const mark = { type: 'text', text: 'Error:' } as const
  const output = toContent(part.isError ? [mark, ...part.content] : part.content, optionsOf)
  return { ...optionsOf(part), type: 'function_call_output', call_id: part.toolCallId, output }
}
