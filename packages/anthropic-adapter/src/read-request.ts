import { type FairleadCore, isReservedOption, toSnakeCase } from '@fairlead/core/adapter'
import { invalid, isPresent, objectAt, type SurfaceRequest } from '@fairlead/http'
import { type Block, ProviderData } from './provider-data.ts'
import { readConversation } from './read-conversation.ts'
import { readTools } from './read-tools.ts'

export type RequestToRead = Pick<SurfaceRequest, 'body' | 'headers'> & {
  readonly core: Pick<FairleadCore, 'supportsDialect' | 'searchesWeb'>
}

/** Reads a request of the Messages API in terms of `generate`. @param providers the ids of those that get it as it is */
export function readRequest({ body, headers, core }: RequestToRead, providers: readonly string[]) {
  const { model, messages, max_tokens: maxTokens, stream, ...sent } = body
  const { system, tools: rawTools, tool_choice, thinking, output_config, output_format, ...others } = sent
  const { temperature, top_p: topP, stop_sequences: stop, ...further } = others
  const data = new ProviderData(providers, core)
  const conversation = readConversation(system, messages, data)
  const tools = readTools(rawTools, tool_choice, data)
  const thought = isPresent(thinking) ? objectAt(thinking, 'thinking') : undefined
  const output = output_config ? objectAt(output_config, 'output_config') : {}
  const effort = readEffort(thought, output['effort'])
  const given = Object.keys(further).filter((name) => isPresent(further[name]))
  const reserved = given.filter(isReservedOption)
  const { 'anthropic-beta': betas, 'anthropic-version': version } = headers
  for (const name of given) if (!isReservedOption(name)) data.names.add(name)
  if (betas !== undefined) data.names.add('anthropic-beta')
  // It asks for a summary in place of an answer.
  if (isPresent(further['compaction'])) data.required.add('compaction')
  // It asks for the prompt to be cached, without an answer.
  if (maxTokens === 0) data.required.add('max_tokens')
  const own: Block = {
    ...(betas !== undefined && { anthropic_beta: betas }),
    ...(version !== undefined && { anthropic_version: version }),
    ...(maxTokens === 0 && { max_tokens: 0 }),
  }
  const fields =
    reserved.length === 0 ? sent : Object.fromEntries(Object.entries(sent).filter(([name]) => !reserved.includes(name)))
  /** The fields that both generating and counting accept. */
  const prompt: Block = {
    model,
    messages: conversation.messages,
    ...tools.input,
    ...(effort !== undefined && { reasoning: { effort } }),
    responseFormat: output['format'] ?? output_format ?? undefined,
    adapt: true,
  }
  return {
    model,
    data,
    prompt,
    /** The fields that only generating accepts. */
    settings: {
      maxTokens: maxTokens === 0 ? 1 : maxTokens,
      temperature: temperature ?? null,
      topP: topP ?? null,
      frequencyPenalty: null,
      presencePenalty: null,
      stop: stop ?? undefined,
      stream: stream ?? undefined,
    },
    /** The request for providers of the API. */
    native: {
      dialect: 'anthropic',
      fields: Object.keys(own).length === 0 ? fields : { ...fields, ...own },
      messages: conversation.native,
      required: [...data.required],
    },
    spell(field: string) {
      if (data.required.has(field)) return field
      if (field.startsWith('messages[')) return conversation.spell(field)
      const [, toolIndex, ofTool = ''] = /^tools\[(\d+)\](.*)$/.exec(field) ?? []
      if (toolIndex !== undefined) return `tools[${tools.indexes[Number(toolIndex)]}]${toSnakeCase(ofTool)}`
      const [, ofSearch] = /^webSearch(.*)$/.exec(field) ?? []
      if (ofSearch !== undefined) return `tools[${tools.searchIndex}]${toSnakeCase(ofSearch) || '.type'}`
      const option = /^providerOptions\.[^.]+\.(.+)$/.exec(field)?.[1]
      if (option !== undefined) return option.replace(/^anthropic_(beta|version)$/, 'anthropic-$1')
      const [name = '', ...rest] = field.split(/(?=[.[])/)
      return (names[name] ?? toSnakeCase(name)) + toSnakeCase(rest.join(''))
    },
    ignored(provider: string | undefined) {
      if (provider === undefined || data.isAnthropic(provider)) return reserved
      const types = core.searchesWeb(provider) ? tools.otherTypes : tools.ownTypes
      return [...reserved, ...conversation.dropped, ...types, ...data.names]
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
function readEffort(thinking: Block | undefined, effort: unknown): unknown {
  if (thinking?.['type'] === 'disabled') return 'none'
  if (isPresent(effort)) return effort
  if (thinking === undefined) return undefined
  if (thinking['type'] === 'adaptive') return 'high'
  if (thinking['type'] === 'between_tools') return 'low'
  const { budget_tokens: budget } = thinking
  if (typeof budget !== 'number') throw invalid('thinking.budget_tokens', 'is required with the type "enabled"')
  if (budget < 4_096) return 'low'
  return budget < 16_384 ? 'medium' : 'high'
}
