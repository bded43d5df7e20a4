/** A provider of any model of the Vercel AI SDK. */
export { aiSdk } from './ai-sdk.ts'
export { boundedFetch } from './bounded-fetch.ts'
export type { BoundedFetchOptions } from './bounded-fetch.ts'
export type {
  AiSdkEmbeddingModel,
  AiSdkImageModel,
  AiSdkModel,
  AiSdkOptions,
  AiSdkTextModel,
  AnyEmbeddingModel,
  AnyImageModel,
  AnyLanguageModel,
  AiSdkProviderOptions,
} from './options.ts'
