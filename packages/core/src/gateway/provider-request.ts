import type { Issue } from '../runtime/errors.ts'
import type { Message, MessagePart, Native } from './message.ts'
import type { Provider, TextRequest } from './provider.ts'

/** Whether a provider speaks the API of a client, and so gets the client's own fields. */
export function speaks({ dialects = [] }: Provider, dialect: string): boolean {
  return dialects.some((each) => each === dialect)
}

/** The request as this provider gets it: without the blocks of other providers, and other fields than its own. */
export function requestFor(
  provider: Provider,
  request: TextRequest,
): { readonly request: TextRequest; readonly warnings: readonly Issue[] } {
  const { native, messages } = request
  const isForeign = native && !provider.dialects?.some((dialect) => native[dialect])
  const known = isForeign ? withoutNative(request) : request
  const hasOther = messages.some(({ content }) => content.some((part) => isOfOther(part, provider)))
  if (!hasOther) return { request: known, warnings: [] }
  return {
    request: { ...known, messages: known.messages.map((message) => withoutOthers(message, provider)) },
    warnings: [foreignBlocks],
  }
}

function withoutNative({ native: _native, ...request }: TextRequest): TextRequest {
  return { ...request, messages: request.messages.map(({ native: _own, ...message }) => message) }
}

/** The request without the client's own form of its messages, which says something else once core has changed them. */
export function withoutNativeMessages(request: TextRequest): TextRequest {
  if (!request.native) return request
  const fields = Object.entries(request.native).map(([dialect, { system: _system, instructions: _own, ...others }]) => [
    dialect,
    others,
  ])
  return { ...withoutNative(request), native: Object.fromEntries(fields) as Native }
}

const foreignBlocks: Issue = { field: 'messages', issue: 'blocks of another provider were left out' }

/** A client of the dialect does not say which provider a block is from. */
function isOfOther(part: MessagePart, provider: Provider): boolean {
  if (part.type !== 'opaque') return false
  return part.provider === '' ? !speaks(provider, part.dialect) : part.provider !== provider.id
}

/** Also without the client's own form of the message, which has these blocks too. */
function withoutOthers(message: Message, provider: Provider): Message {
  if (message.role !== 'assistant') return message
  const content = message.content.filter((part) => !isOfOther(part, provider))
  if (content.length === message.content.length) return message
  return { role: 'assistant', content: content.length > 0 ? content : [{ type: 'text', text: '' }] }
}
