import type { FilePart, ImagePart, Message } from '@fairlead/core/provider'

/** All text of a conversation, for counting its tokens. */
export function wholeText(messages: readonly Message[]): string {
  return messages.map(messageText).join('\n')
}

type Part = Message['content'][number]

/** The text of a message. Images and files are named by their type and size. */
export function messageText({ content }: Message): string {
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
