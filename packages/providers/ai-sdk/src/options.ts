import type {
  EmbeddingModelV2,
  EmbeddingModelV3,
  EmbeddingModelV4,
  ImageModelV2,
  ImageModelV3,
  ImageModelV4,
  JSONValue,
  LanguageModelV2,
  LanguageModelV3,
  LanguageModelV4,
} from '@ai-sdk/provider'
import type { Clock, EmbeddingRequest, ImageModel, ImageRequest, TextModel, TextRequest } from '@fairlead/core/provider'

/** A language model instance of the AI SDK, such as `openai('gpt-5-mini')`. */
export type AnyLanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

/** An image model instance of the AI SDK, such as `openai.image('gpt-image-1')`. */
export type AnyImageModel = ImageModelV2 | ImageModelV3 | ImageModelV4

/** An embedding model instance of the AI SDK, such as `openai.embedding('text-embedding-3-small')`. */
export type AnyEmbeddingModel = EmbeddingModelV2<string> | EmbeddingModelV3 | EmbeddingModelV4

/** The result that any version of the specification returns for a text. */
export type AnyResult = Awaited<ReturnType<AnyLanguageModel['doGenerate']>>

/** Options that only the model's own package knows, under its name: `{ openai: { reasoningEffort: 'low' } }`. */
export type AiSdkProviderOptions = Record<string, Record<string, JSONValue>>

/** The fields that every entry may have. */
export interface Entry<Request> {
  /** Default: none. A function is called for each request. */
  readonly providerOptions?: AiSdkProviderOptions | ((request: Request) => AiSdkProviderOptions)
}

/** The facts of a model. Default: the catalog's, because the AI SDK has none. */
type Facts<Model extends TextModel | ImageModel, Required extends keyof Model> = Pick<Model, Required> &
  Partial<Omit<Model, 'type' | 'streaming' | Required>>

export interface AiSdkTextModel extends Entry<TextRequest>, Omit<Facts<TextModel, never>, 'embedding'> {
  readonly model: AnyLanguageModel
  /** Default: the model's own. */
  readonly id?: string
  /** The maximum response length in tokens. Default: the catalog's, or else 4,096. */
  readonly maxTokens?: number
}

export interface AiSdkImageModel extends Entry<ImageRequest>, Facts<ImageModel, 'sizes'> {
  readonly model: AnyImageModel
  /** Default: the model's own. */
  readonly id?: string
  /** The maximum prompt length in tokens. Default: the catalog's, or else 1,000. */
  readonly maxTokens?: number
  /** The aspect ratio of each size, for a model that takes no sizes. Default: sizes are sent. */
  readonly aspectRatios?: Readonly<Record<string, `${number}:${number}`>>
}

export interface AiSdkEmbeddingModel
  extends
    Entry<EmbeddingRequest>,
    Pick<Facts<TextModel, never>, 'id' | 'name' | 'description' | 'pricing' | 'embedding'> {
  readonly model: AnyEmbeddingModel
  /** The maximum length of a text in tokens. Default: the catalog's, or else 4,096. */
  readonly maxTokens?: number
}

export type AiSdkModel = AiSdkTextModel | AiSdkImageModel | AiSdkEmbeddingModel

export interface AiSdkOptions {
  /** The name before the slash in `provider/model`. Default: `ai-sdk`. */
  readonly id?: string | undefined
  readonly models: readonly AiSdkModel[]
  /** Options of the packages that cost more, and that callers may use: `serviceTier`. Default: none. */
  readonly allow?: readonly string[] | undefined
  /** Whether streams whose caller has left are read to their final usage, as with other providers. Default: they are aborted. */
  readonly readOn?: { readonly maxMs: number } | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
}
