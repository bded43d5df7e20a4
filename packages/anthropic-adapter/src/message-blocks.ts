import type {
  AnswerPart,
  Citation,
  ProviderOptions,
  ReasoningPart,
  TextPart,
  ToolCallPart,
} from '@fairlead/core/provider'
import { seal } from '@fairlead/http'
import type { Block, ProviderData } from './provider-data.ts'

/** The blocks for a part of an answer. The data of another provider stands in the signature, or in a block behind it. */
export function toBlocks(part: AnswerPart, data: ProviderData, isOwn: boolean): readonly Block[] {
  switch (part.type) {
    case 'text':
      return [...(part.text === '' ? [] : [textBlock(part)]), ...blocksBehind(part, data)]
    case 'tool_call': {
      const { input, inputText } = part
      const written = input ? { input } : { input: {}, input_text: inputText }
      return [{ ...toolBlock(part, data, isOwn), ...written }, ...blocksBehind(part, data)]
    }
    case 'reasoning':
      if (part.text === '' && !part.providerOptions && !part.native) return []
      return [redactedBlock(part, data) ?? thinkingBlock(part, data)]
    // One of another API stands in a block that clients send back unchanged.
    case 'opaque': {
      const { type: _type, ...block } = part
      return [part.dialect === 'anthropic' ? part.data : { type: 'redacted_thinking', data: seal({ block }) }]
    }
    // The end of the message has the text of a refusal. The API has no generated files.
    case 'refusal':
    case 'file':
      return []
  }
}

export function textBlock({ text, citations, native }: TextPart): Block {
  return { type: 'text', text, ...native?.anthropic, ...(citations && { citations: citations.map(toCitation) }) }
}

/** One of another provider has no index in the API's search, and so is not sent back. */
export function toCitation({ native, url, title, quote }: Citation): Block {
  if (native?.anthropic) return native.anthropic
  const source = { url: url ?? '', title: title ?? null, cited_text: quote ?? '' }
  return { type: 'web_search_result_location', ...source, encrypted_index: '' }
}

export function thinkingBlock(part: ReasoningPart, data: ProviderData): Block {
  const signature = readSignature(part.providerOptions, data)
  return { type: 'thinking', thinking: part.text, signature, ...part.native?.anthropic }
}

/** Without its input. */
export function toolBlock(
  { id, name, providerOptions, native }: ToolCallPart,
  data: ProviderData,
  isOwn: boolean,
): Block {
  const own = native?.anthropic ?? (isOwn ? {} : { caller: { type: 'direct' }, ...data.ofAnthropic(providerOptions) })
  return { type: 'tool_use', id, name, input: {}, ...own }
}

/** Reasoning without a text that a client could show; undefined if it has one. */
export function redactedBlock({ text, providerOptions, native }: ReasoningPart, data: ProviderData): Block | undefined {
  const own = data.ofAnthropic(providerOptions)
  if (own?.['data'] !== undefined) return { type: 'redacted_thinking', data: own['data'], ...native?.anthropic }
  if (text !== '' || !providerOptions || own) return undefined
  return { type: 'redacted_thinking', data: seal({ options: providerOptions }) }
}

export function readSignature(options: ProviderOptions | undefined, data: ProviderData): string {
  if (!options) return ''
  const own = data.ofAnthropic(options)
  return own ? String(own['signature'] ?? '') : seal({ options })
}

/** The data of another provider for a text or a call. Clients send such blocks back unchanged. */
export function blocksBehind(part: AnswerPart, data: ProviderData): readonly Block[] {
  if (part.type !== 'text' && part.type !== 'tool_call') return []
  const { providerOptions: options } = part
  if (!options || data.ofAnthropic(options)) return []
  const id = part.type === 'tool_call' && { id: part.id }
  return [{ type: 'redacted_thinking', data: seal({ of: part.type, ...id, options }) }]
}
