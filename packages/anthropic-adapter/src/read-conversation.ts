import { toSnakeCase } from '@fairlead/core/adapter'
import { invalid, isPresent, listAt, objectAt } from '@fairlead/http'
import { needsRewrite } from './own-blocks.ts'
import type { Block, ProviderData } from './provider-data.ts'
import { type Part, isEmptyList, type LocatedPart, readContent } from './read-blocks.ts'

const roles = ['user', 'assistant', 'system']

export interface InputMessage {
  readonly role: string
  readonly content: readonly Part[]
}

/**
 * Reads `system` and `messages`. The system prompt is a message here, and tool results are a separate message, before
 * the rest of the user's message.
 */
export function readConversation(system: unknown, messages: unknown, data: ProviderData) {
  const read: InputMessage[] = []
  /**
   * For each message, the messages of the request that it stands for; undefined for one that the provider translates.
   */
  const native: (readonly Block[] | undefined)[] = []
  const fields = new Map<string, string>()
  const dropped = new Set<string>()

  function add(role: string, parts: readonly LocatedPart[], field: string, own: readonly Block[] | undefined): void {
    if (parts.length === 0) return
    native.push(own)
    const path = `messages[${read.length}]`
    fields.set(path, field)
    for (const [at, part] of parts.entries()) fields.set(`${path}.content[${at}]`, part.field)
    read.push({ role, content: parts.map(({ part }) => part) })
  }

  if (isPresent(system) && system !== '' && !isEmptyList(system))
    add('system', readContent(system, 'system', data), 'system', [])
  const list = listAt(messages, 'messages')
  if (list.length === 0) throw invalid('messages', 'must not be empty')
  for (const [index, raw] of list.entries()) {
    const field = `messages[${index}]`
    const message = objectAt(raw, field)
    const { role, content, ...rest } = message
    for (const name of Object.keys(rest)) dropped.add(`messages[].${name}`)
    if (typeof role !== 'string' || !roles.includes(role))
      throw invalid(`${field}.role`, 'must be user, assistant, or system')
    // It has only settings for what follows, or is an empty last answer, and stands behind the message before it.
    if ((role === 'system' && !isPresent(content)) || (role === 'assistant' && isEmpty(content))) {
      const before = native.at(-1)
      if (before) native[native.length - 1] = [...before, message]
      continue
    }
    const parts = readContent(content, `${field}.content`, data, role === 'assistant')
    const isResult = ({ part }: LocatedPart) => role === 'user' && part.type === 'tool_result'
    const results = parts.filter(isResult)
    const own = needsRewrite(content) ? undefined : [message]
    add('tool', results, field, own)
    add(
      role,
      parts.filter((part) => !isResult(part)),
      field,
      own && results.length > 0 ? [] : own,
    )
  }

  return {
    messages: read,
    native,
    /** Fields of messages that no model of another provider gets, such as `messages[].output_config`. */
    dropped: [...dropped],
    /** The name in the request of a field below `messages`. */
    spell(field: string): string {
      const [path = '', index, at] = /^messages\[(\d+)\](?:\.content\[(\d+)\])?/.exec(field) ?? []
      const own = fields.get(path) ?? path
      const rest = field.slice(path.length)
      // A text in place of a list.
      if (!own.endsWith(']')) return own
      return own + (at === undefined ? rest : spellPart(read[Number(index)]?.content[Number(at)], rest))
    },
  }
}

function isEmpty(content: unknown): boolean {
  return content === '' || isEmptyList(content)
}

const mediaNames = { url: 'source.url', data: 'source.data', mediaType: 'source.media_type', filename: 'title' }

/** The API's names of fields that have another name in core, by the type of the part. */
const partNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  reasoning: { text: 'thinking' },
  tool_result: { toolCallId: 'tool_use_id' },
  image: mediaNames,
  file: mediaNames,
}

/** @param path the path of a field below the part */
function spellPart(part: Part | undefined, path: string): string {
  const [, name, rest = ''] = /^\.(\w+)(.*)$/s.exec(path) ?? []
  if (!part || name === undefined) return path
  if (name === 'providerOptions') return rest.replace(/^\.[^.]+/, '')
  const [, at, below = ''] = /^\[(\d+)\](.*)$/s.exec(rest) ?? []
  const { content } = part
  if (name === 'content' && at !== undefined && Array.isArray(content)) {
    return `.content[${at}]${spellPart(content[Number(at)], below)}`
  }
  return `.${partNames[part.type]?.[name] ?? toSnakeCase(name)}${rest}`
}
