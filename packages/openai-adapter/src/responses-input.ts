import {
  type Fields,
  invalid,
  isObject,
  isPresent,
  isSealed,
  listAt,
  objectAt,
  objectParser,
  type ParseObject,
  readToolInput,
  unseal,
} from '@fairlead/http'
import {
  addOptions,
  onlyThere,
  partOptions,
  type Required,
  spelledInParts,
  splitField,
  storedFile,
  toContent,
  toFile,
  toImage,
  addSentOptions,
} from './content-parts.ts'
import { hasOptions } from './fields.ts'
import { flatName } from './responses-tools.ts'

type Role = 'system' | 'user' | 'assistant' | 'tool'

/** A part of a message in the form of core, and where it was in the request. */
interface LocatedPart {
  readonly part: object
  readonly path: string
}

interface Message {
  readonly role: Role
  readonly path: string
  readonly content: LocatedPart[]
  /** The items that the message stands for; undefined if one of them has data of other providers. */
  native: readonly Fields[] | undefined
}

/** Translates the instructions and the input of a response. Core checks the result. */
export function readInput({ instructions, input }: Fields) {
  const required: Required = []
  const reading: Reading = { parse: objectParser(), required }
  const messages: Message[] = []
  // The field has it.
  if (isPresent(instructions) && instructions !== '')
    messages.push(textMessage('system', instructions, 'instructions', []))
  if (typeof input === 'string') messages.push(textMessage('user', input, 'input', undefined))
  else {
    /** Items that belong to no message, before the first message. */
    const silent: Fields[] = []
    for (const [index, each] of listAt(input, 'input').entries()) {
      const path = `input[${index}]`
      const item = objectAt(each, path)
      const message = { ...readParts(item, path, reading), native: toNative(item) }
      if (changesAnswer(message)) required.push(`${path}.type`)
      add(messages, message, silent)
    }
    // OpenAI then answers the instructions.
    if (messages.length === 0) messages.push(textMessage('user', '', 'input', silent))
  }
  return {
    /** The items that each message stands for. */
    native: messages.map(({ native }) => native),
    /** The fields that only a provider of the API can do as asked. */
    required,
    messages: messages.map(({ role, content }) => ({
      role,
      content: plainText(content) ?? content.map(({ part }) => part),
    })),
    /** OpenAI's name for a field of core's messages: `input[2].call_id` of `messages[1].content[0].toolCallId`. */
    spell: (field: string) => spell(field, messages),
  }
}

interface Reading {
  readonly parse: ParseObject
  readonly required: Required
}

/** A single text, which core checks in less time than parts. */
function plainText([only, ...others]: readonly LocatedPart[]): string | undefined {
  if (!only || others.length > 0) return undefined
  const { type, text, ...options } = only.part as Fields
  return type === 'text' && typeof text === 'string' && Object.keys(options).length === 0 ? text : undefined
}

function textMessage(role: Role, text: unknown, path: string, native: Message['native']): Message {
  if (typeof text !== 'string') throw invalid(path, 'must be text')
  return { role, path, content: [{ part: { type: 'text', text }, path }], native }
}

/** The items of one answer are one message, as are the results of its calls. */
function add(messages: Message[], message: Message, silent: Fields[]): void {
  const last = messages.at(-1)
  const isContinued = last?.role === message.role && (message.role === 'assistant' || message.role === 'tool')
  const isSilent = message.content.length === 0
  if (isContinued || (isSilent && last)) {
    last.content.push(...message.content)
    last.native = last.native && message.native && [...last.native, ...message.native]
  } else if (message.content.length > 0) {
    message.native &&= [...silent.splice(0), ...message.native]
    messages.push(message)
  } else silent.push(...(message.native ?? []))
}

/** Undefined for an item with data of other providers. Reasoning that is not encrypted means nothing to OpenAI. */
function toNative(item: Fields): readonly Fields[] | undefined {
  const { type, encrypted_content: encrypted, content } = item
  const parts = Array.isArray(content) ? content : []
  if ([item, ...parts].some(hasOptions)) return undefined
  if (type !== 'reasoning') return [item]
  if (typeof encrypted !== 'string' || encrypted === '') return []
  return isSealed(encrypted) ? undefined : [item]
}

/** Whether it is an item of OpenAI's own that cannot be left out. Calls of tools that ran there can, but not their results. */
function changesAnswer({ content: [only] }: Message): boolean {
  const { type, kind } = (only?.part ?? {}) as Fields
  return type === 'opaque' && !String(kind).endsWith('_call') && kind !== 'mcp_list_tools'
}

/** An item as the message that it is, or is a part of. */
function readParts(item: Fields, path: string, { parse, required }: Reading): Omit<Message, 'native'> {
  const { type = item['role'] === undefined ? undefined : 'message' } = item
  const one = (role: Role, part: object) => ({ role, path, content: [{ part, path }] })
  switch (type) {
    case 'message':
      return readMessage(item, path, required)
    case 'additional_tools':
      return { role: 'system', path, content: [] }
    case 'reasoning':
      return { role: 'assistant', path, content: readReasoning(item, path, parse) }
    case 'function_call': {
      const input = readToolInput(item['arguments'], `${path}.arguments`, parse)
      return one('assistant', toToolCall(item, input))
    }
    case 'custom_tool_call':
      return one('assistant', toToolCall(item, { input: { input: item['input'] ?? '' } }))
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const content = toContent(item['output'], `${path}.output`, required, toPart)
      return one('tool', { type: 'tool_result', toolCallId: item['call_id'], content, ...partOptions(item) })
    }
    case 'item_reference':
      throw invalid(path, 'must be the item itself: responses are not stored. Use "store": false in your client')
    default:
      if (typeof type !== 'string') throw invalid(`${path}.type`, 'is required')
      // An item of OpenAI's own, such as a search that it ran.
      return one('assistant', { type: 'opaque', provider: '', dialect: 'openai-responses', kind: type, data: item })
  }
}

function toToolCall(item: Fields, input: Fields): object {
  const name = flatName(item['namespace'], item['name'])
  return { type: 'tool_call', id: item['call_id'], name, ...input, ...partOptions(item) }
}

const roles: ReadonlyMap<unknown, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
] as const)

function readMessage(item: Fields, path: string, required: Required): Omit<Message, 'native'> {
  const role = roles.get(item['role'])
  if (!role) throw invalid(`${path}.role`, 'must be "developer", "system", "user" or "assistant"')
  const { content, phase, cache_control: mark } = item
  const { providerOptions } = withPhase(partOptions({ provider_options: item['provider_options'] }), phase)
  const read = addSentOptions({ cache_control: mark }, toContent(content, `${path}.content`, required, toPart))
  const parts = typeof read === 'string' ? [{ type: 'text', text: read }] : read
  const placed = parts.map((part, index) => ({
    part: providerOptions ? addOptions(part, providerOptions) : part,
    path: `${path}.content${typeof content === 'string' ? '' : `[${index}]`}`,
  }))
  const isSilent = role === 'assistant' && placed.every(({ part }) => 'text' in part && part.text === '')
  return { role, path, content: isSilent ? [] : placed }
}

/** Whether a text is a comment on the way or the answer, which newer models of OpenAI need back. */
function withPhase(options: ReturnType<typeof partOptions>, phase: unknown): ReturnType<typeof partOptions> {
  if (typeof phase !== 'string') return options
  const own = options.providerOptions
  return { providerOptions: { ...own, openai: { ...own?.['openai'], phase } } }
}

/** Text alone is reasoning without a signature. */
function readReasoning(item: Fields, path: string, parse: ParseObject): LocatedPart[] {
  const texts = [...readTexts(item['content']), ...readTexts(item['summary'])]
  const providerOptions = fromEncrypted(item, `${path}.encrypted_content`, parse)
  if (texts.length === 0 && !providerOptions) return []
  return [{ part: { type: 'reasoning', text: texts.join('\n\n'), ...(providerOptions && { providerOptions }) }, path }]
}

/** The data of the provider. Other reasoning is of OpenAI itself, from the time before the client came here. */
function fromEncrypted(item: Fields, path: string, parse: ParseObject): Fields | undefined {
  const { id, summary, encrypted_content: encrypted } = item
  if (typeof encrypted !== 'string' || encrypted === '') return undefined
  const shown = { ...(typeof id === 'string' && { id }), summary: Array.isArray(summary) ? summary : [] }
  return unseal(encrypted, path, parse) ?? { openai: { ...shown, encrypted_content: encrypted } }
}

function readTexts(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((each) => (isObject(each) && typeof each['text'] === 'string' ? [each['text']] : []))
}

function toPart(part: Fields, path: string, required: Required): object {
  const options = partOptions(part)
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: part['text'], ...options }
    case 'refusal':
      return { type: 'text', text: part['refusal'], ...options }
    case 'input_image': {
      const { image_url: url, detail, file_id } = part
      if (isPresent(file_id)) return storedFile(path, required)
      return toImage({ url, detail }, `${path}.image_url`, options)
    }
    case 'input_file':
      return toFile(part, path, options, required)
    default:
      return onlyThere(part['type'], path, required)
  }
}

/** Fields of core's parts that OpenAI spells otherwise. */
const spelled: Readonly<Record<string, string>> = {
  ...spelledInParts,
  '.id': '.call_id',
  '.toolCallId': '.call_id',
  '.input': '.arguments',
  '.inputText': '.arguments',
}

function spell(field: string, messages: readonly Message[]): string {
  const { message, inContent, part, below } = splitField(field)
  const found = messages[message]
  if (!found) return field === 'messages' || field === 'prompt' ? 'input' : field
  const placed = found.content[part]
  if (placed) return placed.path + (spelled[below] ?? below.replace(/^\.content/, '.output'))
  return found.path.startsWith('input[') ? found.path + inContent + below : found.path
}
