/** Prices in US dollars. A text model: per million tokens. An image model: `input` per million prompt tokens, `output` per image. */
export interface Prices {
  readonly input: number
  readonly output: number
  /** A text model: the price of prompt tokens that the upstream reads from its prompt cache. Default: `input`. */
  readonly cachedInput?: number
  /** A text model: the price of prompt tokens that the upstream writes to its prompt cache. Default: `input`. */
  readonly cacheWrite?: number
}

export interface Pricing extends Prices {
  /** A text model: what all tokens of a call cost whose prompt has more tokens than this. Default: the same. */
  readonly longPrompts?: Prices & { readonly above: number }
}

interface ModelBasics {
  /** The name that callers send as `model`; unique within its provider. */
  readonly id: string
  /** Display name. */
  readonly name: string
  /** A sentence that says honestly what the model is. */
  readonly description: string
  /** Default: not known. The cost of a call then counts as 0, and the caller is told so. */
  readonly pricing?: Pricing
  /**
   * Whether it is a test double, which fails because its callers ask it to: no number of failures then stops calls to it.
   * Default: false.
   */
  readonly testDouble?: boolean
}

export interface TextModel extends ModelBasics {
  readonly type: 'text'
  /** The most tokens that one answer may have. */
  readonly maxTokens: number
  /** Whether tokens can be had as they are made. Default: whether the provider has `streamText`. */
  readonly streaming?: boolean
  /** The most tokens that a prompt and its answer may have together. Default: not known. */
  readonly contextSize?: number
  /** The maximum length of a prompt in characters. Default: 16 for each token of `contextSize`. */
  readonly maxPromptCharacters?: number
  /** Whether it answers in JSON of a given schema when asked to; then it can also analyze texts. Default: false. */
  readonly structured?: boolean
  /** Whether the same `seed` gives the same answer. Default: false. */
  readonly seed?: boolean
}

export interface ImageModel extends ModelBasics {
  readonly type: 'image'
  /** The most tokens of prompt that the model reads. */
  readonly maxTokens: number
  /** Each written `<width>x<height>`. */
  readonly sizes: readonly [string, ...string[]]
  /** Whether the same `seed` gives the same image. Default: false. */
  readonly seed?: boolean
}

export type Model = TextModel | ImageModel

export const modelTypes = ['text', 'image'] as const satisfies readonly Model['type'][]
export type ModelType = Model['type']

export const analysisTasks = ['sentiment', 'entities', 'keywords'] as const
export type AnalysisTask = (typeof analysisTasks)[number]

/** Something that analyzes text. */
export interface Analyzer {
  /** The name that callers send as `model` to pick it; unique within its provider. */
  readonly id: string
  /** For each task that it performs, the languages that it reads (ISO 639-1). */
  readonly tasks: { readonly [Task in AnalysisTask]?: readonly string[] }
}
