import type * as z from 'zod'
import type { OperationRun } from '../../runtime/run/operation-run.ts'
import { type FairleadError, invalidBecause, invalidRequest } from '../../runtime/errors.ts'
import type { NativeRequest } from '../../runtime/run/run-options.ts'
import type { Registry, RegistryView } from '../catalog/registry.ts'
import { toMessages } from '../messages/conversation.ts'
import { maxTools } from '../messages/conversation-input.ts'
import { supportsDialect, withDialectOf, withStopsOf, withToolsOf } from '../routing/narrow-route.ts'
import { defaultMaxTokens, type textInput } from './generation.ts'
import { type Message, onlyPromptIn } from '../messages/message.ts'
import type { ModelFor, ModelUse, TextModel } from '../model.ts'
import { type PromptSize, sizeOf, textsIn } from './prompt-size.ts'
import type { TextRequest } from '../provider.ts'
import { checkProviderOptions } from '../options/reserved-options.ts'
import type { ModelRoute } from '../routing/route.ts'
import type { InferenceServices } from '../services.ts'

/** Prose has about 4 characters in a token, and no tokenizer averages 16 over a whole prompt. */
export const maxCharactersPerToken = 16

type TextInput = z.output<typeof textInput>
type TextRoute = ModelRoute<TextModel>

/** A checked request for a text. */
export interface TextPlan {
  readonly operation: 'generate'
  readonly route: TextRoute
  readonly request: TextRequest
  readonly size: PromptSize
  /** How many answers are asked for. */
  readonly answers: number
  /** Whether the request has `messages`, so that the result is also a message. */
  readonly isConversation: boolean
  /** Whether the response may come from the cache. */
  readonly repeatable: boolean
}

/** Finds the model, and checks all that needs no provider: its errors are free of charge. */
export function prepareText({ registry }: InferenceServices, call: OperationRun, input: TextInput): TextPlan {
  const { cache, adapt, prompt, messages } = input
  const found = findRoute(registry, call, 'text', input.model)
  const able = withDialectOf(call.native, withStopsOf(input, withToolsOf(input, found)))
  const route = input.webSearch ? withSearchOf(registry.of(call.caller), call, input, able) : able
  const { model } = route
  const conversation = withNative(call, toConversation(call, route, prompt, messages))
  const settings = adapt ? adapted(call, model, input) : input
  const request = toRequest(model, conversation, settings, defaultsOf(model, prompt !== undefined), call.native)
  if (request.providerOptions) checkProviderOptions(request.providerOptions, registry, adapt ? undefined : call)
  requireCapabilities(registry.of(call.caller), model, request)
  const answers = call.native?.answers ?? 1
  const size = sizeOf(request, call.native)
  requireRoom(route, size, messages ? 'messages' : 'prompt')
  return {
    operation: 'generate',
    route,
    request,
    size,
    isConversation: messages !== undefined,
    answers,
    // Streams of several answers are not collected.
    repeatable: cache && answers === 1,
  }
}

/** Finds the route of a model. The response names the model, and warns if the id is deprecated. */
export function findRoute<Use extends ModelUse>(
  registry: Registry,
  call: OperationRun,
  use: Use,
  id: string,
): ModelRoute<ModelFor<Use>> {
  const route = registry.of(call.caller).route(use, id)
  call.note({ model: route.model.id })
  if (route.warnings) call.warn(route.warnings)
  return route
}

/** The settings without what the model cannot take. */
function adapted(call: OperationRun, model: TextModel, settings: TextInput): TextInput {
  const { reasoning, ...others } = settings
  const isTooLong = isTooMuch(model, others.maxTokens)
  const cannotReason = reasoning?.effort && !model.reasoning
  if (isTooLong) call.warn([{ field: 'maxTokens', issue: `was lowered to ${model.maxTokens}, the model's maximum` }])
  if (cannotReason) call.warn([{ field: 'reasoning', issue: 'is not supported by this model and was ignored' }])
  return {
    ...others,
    ...(isTooLong && { maxTokens: model.maxTokens }),
    ...(reasoning && !cannotReason && { reasoning }),
  }
}

/** @param input the messages, of which the prompt is the short form: a request has one or the other */
function toConversation(
  call: OperationRun,
  { targets }: TextRoute,
  prompt: string | undefined,
  input: TextInput['messages'] = [],
): readonly Message[] {
  if (prompt !== undefined) return [{ role: 'user', content: [{ type: 'text', text: prompt }] }]
  const { native } = call
  const own =
    native && targets.some(({ provider, id }) => supportsDialect(provider, native.dialect, id)) && native.messages
  return toMessages(
    input,
    (issues) => call.warn(issues),
    (index) => Boolean(own && own[index]),
  )
}

/** The messages with their form in the client's own API. */
function withNative({ native }: OperationRun, messages: readonly Message[]): readonly Message[] {
  if (!native) return messages
  return messages.map((message, index) => {
    const own = native.messages[index]
    return own ? { ...message, native: { [native.dialect]: own } } : message
  })
}

function isTooMuch(model: TextModel, maxTokens: number | null | undefined): boolean {
  return (maxTokens ?? 0) > model.maxTokens && !model.maxTokensUnknown
}

function toRequest(
  model: TextModel,
  messages: readonly Message[],
  settings: TextInput,
  defaults: Defaults,
  native: OperationRun['native'],
): TextRequest {
  const { maxTokens = defaults.maxTokens, reasoning = defaults.reasoning } = settings
  const { tools, toolChoice, responseFormat: format, providerOptions } = settings
  if (isTooMuch(model, maxTokens)) {
    throw invalidRequest({ field: 'maxTokens', issue: `must be between 1 and ${model.maxTokens}, the model's maximum` })
  }
  if (tools || format || providerOptions) requireModest({ tools, responseFormat: format, providerOptions })
  if (native) requireModestNative(native.fields)
  if (tools || toolChoice) requireConsistentTools(settings)
  if (format) requireWithType('responseFormat.schema', format.schema, format.type, 'json_schema')
  const all: Readonly<Record<string, unknown>> = {
    ...settings,
    prompt: undefined,
    adapt: undefined,
    cache: undefined,
    responseFormat: format?.type === 'text' ? undefined : format,
    messages,
    maxTokens,
    reasoning,
    native: native && { [native.dialect]: native.fields },
  }
  // An absent field and null both mean the provider's own default.
  const request: Record<string, unknown> = {}
  for (const field in all) if (all[field] !== undefined && all[field] !== null) request[field] = all[field]
  return request as unknown as TextRequest
}

type Defaults = Pick<TextRequest, 'maxTokens' | 'reasoning'>

/** A prompt gets a short answer. A conversation gets as long an answer as its model can write. */
function defaultsOf(model: TextModel, isPrompt: boolean): Defaults {
  if (isPrompt) return { maxTokens: Math.min(defaultMaxTokens, model.maxTokens) }
  return model.reasoning ? { reasoning: { effort: null } } : {}
}

/** In characters, of all names and texts. Larger ones would block the event loop each time they are written as JSON. */
const maxDescription = 1_000_000

function requireModest(fields: Readonly<Record<string, unknown>>): void {
  for (const field of Object.keys(fields)) {
    const value = fields[field]
    if (!value || textsIn(value).reduce((sum, text) => sum + text.length, 0) <= maxDescription) continue
    const limit = maxDescription.toLocaleString('en')
    throw invalidRequest({ field, issue: `must have at most ${limit} characters in all its names and texts` })
  }
}

/** The system prompt counts as a message, and the prompt was checked. */
function requireModestNative({
  system: _system,
  instructions: _own,
  prompt: _prompt,
  ...fields
}: NativeRequest['fields']): void {
  const { tools } = fields
  if (Array.isArray(tools) && tools.length > maxTools) {
    throw invalidRequest({ field: 'tools', issue: `must have at most ${maxTools} entries` })
  }
  requireModest(fields)
}

function requireConsistentTools({ tools = [], toolChoice: choice, webSearch }: TextInput): void {
  const names = tools.map(({ name }) => name)
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (repeated >= 0) throw invalidRequest({ field: `tools[${repeated}].name`, issue: 'is the name of another tool' })
  if (!choice) return
  if (names.length === 0 && (!webSearch || choice.type === 'tool'))
    throw invalidRequest({ field: 'toolChoice', issue: 'needs "tools"' })
  const field = 'toolChoice.name'
  requireWithType(field, choice.name, choice.type, 'tool')
  if (choice.name !== undefined && !names.includes(choice.name)) {
    throw invalidRequest({ field, issue: `must be one of the tools: ${names.slice(0, maxListed).join(', ')}` })
  }
}

/** Rejects a field that is missing with its type, or present with another one. */
function requireWithType(field: string, value: unknown, type: string, ownType: string): void {
  if ((value !== undefined) === (type === ownType)) return
  throw invalidRequest({ field, issue: `is ${type === ownType ? 'required with' : 'only for'} the type "${ownType}"` })
}

/** Rejects a request for what the model cannot do, with the models that can. */
function requireCapabilities(
  registry: RegistryView,
  model: TextModel,
  { messages, tools, reasoning }: TextRequest,
): void {
  const isPrompt = onlyPromptIn(messages) !== undefined
  const media = isPrompt ? undefined : mediaField(messages)
  const mustReason = reasoning?.effort && reasoning.effort !== 'none'
  if (media && !model.vision) throw unable(registry, model, 'vision', media, 'does not take images or files')
  if (tools?.length && !model.tools) throw unable(registry, model, 'tools', 'tools', 'does not call tools')
  if (mustReason && !model.reasoning) throw unable(registry, model, 'reasoning', 'reasoning', 'does not reason')
  if (!isPrompt && !model.chat) throw unable(registry, model, 'chat', 'messages', 'takes only a prompt')
}

/**
 * The route with the models that search the web, and those that get the search in the client's own form. With `adapt`, other
 * models can answer without it if the request has functions.
 */
function withSearchOf(
  registry: RegistryView,
  { native }: OperationRun,
  { adapt, tools = [], webSearch }: TextInput,
  route: TextRoute,
): TextRoute {
  if (webSearch?.allowedDomains && webSearch.blockedDomains) {
    const issue = 'cannot be combined with "allowedDomains"'
    throw invalidRequest({ field: 'webSearch.blockedDomains', issue })
  }
  if (adapt && tools.length > 0 && !native?.mustSearch) return route
  const [first, ...others] = route.targets.filter(
    ({ model, provider, id }) => model.webSearch || (native && supportsDialect(provider, native.dialect, id)),
  )
  if (!first) throw unable(registry, route.model, 'webSearch', 'webSearch', 'does not search the web')
  return { ...route, targets: [first, ...others] }
}

function unable(
  registry: RegistryView,
  { id }: TextModel,
  capability: 'chat' | 'tools' | 'vision' | 'reasoning' | 'webSearch',
  field: string,
  need: string,
): FairleadError {
  const able = registry.models('text').filter((each) => each.type === 'text' && each[capability] && !each.embedding)
  const names = able.slice(0, maxListed).map((each) => each.id)
  const more = able.length > maxListed ? ` and ${able.length - maxListed} more` : ''
  return invalidRequest({ field, issue: `"${id}" ${need}; models that do: ${names.join(', ') || 'none'}${more}` })
}

const maxListed = 12

/** The first part that is an image or a file. */
function mediaField(messages: readonly Message[]): string | undefined {
  for (const [index, { content }] of messages.entries()) {
    const at = content.findIndex(
      (part) =>
        part.type === 'image' ||
        part.type === 'file' ||
        (part.type === 'tool_result' && part.content.some(({ type }) => type !== 'text')),
    )
    if (at >= 0) return `messages[${index}].content[${at}]`
  }
  return undefined
}

/** Rejects a prompt that no target of the route can hold, so that it costs nothing and reaches no provider. */
function requireRoom({ model, targets }: TextRoute, size: PromptSize, field: string): void {
  const largest = targets.map((target) => target.model).reduce((a, b) => (maxPrompt(b) > maxPrompt(a) ? b : a))
  const limit = maxPrompt(largest)
  if (size.hasAtMost(limit)) return
  const { maxPromptCharacters: declared, contextSize } = largest
  const reason =
    declared === limit || contextSize === undefined
      ? 'for'
      : `to fit the context of ${contextSize.toLocaleString('en')} tokens of`
  throw invalidBecause('context_length_exceeded', {
    field,
    issue: `must have at most ${limit.toLocaleString('en')} characters ${reason} "${model.id}"`,
  })
}

/** The maximum length of a model's prompt in characters. */
function maxPrompt({ contextSize = Infinity, maxPromptCharacters: declared = Infinity }: TextModel): number {
  return Math.min(declared, contextSize * maxCharactersPerToken)
}
