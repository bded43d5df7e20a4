import type { Message } from '@fairlead/core/provider'
import { messageText } from '../message-text.ts'

/** The parts of a conversation that the mirror reads. */
export interface Exchange {
  /** The text of the last user message. Images and files are named by their type and size. */
  readonly text: string
  /** How many answers follow that message. */
  readonly turn: number
  /** The text of the tool results that the conversation ends with. */
  readonly results: string | undefined
  /** How many tool calls the conversation has. */
  readonly calls: number
}

export function readExchange(messages: readonly Message[]): Exchange {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const after = messages.slice(asked + 1)
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant')
  const results = messages.slice(lastAnswer + 1).filter(({ role }) => role === 'tool')
  return {
    text: asked < 0 ? '' : messageText(messages[asked]!),
    turn: after.filter(({ role }) => role === 'assistant').length,
    results: messages.at(-1)?.role === 'tool' ? results.map(messageText).join('\n') : undefined,
    calls: messages.reduce((sum, { content }) => sum + content.filter(({ type }) => type === 'tool_call').length, 0),
  }
}
