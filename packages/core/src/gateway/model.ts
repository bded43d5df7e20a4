/** Prices in US dollars: per million tokens for text models; per million prompt tokens (`input`) and per image (`output`) for image models. */
export interface Prices {
  readonly input: number
  readonly output: number
  /** Text models: the price of prompt tokens read from the upstream's prompt cache. Default: `input`. */
  readonly cachedInput?: number
  /** Text models: the price of prompt tokens written to the upstream's prompt cache. Default: `input`. */
  readonly cacheWrite?: number
  /** Text models: the price of prompt tokens written for an hour instead of minutes. Default: `cacheWrite`. */
  readonly longCacheWrite?: number
}

export interface Pricing extends Prices {
  /**
   * Text models: the price of a search of the web that the upstream ran. Default: unknown; it counts as 0, and a warning
   * says so.
   */
  readonly webSearch?: number
  /** Text models: the prices of all tokens of a call whose prompt has more than `above` tokens. Default: the same prices. */
  readonly longPrompts?: Prices & { readonly above: number }
  /**
   * Image models: the price of an image by its quality (`low`, `medium`, `high`, or `standard`, `hd`) and its size
   * (`1024x1024`), where it depends on them. `output` is then the price of a usual image. Default: `output` for all.
   */
  readonly images?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /**
   * Text models: the factor on all prices for each tier, speed, and region that is not the standard one, by its name in
   * `usage.tiers`. Default: unknown; the standard prices count, and a warning says so.
   */
  readonly tiers?: Readonly<Record<string, number>>
}

interface ModelBasics {
  /** Unique within the provider. Clients send it as `model`. */
  readonly id: string
  /** Display name. */
  readonly name: string
  /** One sentence that describes the model. */
  readonly description: string
  /** Default: unknown. The cost of a call is then 0, and a warning says so. */
  readonly pricing?: Pricing
  /**
   * Whether the model is a test double, which fails on request. Its failures never open a circuit breaker.
   * Default: false.
   */
  readonly testDouble?: boolean
  /**
   * Whether nothing is known of the model, because `findModel` passes every id on. A provider that knows an id has
   * precedence, and callers get a warning. Default: false.
   */
  readonly assumed?: boolean
}

export interface TextModel extends ModelBasics {
  readonly type: 'text'
  /** The maximum number of tokens of a response. */
  readonly maxTokens: number
  /**
   * Whether `maxTokens` is a guess. Larger values are then passed on, and the upstream decides. Default: false.
   */
  readonly maxTokensUnknown?: boolean
  /** Whether the model can stream. Default: whether the provider has `streamText`. */
  readonly streaming?: boolean
  /** The maximum number of tokens of prompt and response together. Default: unknown. */
  readonly contextSize?: number
  /** The maximum length of a prompt in characters. Default: 16 for each token of `contextSize`. */
  readonly maxPromptCharacters?: number
  /** Whether the model takes `messages`: conversations with system messages and several turns. Default: false. */
  readonly chat?: boolean
  /** Whether the model calls `tools`. It is then also `chat`. Default: false. */
  readonly tools?: boolean
  /** Whether messages may have images and files. The model is then also `chat`. Default: false. */
  readonly vision?: boolean
  /** Whether the upstream loads https URLs of images and files itself. Default: false; core then downloads them. */
  readonly urls?: boolean
  /** Whether the model supports a `responseFormat` with a schema. It can then also analyze texts. Default: false. */
  readonly structured?: boolean
  /** Whether the effort of `reasoning` can be set. Default: false. */
  readonly reasoning?: boolean
  /** Whether the model searches the web for a request with `webSearch`. Core sets it where the provider has `webSearch`. */
  readonly webSearch?: boolean
  /** Present if the model embeds texts. It then generates none, and `maxTokens` is the maximum of one text. */
  readonly embedding?: EmbeddingFacts
  /** Whether the same `seed` gives the same text. Default: false. */
  readonly seed?: boolean
  /** The maximum number of stop sequences. Default: 4. */
  readonly maxStopSequences?: number
}

/** The capabilities of a text model that are either true or false. */
export const textCapabilities = [
  'chat',
  'tools',
  'vision',
  'urls',
  'structured',
  'reasoning',
  'webSearch',
] as const satisfies readonly (keyof TextModel)[]

export const maxDimensions = 65_536

export interface EmbeddingFacts {
  /** The length of the vectors: at most 65,536. */
  readonly dimensions: number
  /** The smallest length that can be requested. Default: `dimensions`; the length is then fixed. */
  readonly minDimensions?: number
  /** The maximum number of texts in one request. Default: 2,048. Core splits longer lists. */
  readonly maxTexts?: number
}

export interface ImageModel extends ModelBasics {
  readonly type: 'image'
  /** The maximum number of tokens of a prompt. */
  readonly maxTokens: number
  /** Each as `<width>x<height>`. */
  readonly sizes: readonly [string, ...string[]]
  /** The maximum number of images of one request. Default: 1. */
  readonly maxImages?: number
  /** Whether the same `seed` gives the same image. Default: false. */
  readonly seed?: boolean
}

export type Model = TextModel | ImageModel

export const modelTypes = ['text', 'image'] as const satisfies readonly Model['type'][]
export type ModelType = Model['type']

/** The use of a model by a request: generating a text or an image, or embedding texts. */
export type ModelUse = ModelType | 'embedding'

/** A model for a use. */
export type ModelFor<Use extends ModelUse> = Use extends 'embedding'
  ? TextModel & { readonly embedding: EmbeddingFacts }
  : Extract<Model, { type: Use }>

export const analysisTasks = ['sentiment', 'entities', 'keywords'] as const
export type AnalysisTask = (typeof analysisTasks)[number]

/** A model that only analyzes texts. */
export interface ProviderAnalyzer {
  /** Unique within the provider. Clients send it as `model`. */
  readonly id: string
  /** The supported languages (ISO 639-1) of each supported task. */
  readonly tasks: { readonly [Task in AnalysisTask]?: readonly string[] }
}
