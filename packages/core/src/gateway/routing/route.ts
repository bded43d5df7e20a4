import type { Issue } from '../../runtime/errors.ts'
import type { Analyzer, Model } from '../model.ts'
import type { Provider } from '../provider.ts'
import type { Strategy, Timeouts } from './route-options.ts'

/** A model or analyzer of a provider. */
export interface Target {
  readonly provider: Provider
  /** The id within the provider. */
  readonly id: string
  /** Absent for an analyzer. */
  readonly model?: Model
  /** Whether the provider does not list the model. All such targets of a provider share one state. Default: false. */
  readonly unlisted?: boolean
  /** The weight of the target on a weighted route. Default: 1. */
  readonly weight?: number
}

export interface ModelTarget<Kind extends Model> extends Target {
  readonly model: ListedModel<Kind>
}

export interface AnalyzerTarget extends Target {
  readonly analyzer: Analyzer
}

export interface Route<At extends Target> {
  readonly targets: readonly [At, ...At[]]
  /** The route or the alias that was asked for. Default: the model itself was. */
  readonly name?: string
  /** Default: `fallback`. */
  readonly strategy?: Strategy
  /** Default: the global timeouts. */
  readonly timeouts?: Timeouts
  /** How long responses are cached. Default: not at all. */
  readonly cache?: { readonly ttlMs: number }
}

export interface ModelRoute<Kind extends Model> extends Route<ModelTarget<Kind>> {
  /** The model as callers see it, whichever target responds. */
  readonly model: ListedModel<Kind>
  /** Warnings about the id in the request. Default: none. */
  readonly warnings?: readonly Issue[]
}

/** A model with its public id and its provider. */
export type ListedModel<Kind extends Model = Model> = Kind & { readonly provider: string }
