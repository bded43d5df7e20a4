import {
  collectAnswer,
  type ProviderCall,
  type TextAnswer,
  type TextEvent,
  type TextRequest,
} from '@fairlead/core/provider'
import { fitTools, type HttpClient, type JsonPost, type StreamPost } from '@fairlead/provider-toolkit'
import { chatChunk, chatReply, chunksOf, fromChatReply } from './chat-reply.ts'
import { type RequestSettings, toChatRequest, type WireRequest } from './chat-request.ts'
import { endOfChunks, readChunks } from './chat-stream.ts'
import { chunksOfCompletion, completionChunk, completionReply, toCompletionRequest } from './completions.ts'
import type { Reading } from './finish.ts'
import type { OwnDialect } from './native.ts'
import { fromResponsesReply, responsesReply } from './responses-reply.ts'
import { toResponsesRequest } from './responses-request.ts'
import { endsResponse, eventsOfResponse, responseEvent } from './responses-events.ts'
import { readResponseEvents } from './responses-stream.ts'

/** One of the APIs for texts that a server has. */
export interface TextApi {
  generate(call: TextCall): Promise<TextAnswer>
  stream(call: TextCall): AsyncIterable<TextEvent>
}

export interface TextCall extends Omit<RequestSettings, keyof ApiContext> {
  readonly request: TextRequest
  readonly signal: AbortSignal
  /** The API of OpenAI that the client speaks. */
  readonly client: OwnDialect | undefined
  readonly warn: ProviderCall['warn'] | undefined
}

/** The parts of a provider that its APIs share. */
export interface ApiContext extends Pick<RequestSettings, 'dialect' | 'optionsOf'> {
  /** The provider's id. */
  readonly id: string
  readonly http: HttpClient
}

interface ApiForm<Reply, Event> {
  readonly path: string
  readonly name: OwnDialect
  readonly toWire: (request: TextRequest, settings: RequestSettings) => WireRequest
  readonly schema: JsonPost<Reply>['schema']
  readonly fromReply: (reply: Reply, reading: Reading) => TextAnswer
  /** Fields of the body that ask for a stream. */
  readonly streaming: Readonly<Record<string, unknown>>
  readonly events: Pick<StreamPost<Event>, 'schema' | 'endMark' | 'atEndMark' | 'isLast' | 'ping' | 'eventsOf'>
  readonly fromEvents: (events: AsyncIterable<Event>, reading: Reading) => AsyncIterable<TextEvent>
}

/** What the streams of both kinds of completions share. The ping stands for a comment, such as OpenRouter's `: OPENROUTER PROCESSING`. */
const chunkStream = { endMark: '[DONE]', atEndMark: endOfChunks, ping: { choices: [] } }

/** The API that every server has. */
export function chatCompletions(context: ApiContext): TextApi {
  return textApi(context, {
    path: '/chat/completions',
    name: 'openai-chat',
    toWire: toChatRequest,
    schema: chatReply,
    fromReply: fromChatReply,
    streaming: { stream: true, ...askUsageOf(context) },
    events: { ...chunkStream, schema: chatChunk, eventsOf: chunksOf },
    fromEvents: readChunks,
  })
}

/** The API that predates chat completions. */
export function completions(context: ApiContext): TextApi {
  return textApi(context, {
    path: '/completions',
    name: 'openai-completions',
    toWire: toCompletionRequest,
    schema: completionReply,
    fromReply: fromChatReply,
    streaming: { stream: true, ...askUsageOf(context) },
    events: { ...chunkStream, schema: completionChunk, eventsOf: chunksOfCompletion },
    fromEvents: readChunks,
  })
}

function askUsageOf({ dialect }: ApiContext) {
  return dialect.askStreamUsage === false ? {} : { stream_options: { include_usage: true } }
}

/** The Responses API, which takes tools from models that reason, and their reasoning in the next request. */
export function responses(context: ApiContext): TextApi {
  return textApi(context, {
    path: '/responses',
    name: 'openai-responses',
    toWire: toResponsesRequest,
    schema: responsesReply,
    fromReply: fromResponsesReply,
    streaming: { stream: true },
    events: { schema: responseEvent, isLast: endsResponse, ping: { type: 'comment' }, eventsOf: eventsOfResponse },
    fromEvents: readResponseEvents,
  })
}

function textApi<Reply, Event>(
  { id: provider, http, dialect, optionsOf }: ApiContext,
  { path, name, toWire, schema, fromReply, streaming, events, fromEvents }: ApiForm<Reply, Event>,
): TextApi {
  const { toolNameLength = 64, toolCallIdLength: idLength } = dialect
  const prepare = ({ request: given, client, ...settings }: TextCall) => {
    // The tools of a client of the API are sent as it wrote them.
    const { request, names } = fitTools(given, { nameLength: client ? undefined : toolNameLength, idLength })
    const { body, warnings } = toWire(request, { ...settings, dialect, optionsOf })
    const native = client === name ? name : undefined
    return { body, reading: { provider, warnings, tier: body['service_tier'], native, toolNames: names } }
  }
  return {
    generate(call) {
      const { body, reading } = prepare(call)
      const post = { path, body, schema, signal: call.signal, quota: call.request.model }
      const collect = (sent: AsyncIterable<Event>) => collectAnswer(fromEvents(sent, reading))
      return http.postJson(post, (reply) => fromReply(reply, reading), { ...events, collect })
    },
    stream(call) {
      const { body, reading } = prepare(call)
      call.warn?.(reading.warnings)
      const post = { path, body: { ...body, ...streaming }, ...events, signal: call.signal, quota: call.request.model }
      return http.postForEvents(post, (chunks) => fromEvents(chunks, reading))
    },
  }
}
