import { tagsIn, toSnakeCase } from '@fairlead/core/adapter'
import { type Fields, invalid, isObject, isPresent, listAt, objectAt, toUserLocation } from '@fairlead/http'
import { readMessages } from './chat-messages.ts'
import { partOptions } from './content-parts.ts'
import { toTextTool } from './custom-tools.ts'
import { completionSettings, nativeFields, settings, toolSettings, unknownFields } from './fields.ts'

const chatSettings = ['messages', 'max_completion_tokens', 'reasoning_effort']
/** Fields that only a provider of the API can do as asked, unless they have these values. */
const onlyThere: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  functions: () => false,
  function_call: () => false,
  modalities: (value) => JSON.stringify(value) === '["text"]',
  logprobs: (value) => value !== true,
  web_search_options: (value) => !value || isObject(value),
}
const further = ['stop', 'response_format', 'metadata', ...Object.keys(onlyThere)]
/** Fields that a native request leaves out, because providers have them from the contract. */
const interpreted = [...settings, ...completionSettings, ...chatSettings]
/** Fields that are read or rejected. */
const known = [...interpreted, ...toolSettings, ...further]

/** Reads a request for a chat completion in terms of `generate`. */
export function readChatRequest(body: Fields) {
  const { messages, native, required: ofMessages, spell } = readMessages(body['messages'])
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens, reasoning_effort: effort } = body
  const { tools, customTools, required: ofTools } = readTools(body)
  const format = readResponseFormat(body['response_format'])
  const required = [
    ...ofMessages,
    ...ofTools,
    ...format.required,
    ...Object.keys(onlyThere).filter((name) => isPresent(body[name]) && !onlyThere[name]!(body[name])),
  ]
  const webSearch = isObject(body['web_search_options']) ? readSearch(body['web_search_options']) : undefined
  const maxName = maxCompletionTokens === undefined ? 'max_tokens' : 'max_completion_tokens'
  return {
    input: {
      ...commonInput(body),
      ...asPrompt(messages),
      ...toolInput(body, tools, toToolChoice(body['tool_choice'])),
      webSearch,
      maxTokens: maxCompletionTokens ?? maxTokens ?? null,
      responseFormat: format.input,
      reasoning: { effort: effort ?? null },
    },
    /** The request for providers of the same API. */
    native: {
      dialect: 'openai-chat' as const,
      fields: nativeFields(body, interpreted, ['n']),
      messages: native,
      required,
      mustSearch: webSearch !== undefined,
      answers: readAnswerCount(body),
    },
    metadata: isObject(body['metadata']) ? tagsIn(body['metadata']) : undefined,
    /** The fields that only these providers understand. */
    ignored: [...unknownFields(body, known), ...ignoredInSearch(body['web_search_options'])],
    customTools,
    spell: (field: string) => {
      if (required.includes(field)) return field
      return field.startsWith('messages[') ? spell(field) : spellField(field, maxName)
    },
  }
}

/** A search that the model may do. The API has no other limits for it. */
function readSearch({ user_location: location }: Fields): Fields {
  const { approximate } = isObject(location) ? location : ({} as Fields)
  return isObject(approximate) ? { userLocation: toUserLocation(approximate) } : {}
}

/** A single text as a prompt, which core checks in less time than messages. */
function asPrompt(messages: ReturnType<typeof readMessages>['messages']): Fields {
  const [only, ...others] = messages
  const isText = only?.role === 'user' && others.length === 0 && typeof only.content === 'string'
  return isText && /\S/.test(only.content as string) ? { prompt: only.content } : { messages }
}

/** The settings that both kinds of completions have. Null leaves a setting to the provider. */
export function commonInput(body: Fields): Fields {
  const { stop } = body
  return {
    model: body['model'],
    temperature: body['temperature'] ?? null,
    topP: body['top_p'] ?? null,
    frequencyPenalty: body['frequency_penalty'] ?? null,
    presencePenalty: body['presence_penalty'] ?? null,
    seed: body['seed'] ?? undefined,
    stop: typeof stop === 'string' ? [stop] : (stop ?? undefined),
    providerOptions: body['provider_options'] ?? undefined,
    cache: body['cache'] ?? undefined,
    // The client may name a model that an alias maps to a smaller one.
    adapt: true,
    stream: body['stream'] ?? false,
  }
}

/** Whether the last chunk of a stream has the usage. */
export function asksForUsage({ stream_options: options }: Fields): boolean {
  return isObject(options) && options['include_usage'] === true
}

function ignoredInSearch(options: unknown): readonly string[] {
  return isObject(options) ? unknownFields(options, ['user_location']).map((name) => `web_search_options.${name}`) : []
}

/** How many answers a request asks for. OpenAI rejects other values. */
function readAnswerCount({ n }: Fields): number | undefined {
  return Number.isInteger(n) && (n as number) > 1 ? (n as number) : undefined
}

/** All other tools than functions and custom tools need a provider of the API, as does a choice of another kind. */
function readTools({ tools: list, tool_choice: choice }: Fields) {
  /** The names of custom tools, whose input is text. */
  const customTools = new Set<string>()
  /** The fields that only a provider of the API can do as asked. */
  const required: string[] = []
  const tools = listAt(list ?? [], 'tools').flatMap((each, index): Fields | readonly Fields[] => {
    const path = `tools[${index}]`
    const tool = objectAt(each, path)
    const { type, custom } = tool
    if (type === 'function') {
      const called = objectAt(tool['function'], `${path}.function`)
      // Clients of other services mark the function, or the tool.
      return toFunction(called, { ...partOptions(called), ...partOptions(tool) })
    }
    if (type === 'custom') {
      const { name, description, format } = objectAt(custom, `${path}.custom`)
      if (typeof name !== 'string') throw invalid(`${path}.custom.name`, 'is required')
      customTools.add(name)
      const { grammar } = isObject(format) ? format : ({} as Fields)
      return { ...toTextTool(name, { description, grammar }), ...partOptions(tool) }
    }
    if (typeof type !== 'string') throw invalid(`${path}.type`, 'is required')
    required.push(`${path}.type`)
    return []
  })
  if (isObject(choice) && choice['type'] !== 'function' && choice['type'] !== 'custom')
    required.push('tool_choice.type')
  return { tools, customTools, required }
}

/** The input of `generate` for tools and a search, if the request has any that core knows. */
export function toolInput(
  { parallel_tool_calls: parallel }: Fields,
  tools: readonly object[],
  toolChoice: object | undefined,
  webSearch?: object,
): Fields {
  const given = { toolChoice, parallelToolCalls: parallel ?? undefined, webSearch }
  if (tools.length > 0) return { tools, ...given }
  return webSearch ? given : {}
}

export function toFunction({ name, description, parameters, strict }: Fields, options: object): Fields {
  return {
    name,
    description: description ?? undefined,
    inputSchema: parameters ?? { type: 'object', properties: {} },
    strict: strict ?? undefined,
    ...options,
  }
}

/** @returns undefined for a choice that only the client's own form has */
function toToolChoice(choice: unknown): object | undefined {
  if (!isPresent(choice)) return undefined
  if (!isObject(choice)) return { type: choice }
  const { type } = choice
  if (type !== 'function' && type !== 'custom') return undefined
  return { type: 'tool', name: objectAt(choice[type], `tool_choice.${type}`)['name'] }
}

function readResponseFormat(format: unknown): ReadFormat {
  if (!isPresent(format)) return { required: [] }
  const { type, json_schema: schema } = objectAt(format, 'response_format')
  const described = type === 'json_schema' ? objectAt(schema, 'response_format.json_schema') : {}
  return toResponseFormat(type, described, 'response_format')
}

interface ReadFormat {
  readonly input?: object
  /** The field of a format that only a provider of the API can write. */
  readonly required: readonly string[]
}

/** @param path of the format in the request */
export function toResponseFormat(
  type: unknown,
  { name, description, schema, strict }: Fields,
  path: string,
): ReadFormat {
  if (type === 'json_object') return { input: { type: 'json' }, required: [] }
  if (type === 'text') return { required: [] }
  if (typeof type !== 'string') throw invalid(`${path}.type`, 'must be "text", "json_object" or "json_schema"')
  if (type !== 'json_schema') return { required: [`${path}.type`] }
  const input = {
    type,
    schema: schema ?? undefined,
    name: name ?? undefined,
    description: description ?? undefined,
    strict: strict ?? undefined,
  }
  return { input, required: [] }
}

/** Fields that OpenAI spells otherwise than in snake case. */
const spelled: Readonly<Record<string, string>> = {
  prompt: 'messages',
  'reasoning.effort': 'reasoning_effort',
  reasoning: 'reasoning_effort',
  'toolChoice.type': 'tool_choice',
  'toolChoice.name': 'tool_choice.function.name',
}

function searchNames(_path: string, location: string | undefined): string {
  return location ? 'web_search_options.user_location.approximate' : 'web_search_options'
}

export function spellField(field: string, maxName: string): string {
  if (field === 'maxTokens') return maxName
  if (field.startsWith('webSearch')) return toSnakeCase(field.replace(/^webSearch(\.userLocation)?/, searchNames))
  return (
    spelled[field] ??
    toSnakeCase(field)
      .replace(/^(tools\[\d+\])\.input_schema/, '$1.function.parameters')
      .replace(/^(tools\[\d+\])\.(?=name|description|strict)/, '$1.function.')
      .replace(/^response_format\.(?!type)/, 'response_format.json_schema.')
  )
}
