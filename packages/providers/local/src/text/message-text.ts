import type { MediaPart, Message, MessagePart } from '@fairlead/core/provider'

/** All text of a conversation, for counting its tokens. */
export function wholeText(messages: readonly Message[]): string {
  return messages.map(messageText).join('\n')
}

/** The text of a message. Images and files are named by their type and size. */
export function messageText({ content }: Message): string {
  return content.map((part: MessagePart) => partText(part)).join('\n')
}

function partText(part: MessagePart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool_call':
      return `${part.name} ${part.inputText}`
    case 'tool_result':
      return part.content.map((each) => partText(each)).join('\n')
    case 'opaque':
      return `[${part.kind}]`
    default:
      return mention(part)
  }
}

/** Such as `[image/png, 1234 bytes]`. */
function mention({ type, source, filename }: MediaPart): string {
  const place = source.kind === 'url' ? source.url : `${Buffer.byteLength(source.data, 'base64')} bytes`
  return `[${[source.mediaType ?? type, place, filename].filter((fact) => fact !== undefined).join(', ')}]`
}
