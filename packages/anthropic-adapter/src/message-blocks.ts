import type { ProviderOptions } from '@fairlead/core/provider'
import type { AnswerPart } from '@fairlead/core/types'
import { seal } from '@fairlead/http'
import type { Block, ProviderData } from './provider-data.ts'

/** The blocks for a part of an answer: the data of another provider stands in the signature, or in a block behind it. */
export function toBlocks(part: AnswerPart, data: ProviderData): readonly Block[] {
  if (part.type === 'opaque') return part.dialect === 'anthropic' ? [part.data] : []
  // The API has no generated files.
  if (part.type === 'file') return []
  const { providerOptions } = part
  const own = data.ofAnthropic(providerOptions)
  const behind = (of: 'text' | 'tool_call', id?: string): readonly Block[] =>
    providerOptions && !own ? [sealedBlock(of, providerOptions, id)] : []
  switch (part.type) {
    case 'text':
      return [...(part.text === '' ? [] : [textBlock(part.text)]), ...behind('text')]
    case 'tool_call': {
      const { id, name, input, inputText } = part
      const isUnreadable = inputText !== undefined && Object.keys(input).length === 0 && inputText.trim() !== '{}'
      const written = isUnreadable ? { input, input_text: inputText } : { input }
      return [{ ...toolBlock(id, name, own), ...written }, ...behind('tool_call', id)]
    }
    // The end of the message has its text.
    case 'refusal':
      return []
    case 'reasoning':
      return [redactedBlock(part.text, providerOptions, data) ?? thinkingBlock(part.text, signatureOf(part, data))]
  }
}

export function textBlock(text: string): Block {
  return { type: 'text', text }
}

export function thinkingBlock(thinking: string, signature: string): Block {
  return { type: 'thinking', thinking, signature }
}

/** Without its input. */
export function toolBlock(id: string, name: string, own: Block = {}): Block {
  return { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' }, ...own }
}

/** Reasoning without a text that a client could show; undefined if it has one. */
export function redactedBlock(
  text: string,
  options: ProviderOptions | undefined,
  data: ProviderData,
): Block | undefined {
  const own = data.ofAnthropic(options)
  if (own?.['data'] !== undefined) return { type: 'redacted_thinking', data: own['data'] }
  if (text !== '' || !options || own) return undefined
  return { type: 'redacted_thinking', data: seal({ options }) }
}

export function signatureOf(
  { providerOptions }: { readonly providerOptions?: ProviderOptions | undefined },
  data: ProviderData,
): string {
  if (!providerOptions) return ''
  const own = data.ofAnthropic(providerOptions)
  return own ? String(own['signature'] ?? '') : seal({ options: providerOptions })
}

/** The data of another provider for the part before it. Clients send such blocks back unchanged. */
export function sealedBlock(of: 'text' | 'tool_call', options: ProviderOptions, id?: string): Block {
  return { type: 'redacted_thinking', data: seal({ of, ...(id !== undefined && { id }), options }) }
}
