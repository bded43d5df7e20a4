import type { Column } from '../columns.ts'
import { findIssue } from '../parameters.ts'
import {
  attachedCharacters,
  awaitsResults,
  type Conversation,
  hasAttachments,
  maxAttachedCharacters,
} from './conversation.ts'

type Capability = 'chat' | 'tools' | 'vision'

const lacks: Readonly<Record<Capability, string>> = {
  chat: 'takes only a prompt, not a conversation.',
  tools: 'does not call tools.',
  vision: 'does not read images or files.',
}

/** The chosen model that cannot do something, in a sentence. What a model that is not listed can do is unknown. */
export function findLack(columns: readonly Column[], capability: Capability): string | undefined {
  const traits = columns.find(({ choice }) => choice?.traits?.[capability] === false)?.choice?.traits
  return traits && `${traits.id} ${lacks[capability]}`
}

/** Why the next message cannot be sent. */
export function findObstacle(
  columns: readonly Column[],
  conversation: Conversation,
  prompt: string,
): string | undefined {
  if (columns.some(({ choice }) => !choice)) return 'Choose a model to run it.'
  if (columns.some(({ turns }) => awaitsResults(turns))) return 'Send the results of the tool calls first.'
  const isEmpty = prompt.trim() === '' && conversation.attachments.length === 0
  if (isEmpty && columns.some(({ turns }) => turns.at(-1)?.role !== 'user')) return 'Enter a prompt to run it.'
  return findBlocker(columns, conversation, isEmpty)
}

function findBlocker(columns: readonly Column[], conversation: Conversation, isEmpty: boolean): string | undefined {
  const isConversation =
    conversation.system.trim() !== '' || columns.some(({ turns }) => turns.length > (isEmpty ? 1 : 0))
  const needs: readonly (readonly [Capability, boolean, string])[] = [
    ['vision', hasAttachments(conversation), 'Remove the attachments, or choose another model.'],
    ['tools', conversation.tools.length > 0, 'Remove the tools, or choose another model.'],
    ['chat', isConversation, 'Clear the conversation, or choose another model.'],
  ]
  for (const [capability, isNeeded, fix] of needs) {
    const lack = isNeeded ? findLack(columns, capability) : undefined
    if (lack) return `${lack} ${fix}`
  }
  if (attachedCharacters(conversation) > maxAttachedCharacters) return 'The attachments exceed 20 MiB. Remove one.'
  const invalid = columns
    .flatMap(({ parameters, settings }) =>
      parameters.map((parameter) => ({ parameter, text: settings[parameter.name] })),
    )
    .find(({ parameter, text }) => findIssue(parameter, text) !== undefined)
  return invalid && `Correct the ${invalid.parameter.label.toLowerCase()}.`
}
