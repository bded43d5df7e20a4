/** A provider of any model of the Vercel AI SDK. */
export { aiSdk } from './ai-sdk.ts'
export { boundedFetch } from './bounded-fetch.ts'
export type { BoundedFetchOptions } from './bounded-fetch.ts'
export type {
  AiSdkImageModel,
  AiSdkModel,
  AiSdkOptions,
  AiSdkTextModel,
  AnyImageModel,
  AnyLanguageModel,
  ProviderOptions,
} from './options.ts'
