import { type Issue, isObject, type JsonObject, type ResponseFormat, type TextRequest } from '@fairlead/core/provider'
import { isSet, toOutputSchema, unsupportedFields } from '@fairlead/provider-toolkit'
import { toConversation } from './conversation-to-wire.ts'
import { type AnthropicEffort, findRules, type Thought, chooseThought } from './model-rules.ts'
import { betaHeaders, type FinalRequest, versionHeader, withOwnOptions } from './own-options.ts'
import { movedWarnings, toTools } from './tools-to-wire.ts'
import type { Block, MessageRequest } from './wire.ts'

/** A request in the API's format, and warnings about settings that it does not support. */
export interface WireRequest extends FinalRequest {
  readonly warnings: readonly Issue[]
}

export interface ToWireSettings {
  /** The key of the provider's own options. */
  readonly id: string
  /** Default: the minimum of the model. */
  readonly effort?: AnthropicEffort | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The maximum of a model: the API requires one. */
  readonly maxTokensOf: (model: string) => number
}

/** @throws ProviderError that names the field for content or options that the API does not take */
export function toWire(request: TextRequest, settings: ToWireSettings): WireRequest {
  if (request.native?.anthropic) return fromClient(request, request.native.anthropic, settings)
  const { id, effort, headers, maxTokensOf } = settings
  const { model, maxTokens, messages, toolChoice, reasoning, responseFormat: format, providerOptions } = request
  const rules = findRules(model)
  const limit = maxTokens ?? maxTokensOf(model)
  const isToolForced = toolChoice?.type === 'required' || toolChoice?.type === 'tool'
  const thought = chooseThought(rules, reasoning?.effort, effort, { maxTokens: limit, isToolForced })
  // The thinking that a client of the API asks for is sent as it is.
  const isOwnThought = isObject(providerOptions?.[id]?.['thinking'])
  const conversation = toConversation(messages, id, rules)
  const system = [...conversation.system, ...(format?.type === 'json' ? [jsonInstruction] : [])]
  const tools = toTools(request, id, rules)
  const stop = readStop(request)
  // The API rejects a temperature beside thinking, even if the model supports one.
  const isThinking = thought.thinking?.type === 'adaptive' || thought.thinking?.type === 'enabled'
  const sampling = readSampling(request, rules.sampling && !isThinking)
  const moved: string[] = []
  const body: MessageRequest = {
    model,
    max_tokens: limit,
    ...(system.length > 0 && { system }),
    messages: conversation.messages,
    ...tools.fields,
    ...(stop.kept.length > 0 && { stop_sequences: stop.kept }),
    ...sampling.kept,
    ...(thought.thinking && { thinking: thought.thinking }),
    ...toOutput(format, thought, moved),
  }
  const warnings = [
    ...conversation.warnings,
    ...tools.warnings,
    ...movedWarnings('responseFormat.schema', moved),
    ...(isOwnThought ? [] : thought.warnings),
    ...sampling.warnings,
    ...stop.warnings,
    ...unsupportedFields(request, ['frequencyPenalty', 'presencePenalty', 'seed']),
  ]
  return { ...withOwnOptions(body, providerOptions, id, headers), warnings }
}

/** The request of a client of the API, whose fields are all sent as they are: the API decides what the model takes. */
function fromClient(
  { model, maxTokens, messages, providerOptions }: TextRequest,
  { anthropic_beta: betas, anthropic_version: version, system, ...fields }: JsonObject,
  { id, headers, maxTokensOf }: ToWireSettings,
): WireRequest {
  const conversation = toConversation(messages, id, findRules(model))
  const moved = conversation.system
  const body = {
    ...fields,
    model,
    // Without an answer, the API only caches the prompt.
    max_tokens: fields['max_tokens'] === 0 ? 0 : (maxTokens ?? maxTokensOf(model)),
    ...((system !== undefined || moved.length > 0) && { system: withMoved(system, moved) }),
    messages: conversation.messages,
  } as MessageRequest
  const sent = withOwnOptions(body, providerOptions, id, headers)
  const asked = versionHeader(version, headers)
  return {
    ...sent,
    headers: { ...(betas === undefined ? sent.headers : betaHeaders(betas, id, headers)), ...asked.headers },
    warnings: [...conversation.warnings, ...asked.warnings],
  }
}

/** @param moved system messages that the model takes only here */
function withMoved(system: unknown, moved: readonly Block[]): MessageRequest['system'] {
  if (moved.length === 0) return system as MessageRequest['system']
  const blocks = typeof system === 'string' ? [{ type: 'text', text: system }] : (system as Block[] | undefined)
  return [...(blocks ?? []), ...moved]
}

/** The fields that `count_tokens` takes, including fields of beta features. */
const counted: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'cache_control',
  'context_management',
  'mcp_servers',
  'speed',
])

/** @param isOwn whether the body came from a client of the API */
export function toCountBody({ max_tokens: _limit, ...body }: MessageRequest, isOwn: boolean): object {
  if (isOwn) return body
  return Object.fromEntries(Object.entries(body).filter(([field]) => counted.has(field)))
}

/** The API has no JSON format without a schema. */
const jsonInstruction: Block = {
  type: 'text',
  text: 'Write your answer as one JSON object, without a code fence or any other text around it.',
}

function toOutput(
  format: ResponseFormat | undefined,
  { effort }: Thought,
  moved: string[],
): Pick<MessageRequest, 'output_config'> {
  if (format?.type !== 'json_schema') return effort ? { output_config: { effort } } : {}
  const { name: title, description, schema: own } = format
  const schema = toOutputSchema({ title, description, ...own }, moved)
  return { output_config: { ...(effort && { effort }), format: { type: 'json_schema', schema } } }
}

const maxTemperature = 1

function readSampling(request: TextRequest, isTaken: boolean) {
  if (!isTaken) return { kept: {}, warnings: unsupportedFields(request, ['temperature', 'topP']) }
  const { temperature, topP } = request
  const hasTopP = isSet(request, 'topP')
  if (temperature === undefined) return { kept: hasTopP ? { top_p: topP } : {}, warnings: [] }
  const lowered = `was lowered to ${maxTemperature}, the maximum of this model`
  const warnings = [
    ...(temperature > maxTemperature ? [{ field: 'temperature', issue: lowered }] : []),
    // The API rejects both together.
    ...(hasTopP ? [{ field: 'topP', issue: 'cannot be combined with a temperature and was ignored' }] : []),
  ]
  return { kept: { temperature: Math.min(temperature, maxTemperature) }, warnings }
}

/** The API rejects stop sequences of white space only. */
function readStop({ stop = [] }: TextRequest) {
  const kept = stop.filter((sequence) => sequence.trim() !== '')
  const issue = 'the model does not stop at white space'
  return { kept, warnings: kept.length < stop.length ? [{ field: 'stop', issue }] : [] }
}
