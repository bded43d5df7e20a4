/** The provider interface, and the error that providers throw. */
export { ProviderError } from './gateway/provider-error.ts'
export { PartWriter } from './gateway/messages/part-writer.ts'
export { lastPrompt, textAnswer, textEvents, textModel } from './gateway/messages/text-answer.ts'
export { answerEvents, collectAnswer, textIn } from './gateway/messages/collect-answer.ts'
export { dialects, onlyPromptIn, reasoningEfforts, withUserMessage, answerText } from './gateway/messages/message.ts'
export { analysisTasks } from './gateway/model.ts'
export { entityTypes, sentimentLabels } from './gateway/provider.ts'
export { finishReasons } from './gateway/messages/answer.ts'
export { providerResponses } from './gateway/provider-responses.ts'
export { checkPng } from './gateway/images/request-image.ts'
export { allowsTool } from './gateway/options/guarded-fields.ts'
export { optionGuard } from './gateway/options/option-rules.ts'
export { readToolInput } from './gateway/messages/message.ts'
export { requireOptions } from './runtime/schema/require-options.ts'
export { ended, polled, PolledIterator } from './runtime/polled.ts'
export { pause, systemClock } from './runtime/clock.ts'
export { Deadlines } from './runtime/run/task.ts'
export type {
  AnalysisAnswer,
  AnalysisRequest,
  Capacity,
  EmbeddingAnswer,
  EmbeddingRequest,
  ImageAnswer,
  ImageRequest,
  Provider,
  ProviderCall,
  TokenCountAnswer,
  TextRequest,
} from './gateway/provider.ts'
export type {
  FinishReason,
  ResponseFacts,
  TextAnswer,
  TextDelta,
  TextEvent,
  TextFinish,
  AnswerUsage,
} from './gateway/messages/answer.ts'
export type { PartEnd, PartEvent } from './gateway/messages/collect-answer.ts'
export type {
  AnswerPart,
  Citation,
  Dialect,
  FileAnswerPart,
  JsonSchema,
  MediaPart,
  MediaSource,
  Message,
  MessagePart,
  Native,
  OpaquePart,
  ProviderOptions,
  ReasoningEffort,
  ReasoningPart,
  RefusalPart,
  ResponseFormat,
  SentAnswerPart,
  TextPart,
  Tool,
  ToolCallPart,
  ToolChoice,
  ToolResultPart,
  UserLocation,
  WebSearch,
} from './gateway/messages/message.ts'
export { findJsonText, isObject, parseJson, type JsonObject } from './runtime/json.ts'
export { parseJsonBytes } from './runtime/json-scan.ts'
export type { OptionGuard, OptionGuardSettings, OptionRules, UnknownFields } from './gateway/options/option-rules.ts'
export type { Analysis, Entity, EntityType, Keyword, Sentiment } from './gateway/provider.ts'
export type { Clock } from './runtime/clock.ts'
export type { Issue, UpstreamFacts, UpstreamFailure } from './runtime/errors.ts'
export type {
  AnalysisTask,
  ProviderAnalyzer,
  EmbeddingFacts,
  ImageModel,
  Model,
  ModelType,
  Prices,
  Pricing,
  TextModel,
} from './gateway/model.ts'
export type { ProviderErrorOptions, ProviderFailure } from './gateway/provider-error.ts'
