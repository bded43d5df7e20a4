import { type Issue, type Message, withUserMessage } from '@fairlead/core/provider'
import type { OptionsOf } from './parts.ts'

interface SystemFirst {
  readonly messages: readonly Message[]
  readonly warnings: readonly Issue[]
}

const movedToStart = 'a later system message was moved to the start, the only place where this server takes one'

/**
 * Joins all system messages at the start: servers that apply the chat template of the model, such as vLLM and llama.cpp,
 * fail with many models if another message is a system message.
 */
export function systemFirst(given: readonly Message[], optionsOf: OptionsOf): SystemFirst {
  const messages = withUserMessage(given)
  const parts = messages.flatMap(({ role, content }) => (role === 'system' ? content : []))
  if (parts.length === 0) return { messages, warnings: [] }
  const text = parts.map((part) => part.text).join('\n\n')
  const content = parts.some(optionsOf) ? parts : [{ type: 'text' as const, text }]
  const firstOther = messages.findIndex(({ role }) => role !== 'system')
  const isMoved = messages.some(({ role }, index) => role === 'system' && index > firstOther)
  return {
    messages: [{ role: 'system', content }, ...messages.filter(({ role }) => role !== 'system')],
    warnings: isMoved ? [{ field: 'messages', issue: movedToStart }] : [],
  }
}
