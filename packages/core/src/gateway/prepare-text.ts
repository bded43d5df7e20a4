import type { z } from 'zod'
import { accountName } from '../runtime/access.ts'
import type { Call } from '../runtime/call.ts'
import { type Issue, invalidBecause, invalidRequest } from '../runtime/errors.ts'
import { clip, maxNameLength } from '../runtime/names.ts'
import type { NativeRequest } from '../runtime/run-options.ts'
import type { Registry } from './catalog/registry.ts'
import { requireAnswerable, toMessages } from './conversation.ts'
import { maxTools } from './conversation-input.ts'
import { defaultMaxTokens, type textInput } from './generation.ts'
import { type Dialect, type Message, onlyPromptIn } from './message.ts'
import type { Model, ModelFor, ModelUse, TextModel } from './model.ts'
import { type PromptSize, promptSize, textsIn } from './prompt-size.ts'
import type { Provider, TextRequest } from './provider.ts'
import { checkProviderOptions } from './reserved-options.ts'
import type { ModelRoute } from './routing/route.ts'
import type { InferenceServices } from './services.ts'

/** Prose has about 4 characters in a token, and no tokenizer averages 16 over a whole prompt. */
export const maxCharactersPerToken = 16

type TextInput = z.output<typeof textInput>

/** A checked request for a text. */
export interface TextPlan {
  /** Responses are cached per account. */
  readonly account: string
  readonly operation: 'generate'
  readonly route: ModelRoute<TextModel>
  readonly request: TextRequest
  readonly size: PromptSize
  /** Whether the request has `messages`, so that the result is also a message. */
  readonly isConversation: boolean
  /** Whether the response may come from the cache. */
  readonly repeatable: boolean
}

/** Finds the model, and checks all that needs no provider: its errors are free of charge. */
export function prepareText({ registry }: InferenceServices, call: Call, input: TextInput): TextPlan {
  const { cache, adapt, prompt, messages, ...parameters } = input
  const route = withDialectOf(
    withStopsOf(withToolsOf(findRoute(registry, call, 'text', input.model), input), input),
    call,
  )
  const conversation = withNative(call, toConversation(call, prompt, messages))
  const defaults = defaultsOf(route.model, prompt !== undefined)
  const settings = adapt ? adapted(call, route.model, parameters) : parameters
  const request = toRequest(route.model, conversation, defaults, settings, call.native)
  if (request.providerOptions) checkProviderOptions(request.providerOptions, registry, adapt ? undefined : call)
  requireCapabilities(registry, route.model, request)
  const size = promptSize(request)
  requireRoom(route, size, messages ? 'messages' : 'prompt')
  return {
    account: accountName(call.caller),
    operation: 'generate',
    route,
    request,
    size,
    isConversation: messages !== undefined,
    repeatable: cache,
  }
}

/** Finds the route of a model. The response names the model, and warns if the id is deprecated. */
export function findRoute<Use extends ModelUse>(
  registry: Registry,
  call: Call,
  use: Use,
  id: string,
): ModelRoute<ModelFor<Use>> {
  const route = registry.route(use, id)
  call.note({ model: route.model.id })
  if (route.warnings) call.warn(route.warnings)
  return route
}

/**
 * Only providers whose own tools the request names can answer it as asked. With `adapt`, other models can answer without
 * these tools if the request has functions, and does not force one of these tools.
 */
function withToolsOf(
  route: ModelRoute<TextModel>,
  { adapt, tools: functions = [], providerOptions: options = {} }: TextInput,
): ModelRoute<TextModel> {
  const withTools = Object.entries(options).flatMap(([provider, { tools, tool_choice: choice }]) => {
    const isOptional = adapt && functions.length > 0 && choice === undefined
    return Array.isArray(tools) && tools.length > 0 && !isOptional ? [{ provider, tools: tools as unknown[] }] : []
  })
  const [wanted] = withTools
  if (!wanted) return route
  const [first, ...others] = route.targets.filter((target) =>
    withTools.some((each) => each.provider === target.provider.id),
  )
  if (first) return { ...route, targets: [first, ...others] }
  throw invalidRequest({
    field: `providerOptions.${wanted.provider}.tools`,
    issue: `"${route.model.id}" cannot run ${typesOf(wanted.tools)}: use a model of "${wanted.provider}", or functions of your own`,
  })
}

/** What every model takes. */
const usualStopSequences = 4

/** Only models that take all stop sequences can answer as asked. */
function withStopsOf(route: ModelRoute<TextModel>, { stop = [] }: TextInput): ModelRoute<TextModel> {
  if (stop.length <= usualStopSequences) return route
  const limitOf = ({ model: { maxStopSequences = usualStopSequences } }: { readonly model: TextModel }) =>
    maxStopSequences
  const [first, ...others] = route.targets.filter((target) => stop.length <= limitOf(target))
  if (first) return { ...route, targets: [first, ...others] }
  const limit = Math.max(...route.targets.map(limitOf))
  throw invalidRequest({ field: 'stop', issue: `must have at most ${limit} entries` })
}

/** Only providers of the client's dialect can answer as asked, if a field that they alone know changes the answer. */
function withDialectOf(route: ModelRoute<TextModel>, { native }: Call): ModelRoute<TextModel> {
  const [field] = native?.required ?? []
  if (!native || field === undefined) return route
  const [first, ...others] = route.targets.filter(({ provider }) => speaks(provider, native.dialect as Dialect))
  if (first) return { ...route, targets: [first, ...others] }
  const { provider } = route.targets[0]
  throw invalidRequest({ field, issue: `is not supported by "${route.model.id}" of the provider "${provider.id}"` })
}

function speaks({ dialects = [] }: Provider, dialect: Dialect): boolean {
  return dialects.includes(dialect)
}

function typesOf(tools: readonly unknown[]): string {
  const types = tools.map((tool) => (typeof tool === 'object' && tool && 'type' in tool ? String(tool.type) : 'tools'))
  return types
    .slice(0, maxListed)
    .map((type) => clip(type, maxNameLength))
    .join(', ')
}

type Settings = Omit<TextInput, 'adapt' | 'cache' | 'prompt' | 'messages'>

/** The settings without what the model cannot take. */
function adapted(call: Call, model: TextModel, settings: Settings): Settings {
  const { reasoning, ...others } = settings
  const { maxTokens } = others
  const isTooLong = typeof maxTokens === 'number' && isTooMuch(model, maxTokens)
  const cannotReason = reasoning?.effort && !model.reasoning
  const issue = `was lowered to ${model.maxTokens}, the model's maximum`
  if (isTooLong) call.warn([{ field: 'maxTokens', issue }])
  if (cannotReason) call.warn([{ field: 'reasoning', issue: 'is not supported by this model and was ignored' }])
  return {
    ...others,
    ...(isTooLong && { maxTokens: model.maxTokens }),
    ...(reasoning && !cannotReason && { reasoning }),
  }
}

/** @param input the messages, of which the prompt is the short form: a request has one or the other */
function toConversation(call: Call, prompt: string | undefined, input: TextInput['messages'] = []): readonly Message[] {
  if (prompt !== undefined) return [{ role: 'user', content: [{ type: 'text', text: prompt }] }]
  const messages = toMessages(input, (issues) => call.warn(issues))
  requireAnswerable(messages)
  return messages
}

/** The messages with their form in the client's own API. */
function withNative({ native }: Call, messages: readonly Message[]): readonly Message[] {
  if (!native) return messages
  return messages.map((message, index) => {
    const own = native.messages[index]
    return own ? { ...message, native: { [native.dialect]: own } } : message
  })
}

function isTooMuch(model: TextModel, maxTokens: number): boolean {
  return maxTokens > model.maxTokens && !model.maxTokensUnknown
}

function toRequest(
  model: TextModel,
  messages: readonly Message[],
  defaults: Defaults,
  input: Settings,
  native: Call['native'],
): TextRequest {
  const { maxTokens = defaults.maxTokens, reasoning = defaults.reasoning, ...others } = input
  if (maxTokens && isTooMuch(model, maxTokens)) {
    throw invalidRequest({ field: 'maxTokens', issue: `must be between 1 and ${model.maxTokens}, the model's maximum` })
  }
  requireModestSize(input)
  if (native) requireModestFields(native.fields)
  requireConsistentTools(input)
  requireSchema(input.responseFormat)
  const { responseFormat: format } = input
  const request = {
    ...others,
    responseFormat: format?.type === 'text' ? undefined : format,
    messages,
    maxTokens,
    reasoning,
    native: native && { [native.dialect]: native.fields },
  }
  // An absent field and null both mean the provider's own default.
  const present = Object.entries(request).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(present) as unknown as TextRequest
}

type Defaults = Pick<TextRequest, 'maxTokens' | 'reasoning'>

/** A prompt gets a short answer. A conversation gets as long an answer as its model can write. */
function defaultsOf(model: TextModel, isPrompt: boolean): Defaults {
  if (isPrompt) return { maxTokens: Math.min(defaultMaxTokens, model.maxTokens) }
  return model.reasoning ? { reasoning: { effort: null } } : {}
}

/** In characters, of all names and texts. Larger ones would block the event loop each time they are written as JSON. */
const maxDescription = 1_000_000

function requireModestSize({ tools, responseFormat, providerOptions }: Settings): void {
  requireModest({ tools, responseFormat, providerOptions })
}

/** The system prompt counts as a message. */
function requireModestFields({ system: _system, instructions: _own, tools, ...fields }: NativeRequest['fields']): void {
  if (Array.isArray(tools) && tools.length > maxTools) {
    throw invalidRequest({ field: 'tools', issue: `must have at most ${maxTools} entries` })
  }
  requireModest({ ...fields, tools })
}

function requireModest(fields: object): void {
  for (const [field, value] of Object.entries(fields)) {
    const length = value ? textsIn(value).reduce((sum, text) => sum + text.length, 0) : 0
    if (length <= maxDescription) continue
    const limit = maxDescription.toLocaleString('en')
    throw invalidRequest({ field, issue: `must have at most ${limit} characters in all its names and texts` })
  }
}

function requireConsistentTools({ tools = [], toolChoice }: Pick<TextInput, 'tools' | 'toolChoice'>): void {
  const names = tools.map(({ name }) => name)
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (repeated >= 0) throw invalidRequest({ field: `tools[${repeated}].name`, issue: 'is the name of another tool' })
  if (!toolChoice) return
  if (names.length === 0) throw invalidRequest({ field: 'toolChoice', issue: 'needs "tools"' })
  if (toolChoice.type !== 'tool') {
    if (toolChoice.name !== undefined)
      throw invalidRequest({ field: 'toolChoice.name', issue: 'is only for the type "tool"' })
  } else if (toolChoice.name === undefined) {
    throw invalidRequest({ field: 'toolChoice.name', issue: 'is required with the type "tool"' })
  } else if (!names.includes(toolChoice.name)) {
    throw invalidRequest({
      field: 'toolChoice.name',
      issue: `must be one of the tools: ${names.slice(0, 12).join(', ')}`,
    })
  }
}

function requireSchema(format: TextInput['responseFormat']): void {
  if (!format) return
  if (format.type === 'json_schema' && !format.schema) {
    throw invalidRequest({ field: 'responseFormat.schema', issue: 'is required with the type "json_schema"' })
  }
  if (format.type !== 'json_schema' && format.schema) {
    throw invalidRequest({ field: 'responseFormat.schema', issue: 'is only for the type "json_schema"' })
  }
}

type Capability = 'chat' | 'tools' | 'vision' | 'reasoning'

/** Rejects a request for what the model cannot do, with the models that can. */
function requireCapabilities(registry: Registry, model: TextModel, request: TextRequest): void {
  for (const { capability, field, need } of neededBy(request)) {
    if (model[capability]) continue
    const able = registry.models('text').filter((each) => each.type === 'text' && each[capability] && !each.embedding)
    throw invalidRequest({ field, issue: `"${model.id}" ${need}; models that do: ${named(able)}` } satisfies Issue)
  }
}

interface Need {
  readonly capability: Capability
  readonly field: string
  readonly need: string
}

function neededBy({ messages, tools, reasoning }: TextRequest): readonly Need[] {
  const isPrompt = onlyPromptIn(messages) !== undefined
  const media = isPrompt ? undefined : mediaField(messages)
  return [
    ...(media === undefined
      ? []
      : [{ capability: 'vision', field: media, need: 'does not take images or files' } as const]),
    ...(tools?.length ? [{ capability: 'tools', field: 'tools', need: 'does not call tools' } as const] : []),
    ...(reasoning?.effort && reasoning.effort !== 'none'
      ? [{ capability: 'reasoning', field: 'reasoning', need: 'does not reason' } as const]
      : []),
    ...(isPrompt ? [] : [{ capability: 'chat', field: 'messages', need: 'takes only a prompt' } as const]),
  ]
}

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

const maxListed = 12

function named(models: readonly Model[]): string {
  const ids = models.map(({ id }) => id)
  const more = ids.length > maxListed ? ` and ${ids.length - maxListed} more` : ''
  return (ids.slice(0, maxListed).join(', ') || 'none') + more
}

/** Rejects a prompt that no target of the route can hold, so that it costs nothing and reaches no provider. */
function requireRoom({ model, targets }: ModelRoute<TextModel>, size: PromptSize, field: string): void {
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
