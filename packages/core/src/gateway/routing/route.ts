import type { Provider } from '../provider.ts'
import type { Model, Analyzer } from '../model.ts'
import type { Strategy, Timeouts } from './route-options.ts'
import type { Issue } from '../../runtime/errors.ts'

/** Something that one provider has. */
export interface Target {
  readonly provider: Provider
  /** The id within that provider. */
  readonly id: string
  /** Absent where it is an analyzer. */
  readonly model?: Model
  /** Its share of first questions, where a route goes by weights. Default: 1. */
  readonly weight?: number
}

/** A model as one provider has it. */
export interface ModelTarget<Kind extends Model> extends Target {
  readonly model: ListedModel<Kind>
}

/** An analyzer as one provider has it. */
export interface AnalyzerTarget extends Target {
  readonly analyzer: Analyzer
}

/** Where a call may go. */
export interface Route<At extends Target> {
  readonly targets: readonly [At, ...At[]]
  /** In which order the targets are asked. Default: as they stand. */
  readonly strategy?: Strategy
  /** In place of those that hold for every call. */
  readonly timeouts?: Timeouts
  /** For how long an answer may be given again. Default: not at all. */
  readonly cache?: { readonly ttlMs: number }
}

/** Where a call for a model may go. */
export interface ModelRoute<Kind extends Model> extends Route<ModelTarget<Kind>> {
  /** The model as callers know it, whoever answers. */
  readonly model: ListedModel<Kind>
  /** What the caller should hear of the name that it used. Default: nothing. */
  readonly warnings?: readonly Issue[]
}

/** A model with the id that callers know it by, and whose it is. */
export type ListedModel<Kind extends Model = Model> = Kind & { readonly provider: string }
