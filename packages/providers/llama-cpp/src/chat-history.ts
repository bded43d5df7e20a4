import { type Message, type ToolResultPart, withUserMessage } from '@fairlead/core/provider'
import type { ChatHistoryItem, ChatModelResponse } from 'node-llama-cpp'

type Response = ChatModelResponse['response']

/**
 * A conversation in the form of node-llama-cpp, which keeps the results of tools with their calls. The last item is the
 * response to write: empty, or the beginning that the conversation ends with. Reasoning of earlier answers is left out, as
 * most templates demand.
 */
export function toChatHistory(messages: readonly Message[]): ChatHistoryItem[] {
  const results = new Map<string, ToolResultPart>()
  for (const { role, content } of messages)
    if (role === 'tool') for (const part of content) results.set(part.toolCallId, part)
  const items: ChatHistoryItem[] = []
  for (const message of withUserMessage(messages)) {
    if (message.role === 'system') items.push({ type: 'system', text: joinTexts(message.content) })
    else if (message.role === 'user') items.push({ type: 'user', text: joinTexts(message.content) })
    else if (message.role === 'assistant') respond(items, toResponse(message, results))
  }
  respond(items, [])
  return items
}

/** Continues the last response, or begins one. */
function respond(items: ChatHistoryItem[], response: Response): void {
  const last = items.at(-1)
  if (last?.type === 'model') last.response.push(...response)
  else items.push({ type: 'model', response: [...response] })
}

function toResponse(
  { content }: Extract<Message, { role: 'assistant' }>,
  results: ReadonlyMap<string, ToolResultPart>,
): Response {
  return content.flatMap((part): Response => {
    if (part.type === 'text') return [part.text]
    if (part.type !== 'tool_call') return []
    const { id, name, input: params = {} } = part
    const result = results.get(id)
    const text = result ? joinTexts(result.content) : ''
    return [{ type: 'functionCall', name, params, result: result?.isError ? { error: text } : text }]
  })
}

/** All text of parts: the model takes neither images nor files. */
export function joinTexts(parts: readonly { readonly type: string }[]): string {
  return parts.map((part) => ('text' in part && typeof part.text === 'string' ? part.text : '')).join('\n')
}
