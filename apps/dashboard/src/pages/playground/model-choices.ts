import { api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { formatUsd } from '../../format.ts'
import type { ModelTraits } from './parameters.ts'
import type { Mode } from './playground-state.ts'

type Model = components['schemas']['Model']
type Analyzer = components['schemas']['Analyzer']

/** A model that can be chosen. */
export interface ModelChoice {
  /** Sent as `model`. Empty if the service chooses. */
  readonly value: string
  readonly name: string
  readonly provider: string
  readonly price: string
  readonly traits?: ModelTraits | undefined
}

export interface ModelChoices {
  /** Undefined while they load. */
  readonly choices: readonly ModelChoice[] | undefined
  readonly error: unknown
  retry(): void
}

/** The models that a mode can use. */
export function useModelChoices(mode: Mode): ModelChoices {
  const models = api.useQuery('get', '/models')
  const analyzers = api.useQuery('get', '/analyzers', {}, { enabled: mode === 'analysis' })
  const all = models.data?.data
  const retry = () => {
    void models.refetch()
    if (mode === 'analysis') void analyzers.refetch()
  }
  const choices =
    mode === 'analysis'
      ? all && analyzers.data && analysisChoices(all, analyzers.data.data)
      : all
          ?.filter(({ type, capabilities }) => type === mode && !capabilities.embedding)
          .map((model) => toChoice(model, all))
  return { choices, error: models.error ?? (mode === 'analysis' ? analyzers.error : undefined), retry }
}

/** A choice for an id that no list has, such as a route's. */
export function unlistedChoice(id: string): ModelChoice {
  return { value: id, name: id, provider: '', price: '' }
}

function analysisChoices(models: readonly Model[], analyzers: readonly Analyzer[]): readonly ModelChoice[] {
  return [
    { value: '', name: 'Automatic', provider: '', price: 'The first that supports the tasks' },
    ...analyzers.map(({ id, provider, tasks }) => ({
      value: id,
      name: id,
      provider,
      price: tasks.map(({ task }) => task).join(', '),
      traits: {
        id,
        ...noCapabilities,
        languages: [...new Set(tasks.flatMap(({ languages }) => languages))].sort(),
      },
    })),
    ...models.filter(({ capabilities }) => capabilities.structured).map((model) => toChoice(model, models)),
  ]
}

const noCapabilities = {
  seed: false,
  streaming: false,
  chat: false,
  tools: false,
  vision: false,
  structured: false,
  reasoning: false,
}

function toChoice(model: Model, all: readonly Model[]): ModelChoice {
  const { id, provider, capabilities, name, type } = model
  const isUnique = all.filter((other) => other.id === id).length === 1
  return {
    value: isUnique ? id : `${provider}/${id}`,
    name,
    provider,
    price: formatPrice(model),
    traits: {
      id,
      maxTokens: type === 'text' ? model.max_tokens : undefined,
      ...capabilities,
    },
  }
}

function formatPrice({ pricing: { input, output, known }, type }: Model): string {
  if (known === false) return 'Price unknown'
  if (input === 0 && output === 0) return 'Free'
  return type === 'image'
    ? `${formatUsd(output)} / image`
    : `${formatUsd(input)} in · ${formatUsd(output)} out / 1M tokens`
}
