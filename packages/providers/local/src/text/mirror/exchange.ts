import type { FilePart, ImagePart, Message } from '@fairlead/core/provider'

/** What the mirror reads of a conversation. */
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
    text: asked < 0 ? '' : textOf(messages[asked]!),
    turn: after.filter(({ role }) => role === 'assistant').length,
    results: messages.at(-1)?.role === 'tool' ? results.map(textOf).join('\n') : undefined,
    calls: messages.reduce((sum, { content }) => sum + content.filter(({ type }) => type === 'tool_call').length, 0),
  }
}

/** All text of a conversation, for counting its tokens. */
export function wholeText(messages: readonly Message[]): string {
  return messages.map(textOf).join('\n')
}

type Part = Message['content'][number]

function textOf({ content }: Message): string {
  return content.map((part: Part) => partText(part)).join('\n')
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool_call':
      return `${part.name} ${JSON.stringify(part.input)}`
    case 'tool_result':
      return part.content.map((each) => partText(each)).join('\n')
    default:
      return mention(part)
  }
}

/** Such as `[image/png, 1234 bytes]`. */
function mention(part: ImagePart | FilePart): string {
  const source = part.data === undefined ? part.url : `${Buffer.byteLength(part.data, 'base64')} bytes`
  const name = part.type === 'file' ? part.filename : undefined
  return `[${[part.mediaType ?? part.type, source, name].filter((fact) => fact !== undefined).join(', ')}]`
}
