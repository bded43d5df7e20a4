import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { type Issue, isObject, type ProviderOptions as CoreOptions, type TextRequest } from '@fairlead/core/provider'
import type { Entry, AiSdkProviderOptions } from './options.ts'

/**
 * The options of the AI SDK are grouped by package: `{ openai: { … } }`. Requests, parts and tools have them under this
 * provider's id, and so has what a model returned with a part: `{ 'ai-sdk': { openai: { … } } }`.
 */
export interface WithOptions {
  readonly providerOptions?: CoreOptions | undefined
}

/** A call of a model. */
export interface ModelCall<Configured, Request> {
  readonly entry: Configured
  readonly request: Request
  /** The provider's id. */
  readonly id: string
  readonly signal: AbortSignal
  /** The warnings about what was left out of the request. */
  readonly leftOut: readonly Issue[]
}

/** The options of packages that a request, a part or a tool has. */
export function packageOptions({ providerOptions }: WithOptions, id: string): AiSdkProviderOptions | undefined {
  const own = Object.entries(providerOptions?.[id] ?? {}).filter(([, value]) => isObject(value))
  return own.length === 0 ? undefined : (Object.fromEntries(own) as AiSdkProviderOptions)
}

/** The request with the metadata of its blocks as options of these parts, so that the same rules apply to them. */
export function withBlockOptions(request: TextRequest, id: string): TextRequest {
  const messages = request.messages.map((message) => {
    if (message.role !== 'assistant' || message.content.every(({ type }) => type !== 'opaque')) return message
    const content = message.content.map((part) => {
      const metadata = part.type === 'opaque' ? part.data['providerMetadata'] : undefined
      return isObject(metadata) ? { ...part, providerOptions: { [id]: metadata } } : part
    })
    return { ...message, content }
  })
  return { ...request, messages }
}

/** The metadata that a model returned with a part, as options of that part in the next request. */
export function fromMetadata(metadata: SharedV4ProviderMetadata | undefined, id: string): WithOptions {
  return metadata && Object.keys(metadata).length > 0 ? { providerOptions: { [id]: metadata } } : {}
}

/** The options of the configuration and of the request, which takes precedence. */
export function mergeOptions<Request extends WithOptions>({
  entry,
  request,
  id,
}: ModelCall<Entry<Request>, Request>): AiSdkProviderOptions | undefined {
  const own = packageOptions(request, id)
  const configured = optionsFor(entry, request)
  if (!configured) return own
  const merged = new Map(Object.entries(configured))
  for (const [name, options] of Object.entries(own ?? {})) merged.set(name, { ...merged.get(name), ...options })
  return Object.fromEntries(merged)
}

/** The configured options for one request. */
export function optionsFor<Request>(
  { providerOptions }: Entry<Request>,
  request: Request,
): AiSdkProviderOptions | undefined {
  return typeof providerOptions === 'function' ? providerOptions(request) : providerOptions
}

/** The tiers and speeds that a request asks for, which decide its price: the AI SDK does not report the one that answered. */
export function tiersIn(request: WithOptions, id: string): readonly string[] {
  const options = Object.values(packageOptions(request, id) ?? {})
  const asked = options.flatMap(({ serviceTier, speed }) => [serviceTier, speed])
  return asked.filter((tier): tier is string => typeof tier === 'string' && !standardTiers.has(tier))
}

const standardTiers: ReadonlySet<string> = new Set(['auto', 'default', 'standard', 'on_demand', 'standard_only'])

/** Options that belong to no package. */
export function ignoredOptions({ request, id }: ModelCall<unknown, WithOptions & Partial<TextRequest>>): Issue[] {
  const { messages = [], tools = [] } = request
  const parts = messages.flatMap(({ content }) => content as readonly WithOptions[])
  const holders: readonly WithOptions[] = [request, ...parts, ...tools]
  const options = holders.flatMap(({ providerOptions }) => Object.entries(providerOptions?.[id] ?? {}))
  const names = new Set(options.flatMap(([name, value]) => (isObject(value) ? [] : [name])))
  const issue = 'was ignored: options are grouped by the package of the model, such as openai'
  return Array.from(names, (name) => ({ field: 'providerOptions', issue: `${name} ${issue}` }))
}
