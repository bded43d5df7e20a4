import type * as z from 'zod'
import type { OperationRun } from '../../runtime/run/operation-run.ts'
import { type FairleadError, invalidRequest } from '../../runtime/errors.ts'
import type { Registry, RegistryView } from '../catalog/registry.ts'
import { toMessages } from '../messages/conversation.ts'
import { checkFields } from './check-fields.ts'
import { defaultMaxTokens, type textInput } from './generation.ts'
import { type Message, onlyPromptIn } from '../messages/message.ts'
import type { ModelFor, ModelUse, TextModel } from '../model.ts'
import { type PromptSize, requireRoom, measurePrompt } from './prompt-size.ts'
import type { TextRequest } from '../provider.ts'
import { checkProviderOptions } from '../options/reserved-options.ts'
import { type ModelRoute, supportsDialect, withDialectOf, withStopsOf, withToolsOf } from '../routing/route.ts'
import type { InferenceServices } from '../services.ts'

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
  /** Whether the messages have images or files. */
  readonly hasMedia: boolean
  /** Whether the response may come from the cache. */
  readonly repeatable: boolean
}

/** Finds the model, and checks all that needs no provider: its errors are free of charge. */
export function prepareText({ registry }: InferenceServices, call: OperationRun, input: TextInput): TextPlan {
  const { cache, adapt, stop, providerOptions, webSearch } = input
  let route = findRoute(registry, call, 'text', input.model)
  if (providerOptions) route = withToolsOf(providerOptions, input, route)
  if (stop) route = withStopsOf(stop, route)
  if (call.native) route = withDialectOf(call.native, route)
  if (webSearch) route = withSearchOf(registry.of(call.caller), call, input, route)
  const { model } = route
  const messages = toConversation(call, route, input)
  const settings = adapt ? adapted(call, model, input) : input
  const request = toRequest(model, messages, settings, call.native)
  if (providerOptions) checkProviderOptions(providerOptions, registry, adapt ? undefined : call)
  const isPrompt = onlyPromptIn(messages) !== undefined
  const media = isPrompt ? undefined : mediaField(messages)
  requireCapabilities(registry.of(call.caller), model, request, { isPrompt, media })
  // From here on, issues are about the request. Those before name fields as the client sent them.
  if (input.prompt !== undefined) call.inputField = promptForMessages
  const answers = call.native?.answers ?? 1
  const size = measurePrompt(request, call.native)
  requireRoom(route, size, 'messages')
  return {
    operation: 'generate',
    route,
    request,
    size,
    hasMedia: media !== undefined,
    answers,
    // Streams of several answers are not collected.
    repeatable: cache && answers === 1,
  }
}

/** A prompt becomes a message, so that issues about it name a message. */
function promptForMessages(field: string): string {
  return field.startsWith('messages') ? 'prompt' : field
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

/** The messages of the input as providers get them, with their form in the client's own API. */
function toConversation(
  call: OperationRun,
  { targets }: TextRoute,
  { prompt, messages = [] }: TextInput,
): readonly Message[] {
  const { native } = call
  const given: typeof messages =
    prompt === undefined ? messages : [{ role: 'user', content: [{ type: 'text', text: prompt }] }]
  // A single text, such as a prompt, has the form of providers already.
  const single = onlyPromptIn(given as readonly Message[]) ? (given as readonly Message[]) : undefined
  if (!native) return single ?? toMessages(given, (issues) => call.warn(issues))
  const isSent = targets.some(({ provider, id }) => supportsDialect(provider, native.dialect, id))
  const isOwn = (index: number) => isSent && native.messages[index] !== undefined
  const converted = single ?? toMessages(given, (issues) => call.warn(issues), isOwn)
  return converted.map((message, index) => {
    const own = native.messages[index]
    return own ? { ...message, native: { [native.dialect]: own } } : message
  })
}

function isTooMuch(model: TextModel, maxTokens: number | null | undefined): boolean {
  return (maxTokens ?? 0) > model.maxTokens && !model.maxTokensUnknown
}

/** Fields of the input that are not copied to the request. */
const notCopied: ReadonlySet<string> = new Set([
  'prompt',
  'messages',
  'maxTokens',
  'reasoning',
  'responseFormat',
  'adapt',
  'cache',
])

function toRequest(
  model: TextModel,
  messages: readonly Message[],
  settings: TextInput,
  native: OperationRun['native'],
): TextRequest {
  const { prompt, tools, toolChoice, responseFormat: format, providerOptions } = settings
  // A prompt gets a short answer. A conversation gets as long an answer as its model can write.
  const { maxTokens = prompt === undefined ? undefined : Math.min(defaultMaxTokens, model.maxTokens) } = settings
  const { reasoning = prompt === undefined && model.reasoning ? { effort: null } : undefined } = settings
  if (isTooMuch(model, maxTokens)) {
    throw invalidRequest({ field: 'maxTokens', issue: `must be between 1 and ${model.maxTokens}, the model's maximum` })
  }
  if (tools || toolChoice || format || providerOptions || native) checkFields(settings, native)
  const request: Writable<TextRequest> = { model: settings.model, messages }
  // An absent field and null both mean the provider's own default.
  for (const field in settings) {
    const value = settings[field as keyof TextInput]
    if (value !== undefined && value !== null && !notCopied.has(field)) request[field] = value
  }
  if (maxTokens !== undefined && maxTokens !== null) request.maxTokens = maxTokens
  if (reasoning) request.reasoning = reasoning
  if (format && format.type !== 'text') request.responseFormat = format as TextRequest['responseFormat']
  if (native) request.native = { [native.dialect]: native.fields }
  return request
}

/** While it is written, field by field. */
type Writable<Type> = { -readonly [Field in keyof Type]: Type[Field] } & Record<string, unknown>

/** Rejects a request for what the model cannot do, with the models that can. */
function requireCapabilities(
  registry: RegistryView,
  model: TextModel,
  { tools, reasoning }: TextRequest,
  { isPrompt, media }: { readonly isPrompt: boolean; readonly media: string | undefined },
): void {
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
  for (let index = 0; index < messages.length; index++) {
    const { content } = messages[index]!
    for (let at = 0; at < content.length; at++) if (hasMedia(content[at]!)) return `messages[${index}].content[${at}]`
  }
  return undefined
}

function hasMedia(part: Message['content'][number]): boolean {
  if (part.type === 'tool_result') return part.content.some(({ type }) => type !== 'text')
  return part.type === 'image' || part.type === 'file'
}
