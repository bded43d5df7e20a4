import { type Clock, type Model, type Provider, type ProviderCall, systemClock } from '@fairlead/core/provider'
import { catalogueModels, type Publisher } from './catalogue.ts'

/** The options of a provider that select its models. */
export interface ModelChoice {
  /** Your own list of models, or `fetched` to list them from the upstream. Default: the catalogue's. */
  readonly models?: readonly Model[] | 'fetched' | undefined
  readonly clock?: Clock | undefined
}

/** @param known the catalogue's models, by id */
export type FetchModels = (call: ProviderCall, known: ReadonlyMap<string, Model>) => Promise<readonly Model[]>

/**
 * The current models of a provider: the configured ones, or those of the upstream, or the catalogue's.
 */
export function offeredModels(
  publisher: Publisher | undefined,
  { models, clock = systemClock }: ModelChoice,
  fetchModels: FetchModels,
): () => Provider['models'] {
  if (models !== undefined && models !== 'fetched') return () => models
  const known = () => (publisher ? catalogueModels(publisher, clock.now()) : [])
  if (models === undefined) return known
  return () => (call) => fetchModels(call, new Map(known().map((model) => [model.id, model])))
}
