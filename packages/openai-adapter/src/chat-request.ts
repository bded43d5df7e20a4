import { isReservedOption, type NativeRequest, toSnakeCase } from '@fairlead/core'
import { type ReadMessages, readMessages } from './chat-messages.ts'
import { partOptions } from './content-parts.ts'
import { type Fields, invalid, isObject, listAt, nativeFields, objectAt, unknownFields } from './fields.ts'

/** A request for a chat completion in terms of `generate`. */
export interface ChatRequest {
  readonly input: Fields
  /** The request for providers of the same API. */
  readonly native: NativeRequest & { readonly dialect: 'openai-chat' }
  /** The fields that only these providers understand. */
  readonly ignored: readonly string[]
  /** The names of custom tools, whose input is text. */
  readonly customTools: ReadonlySet<string>
  spell(field: string): string
}

/** Fields that core interprets, so that every provider has them from the contract. */
const shared: readonly string[] = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'reasoning_effort',
  'n',
  'provider_options',
  'cache',
]

/** Fields that are read or rejected here. */
const known: ReadonlySet<string> = new Set([
  ...shared,
  'stop',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'logprobs',
  'web_search_options',
  'modalities',
])

/** Fields that a native request leaves out. */
const interpreted: readonly string[] = [...shared, 'functions', 'function_call']

export function readChatRequest(body: Fields): ChatRequest {
  rejectUnsupported(body)
  const { messages, native, spell } = readMessages(body['messages'])
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens, reasoning_effort: effort } = body
  const { tools, customTools, required } = readTools(body)
  const input = {
    ...commonInput(body),
    ...asPrompt(messages),
    maxTokens: maxCompletionTokens ?? maxTokens ?? null,
    ...(tools.length > 0 && {
      tools,
      toolChoice: toToolChoice(body['tool_choice'], customTools),
      parallelToolCalls: body['parallel_tool_calls'] ?? undefined,
    }),
    responseFormat: toResponseFormat(body['response_format']),
    reasoning: { effort: effort ?? null },
  }
  const maxName = maxCompletionTokens === undefined ? 'max_tokens' : 'max_completion_tokens'
  return {
    input,
    native: {
      dialect: 'openai-chat',
      fields: nativeFields(body, isInterpreted),
      messages: native,
      required: [
        ...required,
        ...(body['logprobs'] === true ? ['logprobs'] : []),
        ...(body['web_search_options'] ? ['web_search_options'] : []),
      ],
    },
    ignored: unknownFields(body, known),
    customTools,
    spell: (field) => {
      if (required.includes(field)) return field
      return field.startsWith('messages[') ? spell(field) : spellField(field, maxName)
    },
  }
}

/** Fairlead's own settings of a call, under any spelling, are not for the provider either. */
function isInterpreted(name: string): boolean {
  return interpreted.includes(name) || isReservedOption(name)
}

/** A single text as a prompt, which core checks in less time than messages. */
function asPrompt(messages: ReadMessages['messages']): Fields {
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
  if (n !== undefined && n !== null && n !== 1) throw invalid('n', 'must be 1: send several requests instead')
}

interface ReadTools {
  /** The functions. */
  readonly tools: readonly object[]
  readonly customTools: ReadonlySet<string>
  /** The fields that only a provider of the API can do as asked. */
  readonly required: readonly string[]
}

/** All other tools than functions need a provider of the API, as does a choice of another kind. */
function readTools({ tools: list, tool_choice: choice }: Fields): ReadTools {
  const customTools = new Set<string>()
  const required: string[] = []
  const tools = listAt(list ?? [], 'tools').flatMap((each, index) => {
    const tool = objectAt(each, `tools[${index}]`)
    const { type, custom } = tool
    if (type !== 'function') {
      if (typeof type !== 'string') throw invalid(`tools[${index}].type`, 'is required')
      required.push(`tools[${index}].type`)
      if (type === 'custom' && isObject(custom) && typeof custom['name'] === 'string') customTools.add(custom['name'])
      return []
    }
    const { name, description, parameters, strict } = objectAt(tool['function'], `tools[${index}].function`)
    return {
      name,
      description: description ?? undefined,
      inputSchema: parameters ?? { type: 'object', properties: {} },
      strict: strict ?? undefined,
      ...partOptions(tool),
    }
  })
  if (isObject(choice) && choice['type'] !== 'function') required.push('tool_choice.type')
  return { tools, customTools, required }
}

/** @returns undefined for a choice that only the client's own form has */
function toToolChoice(choice: unknown, customTools: ReadonlySet<string>): object | undefined {
  if (choice === undefined || choice === null) return undefined
  if (!isObject(choice)) return choice === 'required' && customTools.size > 0 ? undefined : { type: choice }
  if (choice['type'] !== 'function') return undefined
  return { type: 'tool', name: objectAt(choice['function'], 'tool_choice.function')['name'] }
}

function toResponseFormat(format: unknown): object | undefined {
  if (format === undefined || format === null) return undefined
  const { type, json_schema: given } = objectAt(format, 'response_format')
  if (type === 'json_object') return { type: 'json' }
  if (type === 'text') return undefined
  if (type !== 'json_schema') {
    throw invalid('response_format.type', 'must be "text", "json_object" or "json_schema"')
  }
  const { name, description, schema, strict } = objectAt(given, 'response_format.json_schema')
  return {
    type: 'json_schema',
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
