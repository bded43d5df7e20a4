import { hash, randomUUID } from 'node:crypto'
import {
  type Issue,
  isObject,
  type JsonObject,
  type Message,
  type OpaquePart,
  type TextRequest,
} from '@fairlead/core/provider'

/** The values that clients send although nobody set them: such a field counts as not set. */
const usual: JsonObject = {
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
  quality: 'standard',
  style: 'natural',
}

/** Whether a request sets a field to another value than the usual one. */
export function isSet<Request extends object>(request: Request, field: keyof Request & string): boolean {
  return request[field] !== undefined && request[field] !== usual[field]
}

/** The warning of a field that is not sent. */
export function unsupported(field: string): Issue {
  return { field, issue: 'is not supported by this model and was ignored' }
}

/** The warnings of those fields that a request sets, and that are not sent. */
export function unsupportedFields<Request extends object>(
  request: Request,
  fields: readonly (keyof Request & string)[],
): readonly Issue[] {
  return fields.filter((field) => isSet(request, field)).map(unsupported)
}

/** The warnings of the blocks of earlier answers that are not sent, one for each kind. */
export function blockWarnings(
  messages: readonly Message[],
  isLeftOut: (block: OpaquePart) => boolean,
): readonly Issue[] {
  const parts = messages.flatMap(({ role, content }) => (role === 'assistant' ? content : []))
  const kinds = parts.flatMap((part) => (part.type === 'opaque' && isLeftOut(part) ? [part.kind] : []))
  return [...new Set(kinds)].map((kind) => ({ field: 'messages', issue: `blocks of the kind "${kind}" were left out` }))
}

/**
 * The body of a request with the options of the caller: their objects add fields to the body's, their lists add items,
 * and all else replaces.
 */
export function withOptions<Body extends object>(body: Body, options: JsonObject | undefined): Body {
  if (!options) return body
  const merged = Object.entries(options).map(([name, value]) => {
    const own: unknown = Object.hasOwn(body, name) ? body[name as keyof Body] : undefined
    if (Array.isArray(own) && Array.isArray(value)) return [name, [...own, ...value]]
    return [name, isObject(own) && isObject(value) ? { ...own, ...value } : value]
  })
  return { ...body, ...Object.fromEntries(merged) }
}

/** The lengths that an API takes. Default of each: any. */
export interface ToolLimits {
  /** Of the name of a tool. */
  readonly nameLength?: number | undefined
  /** Of the id of a tool call. */
  readonly idLength?: number | undefined
}

/** A request whose tools fit the API, and the names that its answer must get back. */
export interface FittedTools {
  readonly request: TextRequest
  /** The name of the request by each name that was shortened; undefined if none was. */
  readonly names?: ReadonlyMap<string, string> | undefined
}

/**
 * Shortens names and ids that an API would reject, such as ids of another provider's calls, in tools, choice, calls and
 * results alike. The same name always gets the same short one, so that the upstream's prompt cache still matches. A
 * message that is changed loses the client's own form.
 *
 * @example
 *   const { request, names } = fitTools(given, { nameLength: 64 })
 *   const name = names?.get(call.name) ?? call.name
 */
export function fitTools(request: TextRequest, limits: ToolLimits): FittedTools {
  const { tools, toolChoice, messages } = request
  const { nameLength = Infinity, idLength = Infinity } = limits
  const hasLongTool = tools?.some(({ name }) => name.length > nameLength)
  if (!hasLongTool && !messages.some((message) => hasLongCall(message, limits))) return { request }
  const names = new Map<string, string>()
  const fitName = (name: string) => {
    const short = shorten(name, nameLength)
    if (short !== name) names.set(short, name)
    return short
  }
  const fitId = (id: string) => shorten(id, idLength)
  const fitMessage = (message: Message): Message => {
    if (!hasLongCall(message, limits)) return message
    const { native: _native, ...others } = message
    if (others.role === 'assistant') {
      const content = others.content.map((part) =>
        part.type === 'tool_call' ? { ...part, id: fitId(part.id), name: fitName(part.name) } : part,
      )
      return { ...others, content }
    }
    if (others.role !== 'tool') return message
    const content = others.content.map((part) => ({
      ...part,
      toolCallId: fitId(part.toolCallId),
      name: fitName(part.name),
    }))
    return { ...others, content }
  }
  const fitted: TextRequest = {
    ...request,
    messages: messages.map(fitMessage),
    ...(tools && { tools: tools.map((tool) => ({ ...tool, name: fitName(tool.name) })) }),
    ...(toolChoice?.type === 'tool' && { toolChoice: { type: 'tool', name: fitName(toolChoice.name) } }),
  }
  return { request: fitted, names }
}

/** Whether a message has a call, or a result, with a name or an id that is too long. */
function hasLongCall({ role, content }: Message, { nameLength = Infinity, idLength = Infinity }: ToolLimits): boolean {
  if (role !== 'assistant' && role !== 'tool') return false
  return content.some((part) => {
    if (part.type === 'tool_call') return part.name.length > nameLength || part.id.length > idLength
    return part.type === 'tool_result' && (part.name.length > nameLength || part.toolCallId.length > idLength)
  })
}

const hashLength = 8

/** The start of a text with its hash, so that two texts with the same start stay apart. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength - hashLength - 1)}_${hash('sha256', text).slice(0, hashLength)}`
}

/** An id for a call whose upstream gave it none. It must be unique within the conversation, whose calls may be of others. */
export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`
}
