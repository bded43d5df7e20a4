/** Limits and prices of well-known models, with their sources. */
export { catalogue, catalogueModels, findEntry } from './catalogue.ts'
export { offeredModels } from './offered-models.ts'
export type { Publisher } from './catalogue.ts'
export type { FetchModels, ModelChoice } from './offered-models.ts'
export type { CatalogueEntry, Day, ImageTokenPrices } from './catalogue-entry.ts'
