import type { IncomingHttpHeaders } from 'node:http'
import { type FairleadCore, isReservedOption, type NativeRequest, toSnakeCase } from '@fairlead/core'
import { invalid, requireObject } from './checks.ts'
import { type Block, ProviderData } from './provider-data.ts'
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
  /** The request for providers of the API. */
  readonly native: NativeRequest
  spell(field: string): string
  ignored(provider: string | undefined): readonly string[]
}

export interface RequestToRead {
  readonly body: Block
  readonly headers: IncomingHttpHeaders
  readonly core: Pick<FairleadCore, 'speaks'>
}

/** @param providers the ids of the providers that speak Anthropic's API, which get the request as it is */
export function readRequest({ body, headers, core }: RequestToRead, providers: readonly string[]): ReadRequest {
  const { model, messages, max_tokens, stream, ...sent } = body
  const { system, tools: rawTools, tool_choice, thinking, output_config, output_format, ...others } = sent
  const { temperature, top_p, stop_sequences, ...further } = others
  const data = new ProviderData(providers, core)
  const conversation = readConversation(system, messages, data)
  const tools = readTools(rawTools, tool_choice, data)
  const thought = thinking === undefined || thinking === null ? undefined : requireObject(thinking, 'thinking')
  const output = output_config ? requireObject(output_config, 'output_config') : {}
  const format = output['format'] ?? output_format
  const given = Object.entries(further).filter(([, value]) => value !== null && value !== undefined)
  const reserved = given.flatMap(([name]) => (isReservedOption(name) ? [name] : []))
  const { 'anthropic-beta': betas } = headers
  for (const [name] of given) if (!isReservedOption(name)) data.names.add(name)
  if (betas !== undefined) data.names.add('anthropic-beta')
  // It asks for a summary in place of an answer.
  if (further['compaction'] !== undefined && further['compaction'] !== null) data.required.add('compaction')
  const effort = effortOf(thought, output['effort'])
  const fields =
    reserved.length === 0 ? sent : Object.fromEntries(Object.entries(sent).filter(([name]) => !reserved.includes(name)))
  return {
    model,
    prompt: {
      model,
      messages: conversation.messages,
      ...tools.input,
      ...(effort !== undefined && { reasoning: { effort } }),
      ...(format !== undefined && format !== null && { responseFormat: format }),
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
    native: {
      dialect: 'anthropic',
      fields: betas === undefined ? fields : { ...fields, anthropic_beta: betas },
      messages: conversation.native,
      required: [...data.required],
    },
    spell(field) {
      if (data.required.has(field)) return field
      if (field.startsWith('messages[')) return conversation.spell(field)
      const [, toolIndex, ofTool = ''] = /^tools\[(\d+)\](.*)$/.exec(field) ?? []
      if (toolIndex !== undefined) return `tools[${tools.places[Number(toolIndex)]}]${toSnakeCase(ofTool)}`
      const option = /^providerOptions\.[^.]+\.(.+)$/.exec(field)?.[1]
      if (option !== undefined) return option === 'anthropic_beta' ? 'anthropic-beta' : option
      const [name = '', ...rest] = field.split(/(?=[.[])/)
      return (names[name] ?? toSnakeCase(name)) + toSnakeCase(rest.join(''))
    },
    ignored(provider) {
      if (provider === undefined || data.isAnthropic(provider)) return reserved
      return [...reserved, ...conversation.dropped, ...tools.ownTypes, ...data.names]
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
  if (effort !== undefined && effort !== null) return effort
  if (thinking === undefined) return undefined
  if (thinking['type'] === 'adaptive') return 'high'
  if (thinking['type'] === 'between_tools') return 'low'
  const { budget_tokens: budget } = thinking
  if (typeof budget !== 'number') throw invalid('thinking.budget_tokens', 'is required with the type "enabled"')
  if (budget < 4_096) return 'low'
  return budget < 16_384 ? 'medium' : 'high'
}
