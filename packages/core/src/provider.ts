/** What an author of a provider needs: the contract of the plugin and the one error that it may throw. */
export { ProviderError } from './values/provider-error.ts'
export { analysisTasks } from './values/model.ts'
export { entityTypes, sentimentLabels } from './values/analysis.ts'
export { finishReasons } from './ports/provider.ts'
export { systemClock } from './ports/clock.ts'
export type {
  AnalysisAnswer,
  AnalysisRequest,
  Capacity,
  FinishReason,
  ImageAnswer,
  ImageRequest,
  JsonSchema,
  Provider,
  ProviderCall,
  TextAnswer,
  TextEvent,
  TextRequest,
  TokenUsage,
} from './ports/provider.ts'
export type { Analysis, Entity, EntityType, Keyword, Sentiment } from './values/analysis.ts'
export type { Clock } from './ports/clock.ts'
export type { Issue } from './values/issue.ts'
export type {
  AnalysisTask,
  Analyzer,
  ImageModel,
  Model,
  ModelType,
  Prices,
  Pricing,
  TextModel,
} from './values/model.ts'
export type { ProviderErrorOptions, ProviderFailure } from './values/provider-error.ts'
