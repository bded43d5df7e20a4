import type { ImageModel, Pricing, TextModel } from '@fairlead/core/provider'

/** A model as its publisher describes it, with the sources. */
export interface CatalogueEntry {
  readonly model: TextModel | ImageModel
  /** A price that the publisher has announced, and its first day. */
  readonly nextPricing?: { readonly from: Day; readonly pricing: Pricing }
  /** The prices of an image model that is billed by token. */
  readonly tokenPrices?: ImageTokenPrices
  /**
   * Whether it is an earlier model, which the publisher may retire at any time: it is listed only if the upstream lists it.
   * Default: false.
   */
  readonly earlier?: true
  /** The day of the last check. */
  readonly checked: Day
  /** The pages that state the facts. */
  readonly sources: readonly [string, ...string[]]
  /** What the publisher's own pages do not confirm. Default: nothing. */
  readonly doubt?: string
}

/** US dollars per million tokens. */
export interface ImageTokenPrices {
  readonly input: number
  /** Text and thinking tokens beside the image. */
  readonly textOutput: number
  readonly imageOutput: number
}

/** A day in UTC: `2026-11-21`. */
export type Day = `${number}-${number}-${number}`
