import {
  type Fields,
  invalid,
  isObject,
  isPresent,
  listAt,
  objectAt,
  objectParser,
  type ParseObject,
  readToolInput,
} from '@fairlead/http'
import {
  type Content,
  partOptions,
  type Required,
  spelledInParts,
  splitField,
  toContent,
  addSentOptions,
} from './content-parts.ts'
import { hasOptions } from './fields.ts'
import { fromExtraContent, fromReasoning } from './provider-data.ts'

/** A message in the form of core, and where it was in the request. */
interface LocatedMessage {
  readonly message: { readonly role: string; readonly content: Content }
  readonly path: string
  /** Where the parts of the content were, below the place, for errors. Default: in `content`, in the same order. */
  readonly parts?: () => readonly string[]
}

/** Translates the messages of a chat completion. Core checks the result. */
export function readMessages(value: unknown) {
  const reading: Reading = { parse: objectParser(), required: [] }
  const placed: LocatedMessage[] = []
  /** For each message, the messages of the request that it stands for; undefined if it has data of other providers. */
  const native: (Fields[] | undefined)[] = []
  /** Answers without content that come before the first message. */
  const silent: Fields[] = []
  for (const [index, each] of listAt(value, 'messages').entries()) {
    const path = `messages[${index}]`
    const sent = objectAt(each, path)
    const message = toMessage(sent, path, reading)
    if (message) {
      placed.push(message)
      const before = silent.length === 0 ? silent : silent.splice(0)
      native.push(hasOwnData(sent) ? undefined : [...before, sent])
    } else (native.at(-1) ?? silent).push(sent)
  }
  return {
    messages: placed.map(({ message }) => message),
    native,
    /** The fields that only a provider of the API can do as asked. */
    required: reading.required,
    /** OpenAI's name for a field of core's messages: `messages[1].tool_calls[0].id` of `messages[1].content[2].id`. */
    spell: (field: string) => spell(field, placed),
  }
}

interface Reading {
  readonly parse: ParseObject
  readonly required: Required
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
function toMessage(sent: Fields, path: string, reading: Reading): LocatedMessage | undefined {
  const { required } = reading
  switch (sent['role']) {
    case 'system':
    case 'developer':
    case 'user': {
      const role = sent['role'] === 'user' ? 'user' : 'system'
      const content = addSentOptions(sent, toContent(sent['content'], `${path}.content`, required))
      return { message: { role, content }, path }
    }
    case 'assistant':
      return toAnswer(sent, path, reading)
    case 'tool': {
      const content = toContent(sent['content'], `${path}.content`, required)
      const result = { type: 'tool_result', toolCallId: sent['tool_call_id'], content, ...partOptions(sent) }
      return { message: { role: 'tool', content: [result] }, path, parts: () => [''] }
    }
    // Deprecated, as is `function_call`. OpenAI still takes both.
    case 'function':
      required.push(`${path}.role`)
      return { message: { role: 'user', content: `[function] ${textOr(sent['content'])}` }, path }
    default:
      throw invalid(`${path}.role`, 'must be "developer", "system", "user", "assistant" or "tool"')
  }
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function toAnswer(sent: Fields, path: string, { parse, required }: Reading): LocatedMessage | undefined {
  const { content, refusal, tool_calls: calls } = sent
  const reasoning = fromReasoning(sent, parse, path)
  const said = toContent(content ?? refusal ?? '', `${path}.content`, required)
  const only = onlyThere(sent)
  for (const { name } of only) required.push(`${path}.${name}`)
  const texts = typeof said === 'string' ? (said === '' ? [] : [{ type: 'text', text: said }]) : said
  const called = listAt(calls ?? [], `${path}.tool_calls`).map((call, index) => {
    const callPath = `${path}.tool_calls[${index}]`
    return toToolCall(objectAt(call, callPath), callPath, parse)
  })
  const parts = addSentOptions(sent, [
    ...reasoning,
    ...texts,
    ...only.map(({ text }) => ({ type: 'text', text })),
    ...called,
  ])
  if (parts.length === 0) return undefined
  return {
    message: { role: 'assistant', content: parts },
    path,
    parts: () => [
      ...reasoning.map(() => '.reasoning_content'),
      ...texts.map((_, index) => (typeof said === 'string' ? '.content' : `.content[${index}]`)),
      ...only.map(({ name }) => `.${name}`),
      ...called.map((_, index) => `.tool_calls[${index}]`),
    ],
  }
}

const none: readonly never[] = []

/** The parts of an answer that only OpenAI's API has, with core's view of them. */
function onlyThere({
  function_call: called,
  audio,
}: Fields): readonly { readonly name: string; readonly text: string }[] {
  if (!isObject(called) && !isObject(audio)) return none
  return [
    ...(isObject(called)
      ? [{ name: 'function_call', text: `[function_call] ${textOr(called['name'])} ${textOr(called['arguments'])}` }]
      : []),
    ...(isObject(audio) ? [{ name: 'audio', text: '[audio]' }] : []),
  ]
}

function toToolCall(call: Fields, path: string, parse: ParseObject): object {
  const { id, type = 'function', custom } = call
  if (type === 'custom') {
    const { name, input } = objectAt(custom, `${path}.custom`)
    return { type: 'tool_call', id, name, input: { input: input ?? '' } }
  }
  if (type !== 'function') throw invalid(`${path}.type`, 'must be "function" or "custom"')
  const { name, arguments: text } = objectAt(call['function'], `${path}.function`)
  const input = readToolInput(text, `${path}.function.arguments`, parse)
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
  return found.path + (found.parts?.()[part] ?? inContent) + (spelled[below] ?? below)
}
