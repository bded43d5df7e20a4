import { type Clock, type Model, type Provider, type ProviderCall, systemClock } from '@fairlead/core/provider'
import { catalogueModels, type Publisher } from './catalogue.ts'

/** What a user of a provider may say of its models. */
export interface ModelChoice {
  /** One's own, or `fetched`, to ask the upstream for them. Default: those of the catalogue. */
  readonly models?: readonly Model[] | 'fetched' | undefined
  readonly clock?: Clock | undefined
}

/** @param known what the catalogue has, by id */
export type FetchModels = (call: ProviderCall, known: ReadonlyMap<string, Model>) => Promise<readonly Model[]>

/**
 * The models that a provider lists at present: those given, those that its upstream names, or else the catalogue's, in
 * this order.
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
