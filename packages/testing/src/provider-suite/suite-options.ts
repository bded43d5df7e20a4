import type { RecordedExchange, RecordedReply } from '../fakes/recorded-exchange.ts'
import type {
  AnalysisAnswer,
  AnalysisRequest,
  EmbeddingAnswer,
  EmbeddingRequest,
  ImageAnswer,
  ImageRequest,
  Provider,
  TextAnswer,
  TextRequest,
} from '@fairlead/core/provider'
import type { Capability } from './capability-requests.ts'

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
    readonly text?: Partial<TextRequest> & WithPrompt
    readonly image?: Partial<ImageRequest>
    readonly analysis?: Partial<AnalysisRequest>
    readonly embedding?: Partial<EmbeddingRequest>
  }
  /** Required of a provider that calls an HTTP API: one replay for each of its methods. */
  readonly replay?: {
    readonly text?: Replay<TextRequest & WithPrompt, TextAnswer>
    /** Its answer is the text of all events together. */
    readonly stream?: Replay<TextRequest & WithPrompt, TextAnswer>
    readonly image?: Replay<ImageRequest, ImageAnswer>
    readonly analysis?: Replay<AnalysisRequest, AnalysisAnswer>
    /** Has several texts. */
    readonly embedding?: Replay<EmbeddingRequest, EmbeddingAnswer>
  }
  /**
   * One replay for each capability that a listed model has: `chat` needs `chat`, `system`, `refusal`, `cachedTokens` and
   * `stopSequence`, `vision` needs `image` and `file`, `urls` needs `imageUrl`, `tools` needs `tool`, `parallelTools`,
   * `toolResult` and `forcedTool`, `structured` needs `jsonSchema`, and `reasoning` needs `reasoning` and `reasoningOff`.
   * A provider with `webSearch` needs `webSearch`.
   * The capabilities of models that are fetched from the upstream are not known: a provider that gives one replay needs
   * all.
   */
  readonly capabilities?: { readonly [Name in Capability]?: CapabilityReplay }
  /** The name of the exchange that gets a token with the API key, such as `token request`. Default: each request has the key. */
  readonly secretIn?: string
  /** Leaves out the tests that take many calls or some time, while you write a provider. Default: false. */
  readonly quick?: boolean
  /** Titles of tests that can't apply, without "the provider", each with the reason. */
  readonly skip?: Readonly<Record<string, string>>
}

/** The short form of a single message of the user. */
interface WithPrompt {
  readonly prompt?: string
}

export interface Replay<Request, Answer> {
  /** The request; core's defaults fill in what is missing. */
  readonly request: Partial<Request> & { readonly model?: string }
  /** The provider's request and the API's reply. */
  readonly exchange?: RecordedExchange
  /**
   * In place of `exchange`: all exchanges of a call in their order, such as a job that is started and asked for. The one
   * with `main` has the reply that the suite varies. Default: the last.
   */
  readonly exchanges?: readonly RecordedExchange[]
  /** The answer that the provider returns, in part or in full. */
  readonly answer: Partial<Answer>
  /**
   * The reply of the API when the response reaches `maxTokens`. Default: the recorded reply with a usual word for it,
   * such as `length` or `max_tokens`, in the place of one of its texts.
   */
  readonly cutOff?: RecordedReply
  /**
   * The reply of the API when it fails after it has accepted the request: in the middle of a stream, or of a job. Default
   * for a stream: the recorded reply with `{ error: { message } }` in its middle.
   */
  readonly failing?: RecordedReply
}

/** The replies of the API for a capability, whole and as a stream: both with the same answer. */
export interface CapabilityReplay {
  /** Fields that differ from the suite's request, `capabilityRequests`: a `model` that has the capability. */
  readonly request?: Partial<TextRequest>
  /** Required if the provider has `generateText`. */
  readonly text?: RecordedExchange | readonly RecordedExchange[]
  /** Required if the provider has `streamText`. */
  readonly stream?: RecordedExchange | readonly RecordedExchange[]
  /** The answer, with all of its parts. Required unless the call fails. */
  readonly answer?: Partial<TextAnswer>
  /** For a refusal to which the API replies with an error or without an answer. */
  readonly failure?: 'content_refused'
}

export const suiteKinds = ['text', 'stream', 'image', 'analysis', 'embedding'] as const
export type SuiteKind = (typeof suiteKinds)[number]

export const methodOf = {
  text: 'generateText',
  stream: 'streamText',
  image: 'generateImage',
  analysis: 'analyze',
  embedding: 'embed',
} as const satisfies Readonly<Record<SuiteKind, keyof Provider>>
