import { isSealed } from '@fairlead/http'
import type { Block } from './provider-data.ts'

/**
 * Whether the content of a message has to be written anew for a provider of the API, because it has what only Fairlead
 * adds, for a model of another provider, or what the API would reject although an earlier answer had it.
 */
export function needsRewrite(content: unknown): boolean {
  return Array.isArray(content) && content.some((block: Block) => blockNeedsRewrite(block, content.length))
}

function blockNeedsRewrite(block: Block, count: number): boolean {
  switch (block['type']) {
    case 'text':
      return (count > 1 && isBlank(block['text'])) || isCitedElsewhere(block['citations'])
    case 'thinking':
      return !block['signature'] || isSealed(block['signature'])
    case 'redacted_thinking':
      return isSealed(block['data'])
    case 'tool_use':
      return block['input_text'] != null || typeof block['input'] === 'string' || !isId(block['id'])
    case 'tool_result':
      return !isId(block['tool_use_id']) || needsRewrite(block['content'])
    default:
      return false
  }
}

function isBlank(text: unknown): boolean {
  return typeof text === 'string' && text.trim() === ''
}

/** The citations of other providers have no index of the API's search. */
export function isCitedElsewhere(citations: unknown): boolean {
  return Array.isArray(citations) && citations.some((citation: Block | null) => citation?.['encrypted_index'] === '')
}

/** Ids of other providers may have characters that the API rejects. */
function isId(id: unknown): boolean {
  return typeof id === 'string' && /^[A-Za-z0-9_-]+$/.test(id)
}
