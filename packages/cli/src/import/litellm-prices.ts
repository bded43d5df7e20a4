import type { TextModel } from '@fairlead/core/provider'
import { readAmount, defined } from './fields.ts'
import { type Deployment, modelInfo, type Parameters } from './litellm-fields.ts'
import type { Context } from './litellm-providers.ts'

/** A deployment that was imported. */
export interface Target {
  readonly path: string
  readonly provider: string
  readonly id: string
  readonly params: Parameters
  readonly info: Deployment['model_info']
}

/** In US dollars per token. LiteLLM reads them from the parameters of a model, and from its `model_info`. */
const prices = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  cache_read_input_token_cost: 'cachedInput',
  cache_creation_input_token_cost: 'cacheWrite',
} as const

export function isPrice(name: string): boolean {
  return /_cost(_per_|$)/.test(name)
}

/**
 * Lists the models of a provider with their prices, if it is a server of whose models nothing else is known, and all of
 * them have prices. A provider with a list has no other models, so vendors keep the catalog's.
 */
export function addPrices(targets: readonly Target[], context: Context): void {
  const { providers, notes } = context
  for (const [provider, own] of Map.groupBy(targets, (target) => target.provider)) {
    const models = new Map(own.map((target) => [target.id, pricedModel(target)]))
    const list = [...models.values()].filter((model) => model !== undefined)
    const isListed = providers.takesList(provider) && list.length === models.size
    if (isListed) {
      providers.setModels(provider, list)
      notes.add(
        own[0]!.path,
        'its provider now lists its models with their prices, and serves no others; check `tools`, `vision`, `reasoning` and `maxTokens` of each',
      )
    }
    for (const target of own) notePrices(target, isListed, context)
  }
}

function pricedModel({ id, params, info }: Target): TextModel | undefined {
  const { mode = 'chat', ...all } = { ...info, ...params } as Readonly<Record<string, unknown>>
  const pricing = Object.fromEntries(Object.entries(prices).map(([name, kind]) => [kind, perMillion(all[name])]))
  const { input, output, ...cached } = pricing
  if (input === undefined || output === undefined || mode !== 'chat') return undefined
  const maxTokens = readAmount(info?.max_output_tokens ?? info?.max_tokens)
  const contextSize = readAmount(info?.max_input_tokens)
  return {
    type: 'text',
    id,
    name: id,
    description: 'Imported from LiteLLM.',
    ...(maxTokens ? { maxTokens } : { maxTokens: 4_096, maxTokensUnknown: true }),
    ...(contextSize && { contextSize }),
    // As for a model of which only the id is known: its server decides.
    tools: info?.supports_function_calling !== false,
    vision: info?.supports_vision !== false,
    structured: info?.supports_response_schema !== false,
    chat: true,
    ...(info?.supports_reasoning === true && { reasoning: true }),
    pricing: { input, output, ...defined(cached) },
  }
}

function notePrices({ path, params, info }: Target, isListed: boolean, { notes }: Context): void {
  for (const [section, fields] of Object.entries({ litellm_params: params, model_info: info ?? {} })) {
    for (const name of Object.keys(fields)) {
      if (isListed && (name in prices || name in modelInfo.imported)) continue
      if (name in prices) {
        notes.add(
          `${path}.${section}.${name}`,
          'for your own prices, list the models of the provider: docs/providers.md#prices',
        )
      } else if (isPrice(name)) {
        notes.add(
          `${path}.${section}.${name}`,
          'only prices of input, output, and cached tokens are imported; for others, see docs/providers.md#prices',
        )
      } else if (section === 'model_info' && name in modelInfo.imported) {
        notes.add(`${path}.${section}.${name}`, modelInfo.otherwise)
      }
    }
  }
}

/** Without the errors of floating-point numbers: 0.0000011 becomes 1.1. */
function perMillion(perToken: unknown): number | undefined {
  const price = readAmount(perToken)
  return price === undefined || price < 0 ? undefined : Number((price * 1_000_000).toPrecision(12))
}
