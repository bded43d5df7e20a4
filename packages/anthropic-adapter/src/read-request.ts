import type { IncomingHttpHeaders } from 'node:http'
import { isReservedOption, toSnakeCase } from '@fairlead/core'
import { invalid, requireObject } from './checks.ts'
import { type Block, type ProviderData, providerData } from './provider-data.ts'
import { readConversation } from './read-conversation.ts'
import { readTools } from './read-tools.ts'

/** A request of the Messages API in terms of `generate`. */
export interface ReadRequest {
  readonly model: unknown
  /** What both generating and counting take. */
  readonly prompt: Block
  /** What only generating takes. */
  readonly settings: Block
  readonly data: ProviderData
  spell(field: string): string
  ignored(provider: string | undefined): readonly string[]
}

export interface RequestToRead {
  readonly body: Block
  readonly headers: IncomingHttpHeaders
}

/** @param providers the ids of the providers that speak Anthropic's API, which get all that only they understand */
export function readRequest({ body, headers }: RequestToRead, providers: readonly string[]): ReadRequest {
  const { model, messages, system, tools: rawTools, tool_choice, thinking, output_config, ...others } = body
  const { max_tokens, temperature, top_p, stop_sequences, stream, ...further } = others
  const data = providerData(providers)
  const conversation = readConversation(system, messages, data)
  const tools = readTools(rawTools, tool_choice, data)
  const thought = thinking === undefined || thinking === null ? undefined : requireObject(thinking, 'thinking')
  const { format, ...output } = output_config ? requireObject(output_config, 'output_config') : {}
  const given = Object.entries(further).filter(([, value]) => value !== null && value !== undefined)
  const reserved = given.flatMap(([name]) => (isReservedOption(name) ? [name] : []))
  const dropped = [...reserved, ...conversation.dropped]
  const { 'anthropic-beta': betas } = headers
  const own = {
    ...Object.fromEntries(given.filter(([name]) => !isReservedOption(name))),
    ...(betas !== undefined && { anthropic_beta: betas }),
  }
  data.forAnthropic(own)
  // Null: the API's own default instead of the provider's.
  const forwarded = { ...own, ...tools.own, thinking: thought ?? null, output_config: { effort: null, ...output } }
  const effort = effortOf(thought, output['effort'])
  return {
    model,
    prompt: {
      model,
      messages: conversation.messages,
      ...tools.input,
      ...(effort !== undefined && { reasoning: { effort } }),
      ...(format !== undefined && format !== null && { responseFormat: format }),
      providerOptions: Object.fromEntries(providers.map((id) => [id, forwarded])),
      adapt: true,
    },
    settings: {
      maxTokens: max_tokens,
      temperature: temperature ?? null,
      topP: top_p ?? null,
      frequencyPenalty: null,
      presencePenalty: null,
      ...(stop_sequences !== undefined && stop_sequences !== null && { stop: stop_sequences }),
      ...(stream !== undefined && stream !== null && { stream }),
    },
    data,
    spell(field) {
      if (field.startsWith('messages[')) return conversation.spell(field)
      const [, toolIndex, ofTool = ''] = /^tools\[(\d+)\](.*)$/.exec(field) ?? []
      if (toolIndex !== undefined) return `tools[${tools.places[Number(toolIndex)]}]${toSnakeCase(ofTool)}`
      const option = /^providerOptions\.[^.]+\.(.+)$/.exec(field)?.[1]
      if (option !== undefined) return option === 'anthropic_beta' ? 'anthropic-beta' : option
      const [name = '', ...rest] = field.split(/(?=[.[])/)
      return (names[name] ?? toSnakeCase(name)) + toSnakeCase(rest.join(''))
    },
    ignored(provider) {
      if (provider === undefined || providers.includes(provider)) return dropped
      const names = [...dropped, ...tools.ownTypes, ...data.names]
      return names.map((name) => (name === 'anthropic_beta' ? 'anthropic-beta' : name))
    },
  }
}

/** The API's names of fields that have another name in core. */
const names: Readonly<Record<string, string>> = {
  prompt: 'messages',
  stop: 'stop_sequences',
  reasoning: 'thinking',
  responseFormat: 'output_config.format',
  parallelToolCalls: 'tool_choice.disable_parallel_tool_use',
}

/** The effort for models of other providers. The API's default is high. */
function effortOf(thinking: Block | undefined, effort: unknown): unknown {
  if (thinking?.['type'] === 'disabled') return 'none'
  if (effort !== undefined && effort !== null) return effort === 'max' ? 'xhigh' : effort
  if (thinking === undefined) return undefined
  if (thinking['type'] === 'adaptive') return 'high'
  if (thinking['type'] === 'between_tools') return 'low'
  const { budget_tokens: budget } = thinking
  if (typeof budget !== 'number') throw invalid('thinking.budget_tokens', 'is required with the type "enabled"')
  if (budget < 4_096) return 'low'
  return budget < 16_384 ? 'medium' : 'high'
}
