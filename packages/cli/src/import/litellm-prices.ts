import type { TextModel } from '@fairlead/core/provider'
import type { Group, Target } from './litellm-document.ts'
import { amountOf } from './litellm-settings.ts'
import type { Notes } from './notes.ts'
import type { ProviderEntries } from './provider-entries.ts'

/** In US dollars per token. LiteLLM reads them from the parameters of a model, and from its `model_info`. */
const prices: readonly string[] = [
  'input_cost_per_token',
  'output_cost_per_token',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
]

/** Facts of `model_info` that a list of models has, too. */
const facts: readonly string[] = [
  'max_tokens',
  'max_output_tokens',
  'max_input_tokens',
  'supports_function_calling',
  'supports_vision',
  'supports_response_schema',
  'supports_reasoning',
]

/** Whether `addPrices` imports a setting of a deployment, or says why not. */
export function belongsToPrices(section: 'litellm_params' | 'model_info', name: string): boolean {
  return isPrice(name) || (section === 'model_info' && facts.includes(name))
}

function isPrice(name: string): boolean {
  return /_cost(_per_|$)/.test(name)
}

/**
 * Lists the models of a provider with their prices, if it is a server of whose models nothing else is known, and all of them
 * have prices. A provider with a list has no other models, so vendors keep those of the catalog.
 */
export function addPrices(
  groups: ReadonlyMap<string, Group>,
  { providers, notes }: { readonly providers: ProviderEntries; readonly notes: Notes },
): void {
  const targets = [...groups.values()].flatMap((group) => group.targets)
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
    for (const target of own) notePrices(target, isListed, notes)
  }
}

function pricedModel({ id, params, info }: Target): TextModel | undefined {
  const { mode = 'chat', ...all } = { ...info, ...params } as Readonly<Record<string, unknown>>
  const input = perMillion(all['input_cost_per_token'])
  const output = perMillion(all['output_cost_per_token'])
  if (input === undefined || output === undefined || mode !== 'chat') return undefined
  const cachedInput = perMillion(all['cache_read_input_token_cost'])
  const cacheWrite = perMillion(all['cache_creation_input_token_cost'])
  const maxTokens = numberOf(info?.['max_output_tokens'] ?? info?.['max_tokens'])
  const contextSize = numberOf(info?.['max_input_tokens'])
  return {
    type: 'text',
    id,
    name: id,
    description: 'Imported from LiteLLM.',
    ...(maxTokens ? { maxTokens } : { maxTokens: 4_096, maxTokensUnknown: true }),
    ...(contextSize && { contextSize }),
    // As for a model of which only the id is known: its server decides.
    tools: info?.['supports_function_calling'] !== false,
    vision: info?.['supports_vision'] !== false,
    structured: info?.['supports_response_schema'] !== false,
    chat: true,
    ...(info?.['supports_reasoning'] === true && { reasoning: true }),
    pricing: {
      input,
      output,
      ...(cachedInput !== undefined && { cachedInput }),
      ...(cacheWrite !== undefined && { cacheWrite }),
    },
  }
}

function notePrices({ path, params, info }: Target, isListed: boolean, notes: Notes): void {
  for (const name of Object.keys(params).filter(isPrice)) notePrice(`${path}.litellm_params`, name, isListed, notes)
  for (const name of Object.keys(info ?? {})) {
    if (isPrice(name)) notePrice(`${path}.model_info`, name, isListed, notes)
    else if (!isListed && facts.includes(name))
      notes.add(`${path}.model_info.${name}`, 'Fairlead takes the facts of a model from its provider')
  }
}

function notePrice(path: string, name: string, isListed: boolean, notes: Notes): void {
  if (isListed && prices.includes(name)) return
  notes.add(
    `${path}.${name}`,
    prices.includes(name)
      ? 'for your own prices, list the models of the provider: docs/providers.md#prices'
      : 'only prices of input, output, and cached tokens are imported; for others, see docs/providers.md#prices',
  )
}

/** Without the errors of floating-point numbers: 0.0000011 becomes 1.1. */
function perMillion(perToken: unknown): number | undefined {
  const price = numberOf(perToken)
  return price === undefined || price < 0 ? undefined : Number((price * 1_000_000).toPrecision(12))
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'string' ? amountOf(value) : undefined
}
