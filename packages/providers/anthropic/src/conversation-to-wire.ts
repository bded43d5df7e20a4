import { type Message, type ToolResultPart, withUserMessage } from '@fairlead/core/provider'
import { type ContentPart, toBlock } from './content-to-wire.ts'
import type { ModelRules } from './model-rules.ts'
import type { Block, WireMessage } from './wire.ts'

type AnswerContent = Extract<Message, { readonly role: 'assistant' }>['content']

interface Turn {
  readonly role: 'user' | 'assistant' | 'system'
  /** The message as a client of the API wrote it. Default: one of the results and blocks. */
  readonly own?: WireMessage
  /** The API requires tool results to come first. */
  readonly results: Block[]
  readonly blocks: Block[]
}

const movedToStart = 'a later system message was moved to the start, the only place where this model takes one'
const movedBehindUser = 'a system message was moved behind the next user message, where the API takes it'
const foreignReasoning = 'reasoning of another model was left out'

/**
 * The messages of a request in the API's format: consecutive messages of a role are one turn, and messages that a
 * client of the API sent stay as they are. The API takes a later system message only at the end of a user's turn, and
 * only with some models (Claude docs: "Mid-conversation system messages").
 *
 * @param id the key of the provider's own options
 */
export function toConversation(
  messages: readonly Message[],
  id: string,
  { laterSystem }: Pick<ModelRules, 'laterSystem'>,
) {
  const system: Block[] = []
  const turns: Turn[] = []
  const warnings = new Set<string>()
  let waiting: Block[] = []

  const turnOf = (role: Turn['role']): Turn => {
    const last = turns.at(-1)
    if (last?.role === role && !last.own) return last
    const turn = { role, results: [], blocks: [] }
    turns.push(turn)
    return turn
  }
  const endUserTurn = () => {
    if (waiting.length === 0 || turns.at(-1)?.role !== 'user') return
    turnOf('system').blocks.push(...waiting)
    waiting = []
  }

  const isOwn = messages.some(({ native }) => native?.anthropic)
  for (const message of isOwn ? messages : withUserMessage(messages)) {
    const own = message.native?.anthropic as readonly WireMessage[] | undefined
    if (own) {
      if (own[0]?.role === 'assistant') endUserTurn()
      turns.push(...own.map((each) => ({ role: each.role, own: each, results: [], blocks: [] })))
    } else if (message.role === 'system') {
      const blocks = toBlocks(message.content, id)
      if (turns.length > 0 && laterSystem) {
        waiting.push(...blocks)
        continue
      }
      if (turns.length > 0) warnings.add(movedToStart)
      system.push(...blocks)
    } else if (message.role === 'assistant') {
      endUserTurn()
      const blocks = answerBlocks(message.content, id, () => warnings.add(foreignReasoning))
      if (blocks.length > 0) turnOf('assistant').blocks.push(...blocks)
    } else {
      if (waiting.length > 0) warnings.add(movedBehindUser)
      const turn = turnOf('user')
      if (message.role === 'tool') turn.results.push(...message.content.map((result) => resultBlock(result, id)))
      else turn.blocks.push(...toBlocks(message.content, id))
    }
  }
  endUserTurn()
  if (waiting.length > 0) {
    system.push(...waiting)
    warnings.add(movedToStart)
  }
  const toMessage = ({ role, own, results, blocks }: Turn): WireMessage =>
    own ?? { role, content: toContent([...results, ...blocks]) }
  return {
    system,
    messages: turns.map(toMessage),
    warnings: [...warnings].map((issue) => ({ field: 'messages', issue })),
  }
}

/** The API rejects blank texts, which models may write before a tool call. */
function toBlocks(parts: readonly ContentPart[], id: string): readonly Block[] {
  const kept = parts.filter((part) => part.type !== 'text' || part.text.trim() !== '')
  return (kept.length > 0 ? kept : parts).map((part) => toBlock(part, id))
}

function answerBlocks(parts: AnswerContent, id: string, onForeign: () => void): readonly Block[] {
  return parts.flatMap((part): readonly Block[] => {
    // Core sends a provider only the provider's own blocks.
    if (part.type === 'opaque') return [part.data as Block]
    const own = part.providerOptions?.[id]
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [toBlock(part, id)]
      case 'tool_call':
        return [{ ...own, type: 'tool_use', id: toWireId(part.id), name: part.name, input: part.input ?? {} }]
      case 'reasoning': {
        if (own?.data !== undefined) return [{ ...own, type: 'redacted_thinking' }]
        if (own?.signature !== undefined) return [{ ...own, type: 'thinking', thinking: part.text }]
        // The API rejects thinking that it has not signed.
        onForeign()
        return []
      }
    }
  })
}

function resultBlock({ toolCallId, content, isError = false, providerOptions }: ToolResultPart, id: string): Block {
  const blocks = content.filter((part) => part.type !== 'text' || part.text !== '').map((part) => toBlock(part, id))
  return {
    ...providerOptions?.[id],
    type: 'tool_result',
    tool_use_id: toWireId(toolCallId),
    ...(blocks.length > 0 && { content: toContent(blocks) }),
    ...(isError && { is_error: true }),
  }
}

/** Ids of other providers may have characters that the API rejects. */
function toWireId(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, '_')
}

/** The API reads a string as one block of text. */
function toContent(blocks: readonly Block[]): string | readonly Block[] {
  const [only, ...others] = blocks
  if (only?.type !== 'text' || others.length > 0 || Object.keys(only).length > 2) return blocks
  return only.text as string
}
