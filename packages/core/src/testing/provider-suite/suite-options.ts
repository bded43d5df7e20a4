import type {
  AnalysisAnswer,
  AnalysisRequest,
  ImageAnswer,
  ImageRequest,
  Provider,
  TextAnswer,
  TextRequest,
} from '../../gateway/provider.ts'
import type { RecordedExchange, RecordedReply } from '../recorded-exchange.ts'

/** The upstream that a provider under test must call. */
export interface SuiteUpstream {
  /** The base URL of the API during the test: `http://127.0.0.1:<port>`. */
  readonly url: string
  /** The API key to send, and never to reveal. */
  readonly apiKey: string
}

export type MakeProvider = (upstream: SuiteUpstream) => Provider | Promise<Provider>

export interface ProviderSuiteOptions {
  /** Requests for the tests that replay nothing: a model of your own, a prompt that it can answer. Default: the first model of each type. */
  readonly requests?: {
    readonly text?: Partial<TextRequest>
    readonly image?: Partial<ImageRequest>
    readonly analysis?: Partial<AnalysisRequest>
  }
  /** Required of a provider that calls an HTTP API: one replay for each of its methods. */
  readonly replay?: {
    readonly text?: Replay<TextRequest, TextAnswer>
    /** Its answer is the text of all events together. */
    readonly stream?: Replay<TextRequest, TextAnswer>
    readonly image?: Replay<ImageRequest, ImageAnswer>
    readonly analysis?: Replay<AnalysisRequest, AnalysisAnswer>
  }
  /** Titles of tests that can't apply, each with the reason. */
  readonly skip?: Readonly<Record<string, string>>
}

export interface Replay<Request, Answer> {
  /** The request; core's defaults fill in what is missing. */
  readonly request: Partial<Request> & { readonly model?: string }
  /** What the provider sends for it and what the API replies. If there are several, the last is the request itself. */
  readonly exchange: RecordedExchange | readonly RecordedExchange[]
  /** The answer that the provider returns, in part or in full. */
  readonly answer: Partial<Answer>
  /**
   * What the API replies when the response reaches `maxTokens`. Default: the recorded reply with a usual word for it, such
   * as `length` or `max_tokens`, in the place of one of its texts.
   */
  readonly cutOff?: RecordedReply
}

export const suiteKinds = ['text', 'stream', 'image', 'analysis'] as const
export type SuiteKind = (typeof suiteKinds)[number]

export const methodOf = {
  text: 'generateText',
  stream: 'streamText',
  image: 'generateImage',
  analysis: 'analyze',
} as const satisfies Readonly<Record<SuiteKind, keyof Provider>>
