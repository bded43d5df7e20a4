/** What is known of well-known models: limits and prices, with the day and the pages where they were read. */
export { catalogue, catalogueModels, findEntry } from './catalogue.ts'
export { offeredModels } from './offered-models.ts'
export type { Publisher } from './catalogue.ts'
export type { FetchModels, ModelChoice } from './offered-models.ts'
export type { CatalogueEntry, Day, ImageTokenPrices } from './catalogue-entry.ts'
