/** Limits and prices of well-known models, with their sources. */
export { catalogue, catalogueModels, findEntry, findModel } from './catalogue.ts'
export { offeredModels } from './offered-models.ts'
export type { Publisher } from './catalogue.ts'
export type { FetchModels, FindKnown, ModelChoice, ModelSources, OfferedModels } from './offered-models.ts'
export type { CatalogueEntry, Day, ImageTokenPrices } from './catalogue-entry.ts'
