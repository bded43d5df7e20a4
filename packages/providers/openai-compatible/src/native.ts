import { type Dialect, isObject, type JsonObject, type Message, type TextRequest } from '@fairlead/core/provider'
import { without } from './sent-values.ts'

/** The APIs of OpenAI that clients speak, too. */
export type OwnDialect = Extract<Dialect, `openai-${string}`>
const ownDialects: readonly OwnDialect[] = ['openai-chat', 'openai-responses', 'openai-completions']

/** The API of OpenAI that the client speaks, and what it said in the form of that API. */
export interface OwnForm {
  readonly dialect: OwnDialect
  readonly fields: JsonObject
}

/** @returns undefined for a request in another form */
export function ownForm({ native = {} }: TextRequest): OwnForm | undefined {
  const dialect = ownDialects.find((each) => native[each])
  return dialect && { dialect, fields: native[dialect]! }
}

/** The message as the client wrote it, if core has not changed it. */
export function ownMessages({ native }: Message, dialect: OwnDialect): readonly JsonObject[] | undefined {
  return native?.[dialect]
}

/** Fields in another form than the body's. They are sent if the body has them: core, or the model's rule, may not. */
const replaced = ['stop', 'response_format']
const ofTools = ['tools', 'tool_choice', 'parallel_tool_calls']

/**
 * The body with the client's own fields: its tools and formats as it wrote them, and all that core does not interpret.
 *
 * @param hasTools whether they have the tools that the body has. Default: true.
 */
export function withOwnFields(body: JsonObject, fields: JsonObject, hasTools = true): JsonObject {
  const isSent = (name: string) => name in body || isForeignFormat(fields[name])
  const lost = replaced.filter((name) => !isSent(name))
  return { ...(hasTools ? without(body, ofTools) : body), ...without(fields, lost) }
}

/** A format that the contract does not have: text, which is the default, or one that only the API knows. */
export function isForeignFormat(format: unknown): boolean {
  return isObject(format) && format['type'] !== 'json_object' && format['type'] !== 'json_schema'
}

/** Fields of chat completions that the Responses API has, too. */
const shared = [
  'user',
  'metadata',
  'store',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
]

/** The fields of a client of chat completions, in the form of the Responses API. */
export function asResponses(fields: JsonObject): JsonObject {
  const { tools, tool_choice: choice, verbosity } = fields
  const kept = Object.entries(fields).filter(([name, value]) => shared.includes(name) && value !== null)
  return {
    ...Object.fromEntries(kept),
    ...(Array.isArray(tools) && { tools: tools.map((tool) => asTool(flat(tool))) }),
    ...(choice !== undefined && { tool_choice: flat(choice) }),
    ...(verbosity != null && { text: { verbosity } }),
  }
}

const translated = [...shared, ...replaced, ...ofTools, 'verbosity']

/** Whether a client of chat completions asks for what the Responses API could only ignore, although it changes the answer. */
export function saysMoreInChat({ native = {}, messages }: TextRequest): boolean {
  const { n, logprobs, functions, function_call: call, modalities } = native['openai-chat'] ?? {}
  if ((n ?? 1) !== 1 || logprobs === true || functions || call) return true
  if (Array.isArray(modalities) && modalities.some((each) => each !== 'text')) return true
  return messages.some((message) => ownMessages(message, 'openai-chat')?.some(isOnlyInChat))
}

const sharedParts: ReadonlySet<unknown> = new Set(['text', 'refusal', 'image_url', 'file'])

function isOnlyInChat({ role, function_call: call, audio, content }: JsonObject): boolean {
  if (role === 'function' || isObject(call) || isObject(audio)) return true
  return (
    Array.isArray(content) &&
    content.some((part: JsonObject) => {
      const { type, file } = part
      return !sharedParts.has(type) || (isObject(file) && file['file_id'] != null)
    })
  )
}

/** The fields that only chat completions have. */
export function lostAsResponses(fields: JsonObject): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name] != null && !translated.includes(name))
}

/** Chat completions have the fields of a tool in an object that is named after its type. */
function flat(value: unknown): unknown {
  if (!isObject(value)) return value
  const type = String(value['type'])
  const { [type]: own, ...others } = value
  const { tools, format, ...fields } = { ...others, ...(isObject(own) ? own : {}) } as JsonObject
  return {
    ...fields,
    // The object has no type: with one, a function would become a hosted tool.
    ...('type' in value && { type: value['type'] }),
    ...(Array.isArray(tools) && { tools: tools.map(flat) }),
    ...(format !== undefined && { format: flat(format) }),
  }
}

/** Functions are strict by default in this API, which would make optional properties required. */
function asTool(tool: unknown): unknown {
  return isObject(tool) && tool['type'] === 'function' ? { strict: false, ...tool } : tool
}
