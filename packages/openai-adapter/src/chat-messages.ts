import {
  type Fields,
  invalid,
  isObject,
  isPresent,
  listAt,
  objectAt,
  objectParser,
  type ParseObject,
  toolInputOf,
} from '@fairlead/http'
import { type Content, partOptions, spelledInParts, splitField, toContent } from './content-parts.ts'
import { hasOptions } from './fields.ts'
import { fromExtraContent, fromReasoning } from './provider-data.ts'

/** A message in the form of core, and where it was in the request. */
interface LocatedMessage {
  readonly message: { readonly role: string; readonly content: Content }
  readonly path: string
  /** Where the parts of the content were, below the place. Default: in `content`, in the same order. */
  readonly parts?: readonly string[]
}

/** Translates the messages of a chat completion. Core checks the result. */
export function readMessages(value: unknown) {
  const parse = objectParser()
  const placed: LocatedMessage[] = []
  /** For each message, those of the request that it stands for; undefined if it has data of other providers. */
  const native: (Fields[] | undefined)[] = []
  /** Answers without content that come before the first message. */
  const silent: Fields[] = []
  for (const [index, each] of listAt(value, 'messages').entries()) {
    const path = `messages[${index}]`
    const sent = objectAt(each, path)
    const message = toMessage(sent, path, parse)
    if (message) {
      placed.push(message)
      native.push(hasOwnData(sent) ? undefined : [...silent.splice(0), sent])
    } else (native.at(-1) ?? silent).push(sent)
  }
  return {
    messages: placed.map(({ message }) => message),
    native,
    /** OpenAI's name for a field of core's messages: `messages[1].tool_calls[0].id` of `messages[1].content[2].id`. */
    spell: (field: string) => spell(field, placed),
  }
}

const ownFields = ['reasoning', 'reasoning_content', 'reasoning_details']

/** Whether a message has what OpenAI's API does not, which clients got from here or which is for other providers. */
function hasOwnData(sent: Fields): boolean {
  const { content, tool_calls: calls } = sent
  return (
    ownFields.some((name) => isPresent(sent[name])) ||
    hasOptions(sent) ||
    (Array.isArray(calls) && calls.some((call) => isObject(call) && call['extra_content'] !== undefined)) ||
    (Array.isArray(content) && content.some(hasOptions))
  )
}

/** @returns undefined for an answer without content, which some clients keep */
function toMessage(sent: Fields, path: string, parse: ParseObject): LocatedMessage | undefined {
  switch (sent['role']) {
    case 'system':
    case 'developer':
    case 'user': {
      const role = sent['role'] === 'user' ? 'user' : 'system'
      return { message: { role, content: toContent(sent['content'], `${path}.content`) }, path }
    }
    case 'assistant':
      return toAnswer(sent, path, parse)
    case 'tool': {
      const content = toContent(sent['content'], `${path}.content`)
      const result = { type: 'tool_result', toolCallId: sent['tool_call_id'], content, ...partOptions(sent) }
      return { message: { role: 'tool', content: [result] }, path, parts: [''] }
    }
    case 'function':
      throw invalid(`${path}.role`, 'must not be "function", which is deprecated: use "tool"')
    default:
      throw invalid(`${path}.role`, 'must be "developer", "system", "user", "assistant" or "tool"')
  }
}

function toAnswer(sent: Fields, path: string, parse: ParseObject): LocatedMessage | undefined {
  const { content, refusal, tool_calls: calls, function_call: functionCall, audio } = sent
  if (isObject(functionCall)) throw invalid(`${path}.function_call`, 'is deprecated: use "tool_calls"')
  if (isObject(audio)) throw invalid(`${path}.audio`, 'is not supported')
  const reasoning = fromReasoning(sent, parse, path)
  const said = toContent(content ?? refusal ?? '', `${path}.content`)
  const texts = typeof said === 'string' ? (said === '' ? [] : [{ type: 'text', text: said }]) : said
  const called = listAt(calls ?? [], `${path}.tool_calls`).map((call, index) => {
    const callPath = `${path}.tool_calls[${index}]`
    return toToolCall(objectAt(call, callPath), callPath, parse)
  })
  const parts = [...reasoning, ...texts, ...called]
  if (parts.length === 0) return undefined
  return {
    message: { role: 'assistant', content: parts },
    path,
    parts: [
      ...reasoning.map(() => '.reasoning_content'),
      ...texts.map((_, index) => (typeof said === 'string' ? '.content' : `.content[${index}]`)),
      ...called.map((_, index) => `.tool_calls[${index}]`),
    ],
  }
}

function toToolCall(call: Fields, path: string, parse: ParseObject): object {
  const { id, type = 'function', custom } = call
  if (type === 'custom') {
    const { name, input } = objectAt(custom, `${path}.custom`)
    return { type: 'tool_call', id, name, input: { input: input ?? '' } }
  }
  if (type !== 'function') throw invalid(`${path}.type`, 'must be "function" or "custom"')
  const { name, arguments: text } = objectAt(call['function'], `${path}.function`)
  const input = toolInputOf(text, `${path}.function.arguments`, parse)
  return { type: 'tool_call', id, name, ...input, ...fromExtraContent(call) }
}

/** Fields of core's parts that OpenAI spells otherwise. */
const spelled: Readonly<Record<string, string>> = {
  ...spelledInParts,
  '.toolCallId': '.tool_call_id',
  '.name': '.function.name',
  '.input': '.function.arguments',
  '.inputText': '.function.arguments',
}

function spell(field: string, placed: readonly LocatedMessage[]): string {
  const { message, inContent, part, below } = splitField(field)
  const found = placed[message]
  if (!found) return field
  return found.path + (found.parts?.[part] ?? inContent) + (spelled[below] ?? below)
}
