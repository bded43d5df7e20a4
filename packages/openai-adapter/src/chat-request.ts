import { tagsIn, toSnakeCase } from '@fairlead/core/adapter'
import { type Fields, invalid, isObject, isPresent, listAt, objectAt } from '@fairlead/http'
import { readMessages } from './chat-messages.ts'
import { partOptions } from './content-parts.ts'
import { completionSettings, nativeFields, settings, toolSettings, unknownFields } from './fields.ts'

const chatSettings = ['messages', 'max_completion_tokens', 'reasoning_effort']
const deprecated = ['functions', 'function_call']
const further = ['stop', 'response_format', 'logprobs', 'web_search_options', 'modalities', 'metadata']
/** Fields that a native request leaves out, because providers have them from the contract. */
const interpreted = [...settings, ...completionSettings, ...chatSettings, ...deprecated]
/** Fields that are read or rejected. */
const known = [...interpreted, ...toolSettings, ...further]

/** Reads a request for a chat completion in terms of `generate`. */
export function readChatRequest(body: Fields) {
  rejectUnsupported(body)
  const { messages, native, spell } = readMessages(body['messages'])
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens, reasoning_effort: effort } = body
  const { tools, customTools, required } = readTools(body)
  const maxName = maxCompletionTokens === undefined ? 'max_tokens' : 'max_completion_tokens'
  return {
    input: {
      ...commonInput(body),
      ...asPrompt(messages),
      ...toolInput(body, tools, toToolChoice(body['tool_choice'], customTools)),
      maxTokens: maxCompletionTokens ?? maxTokens ?? null,
      responseFormat: readResponseFormat(body['response_format']),
      reasoning: { effort: effort ?? null },
    },
    /** The request for providers of the same API. */
    native: {
      dialect: 'openai-chat' as const,
      fields: nativeFields(body, interpreted),
      messages: native,
      required: [
        ...required,
        ...(body['logprobs'] === true ? ['logprobs'] : []),
        ...(body['web_search_options'] ? ['web_search_options'] : []),
      ],
    },
    tags: isObject(body['metadata']) ? tagsIn(body['metadata']) : undefined,
    /** The fields that only these providers understand. */
    ignored: unknownFields(body, known),
    customTools,
    spell: (field: string) => {
      if (required.includes(field)) return field
      return field.startsWith('messages[') ? spell(field) : spellField(field, maxName)
    },
  }
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

/** Rejects what would change the meaning of the response if it were ignored. */
function rejectUnsupported({ n, modalities, functions, function_call: call }: Fields) {
  rejectSeveral(n)
  if (Array.isArray(modalities) && modalities.some((each) => each !== 'text')) {
    throw invalid('modalities', 'must be ["text"]')
  }
  if (functions) throw invalid('functions', 'is deprecated: use "tools"')
  if (call) throw invalid('function_call', 'is deprecated: use "tool_choice"')
}

export function rejectSeveral(n: unknown): void {
  if (isPresent(n) && n !== 1) throw invalid('n', 'must be 1: send several requests instead')
}

/** All other tools than functions need a provider of the API, as does a choice of another kind. */
function readTools({ tools: list, tool_choice: choice }: Fields) {
  /** The names of custom tools, whose input is text. */
  const customTools = new Set<string>()
  /** The fields that only a provider of the API can do as asked. */
  const required: string[] = []
  const tools = listAt(list ?? [], 'tools').flatMap((each, index): Fields | readonly Fields[] => {
    const path = `tools[${index}]`
    const tool = objectAt(each, path)
    const { type, custom } = tool
    if (type === 'function') return toFunction(objectAt(tool['function'], `${path}.function`), partOptions(tool))
    if (typeof type !== 'string') throw invalid(`${path}.type`, 'is required')
    required.push(`${path}.type`)
    if (type === 'custom' && isObject(custom) && typeof custom['name'] === 'string') customTools.add(custom['name'])
    return []
  })
  if (isObject(choice) && choice['type'] !== 'function') required.push('tool_choice.type')
  return { tools, customTools, required }
}

/** The input of `generate` for tools, if the request has any that core knows. */
export function toolInput(
  { parallel_tool_calls: parallel }: Fields,
  tools: readonly object[],
  toolChoice: object | undefined,
): Fields {
  return tools.length > 0 ? { tools, toolChoice, parallelToolCalls: parallel ?? undefined } : {}
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
function toToolChoice(choice: unknown, customTools: ReadonlySet<string>): object | undefined {
  if (!isPresent(choice)) return undefined
  if (!isObject(choice)) return choice === 'required' && customTools.size > 0 ? undefined : { type: choice }
  if (choice['type'] !== 'function') return undefined
  return { type: 'tool', name: objectAt(choice['function'], 'tool_choice.function')['name'] }
}

function readResponseFormat(format: unknown): object | undefined {
  if (!isPresent(format)) return undefined
  const { type, json_schema: schema } = objectAt(format, 'response_format')
  const described = type === 'json_schema' ? objectAt(schema, 'response_format.json_schema') : {}
  return toResponseFormat(type, described, 'response_format')
}

/** @param place of the format in the request */
export function toResponseFormat(
  type: unknown,
  { name, description, schema, strict }: Fields,
  path: string,
): object | undefined {
  if (type === 'json_object') return { type: 'json' }
  if (type === 'text') return undefined
  if (type !== 'json_schema') throw invalid(`${path}.type`, 'must be "text", "json_object" or "json_schema"')
  return {
    type,
    schema: schema ?? undefined,
    name: name ?? undefined,
    description: description ?? undefined,
    strict: strict ?? undefined,
  }
}

/** Fields that OpenAI spells otherwise than in snake case. */
const spelled: Readonly<Record<string, string>> = {
  prompt: 'messages',
  'reasoning.effort': 'reasoning_effort',
  reasoning: 'reasoning_effort',
  'toolChoice.type': 'tool_choice',
  'toolChoice.name': 'tool_choice.function.name',
}

export function spellField(field: string, maxName: string): string {
  if (field === 'maxTokens') return maxName
  return (
    spelled[field] ??
    toSnakeCase(field)
      .replace(/^(tools\[\d+\])\.input_schema/, '$1.function.parameters')
      .replace(/^(tools\[\d+\])\.(?=name|description|strict)/, '$1.function.')
      .replace(/^response_format\.(?!type)/, 'response_format.json_schema.')
  )
}
