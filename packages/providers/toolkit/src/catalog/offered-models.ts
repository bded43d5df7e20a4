import { type Clock, type Model, type Provider, type ProviderCall, systemClock } from '@fairlead/core/provider'
import { catalogModels, findModel, type Publisher } from './catalog.ts'

/** The options of a provider that select its models. */
export interface ModelChoice {
  /**
   * Your own list of models; `fetched` for those that the upstream lists; `catalog` for those that the catalog has;
   * `any` to pass every other id on, too. Default: the models of the catalog and of the upstream's list.
   */
  readonly models?: readonly Model[] | 'fetched' | 'catalog' | 'any' | undefined
  readonly clock?: Clock | undefined
}

/** Finds the facts of a model, or of a version of it; undefined for an unknown id. */
export type FindKnown = (id: string) => Model | undefined

/** @param known finds a model in the catalog */
export type FetchModels = (call: ProviderCall, known: FindKnown) => Promise<readonly Model[]>

export interface ModelSources {
  /** Whose models the catalog has, or the models themselves. Default: none. */
  readonly known?: Publisher | readonly Model[] | undefined
  /** Whether it is a proxy, which may lack known models: they are listed only if it lists them, or has no list. Default: false. */
  readonly isProxy?: boolean
  /** Absent if the upstream does not list its models. */
  readonly fetchModels?: FetchModels | undefined
  /** A model of which nothing but its id is known; undefined if the id does not belong to a text model. */
  assume(id: string): Model | undefined
}

/**
 * The members of the contract with which a provider offers its models. Core reads the lists again, for announced
 * prices.
 */
export interface OfferedModels {
  models(): Provider['models']
  knownModels(): readonly Model[] | undefined
  readonly findModel?: (id: string) => Model | undefined
}

/** The models of a provider: the configured ones, or else all of the catalog and of the upstream. */
export function offeredModels(
  { models: choice, clock = systemClock }: ModelChoice,
  { known, isProxy = false, fetchModels, assume }: ModelSources,
): OfferedModels {
  if (typeof choice === 'object') return { models: () => choice, knownModels: () => undefined }
  const list = () => (typeof known === 'string' ? catalogModels(known, clock.now()) : (known ?? []))
  const find = (id: string) =>
    typeof known === 'string' ? findModel(known, id, clock.now()) : known?.find((model) => model.id === id)
  const listsKnown = !isProxy && choice !== 'fetched'
  const canFind = (known !== undefined && listsKnown) || choice === 'any'
  const fetchAll = async (fetch: FetchModels, call: ProviderCall) => {
    const fetched = await fetch(call, find)
    if (!listsKnown) return fetched
    // The known models as the upstream reports them, then its others.
    return [...new Map([...list(), ...fetched].map((model) => [model.id, model])).values()]
  }
  const fetch = choice === 'catalog' ? undefined : fetchModels
  return {
    models: () => (fetch ? (call) => fetchAll(fetch, call) : list()),
    knownModels: () => (fetch && known !== undefined && choice !== 'fetched' ? list() : undefined),
    ...(canFind && {
      findModel(id: string): Model | undefined {
        const model = find(id)
        if (model && listsKnown) return model
        const assumed = choice === 'any' ? (model ?? assume(id)) : undefined
        return assumed && { ...assumed, assumed: true }
      },
    }),
  }
}
