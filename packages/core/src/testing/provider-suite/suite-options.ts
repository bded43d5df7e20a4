import type {
  AnalysisAnswer,
  AnalysisRequest,
  ImageAnswer,
  ImageRequest,
  Provider,
  TextAnswer,
  TextRequest,
} from '../../gateway/provider.ts'
import type { RecordedExchange } from '../recorded-exchange.ts'

/** What a provider under test is made for. */
export interface SuiteUpstream {
  /** Where its foreign API is, for the time of the test: `http://127.0.0.1:<port>`. */
  readonly url: string
  /** The key that it should send, and never tell. */
  readonly apiKey: string
}

export type MakeProvider = (upstream: SuiteUpstream) => Provider | Promise<Provider>

export interface ProviderSuiteOptions {
  /** What is asked where a request is not part of a replay: a model of your own, a prompt that it can answer. Default: the first model of each type. */
  readonly requests?: {
    readonly text?: Partial<TextRequest>
    readonly image?: Partial<ImageRequest>
    readonly analysis?: Partial<AnalysisRequest>
  }
  /** Of a provider that speaks to a foreign API over HTTP. Default: none, and what needs one is left out. */
  readonly replay?: {
    readonly text?: Replay<TextRequest, TextAnswer>
    /** The answer is what the events come to. */
    readonly stream?: Replay<TextRequest, TextAnswer>
    readonly image?: Replay<ImageRequest, ImageAnswer>
    readonly analysis?: Replay<AnalysisRequest, AnalysisAnswer>
  }
  /** Titles of tests that don't apply, each with the reason why. */
  readonly skip?: Readonly<Record<string, string>>
}

export interface Replay<Request, Answer> {
  /** What is asked; what is left out is as core would fill it in. */
  readonly request: Partial<Request> & { readonly model?: string }
  /** What the provider sends for it, and what comes back. Of several, the last is the request proper. */
  readonly exchange: RecordedExchange | readonly RecordedExchange[]
  /** What the provider makes of it, in part or in full. */
  readonly answer: Partial<Answer>
}

export const suiteKinds = ['text', 'stream', 'image', 'analysis'] as const
export type SuiteKind = (typeof suiteKinds)[number]
