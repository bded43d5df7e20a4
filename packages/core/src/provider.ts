/** The provider interface, and the error that providers throw. */
export { ProviderError } from './gateway/provider-error.ts'
export { reasoningEfforts, withUserMessage } from './gateway/message.ts'
export { analysisTasks } from './gateway/model.ts'
export { entityTypes, sentimentLabels } from './gateway/provider.ts'
export { finishReasons } from './gateway/provider.ts'
export { optionGuard } from './gateway/option-rules.ts'
export { isUnreadable, readToolInput } from './gateway/tool-input.ts'
export { requireOptions } from './runtime/require-options.ts'
export { systemClock } from './runtime/clock.ts'
export type {
  AnalysisAnswer,
  AnalysisRequest,
  Capacity,
  EmbeddingAnswer,
  EmbeddingRequest,
  FinishReason,
  ImageAnswer,
  ImageRequest,
  PartEvent,
  Provider,
  ProviderCall,
  ResponseFacts,
  TextAnswer,
  TokenCount,
  TextEvent,
  TextRequest,
  TokenUsage,
} from './gateway/provider.ts'
export type {
  AnswerPart,
  FilePart,
  ImagePart,
  JsonSchema,
  Message,
  ProviderOptions,
  ReasoningEffort,
  ReasoningPart,
  RefusalPart,
  ResponseFormat,
  TextPart,
  Tool,
  ToolCallPart,
  ToolChoice,
  ToolResultPart,
} from './gateway/message.ts'
export type { OptionGuard, OptionGuardSettings, OptionRules } from './gateway/option-rules.ts'
export type { Analysis, Entity, EntityType, Keyword, Sentiment } from './gateway/provider.ts'
export type { Clock } from './runtime/clock.ts'
export type { Issue, UpstreamFacts, UpstreamFailure } from './runtime/errors.ts'
export type {
  AnalysisTask,
  Analyzer,
  EmbeddingFacts,
  ImageModel,
  Model,
  ModelType,
  Prices,
  Pricing,
  TextModel,
} from './gateway/model.ts'
export type { ProviderErrorOptions, ProviderFailure } from './gateway/provider-error.ts'
