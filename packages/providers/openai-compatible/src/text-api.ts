import {
  collectAnswer,
  type OptionGuard,
  type Provider,
  type ProviderCall,
  type TextAnswer,
  type TextEvent,
  type TextRequest,
} from '@fairlead/core/provider'
import { fitTools, type HttpClient, type JsonPost, type StreamPost, type ToolLimits } from '@fairlead/provider-toolkit'
import { chatChunk, chatReply, toChunks, fromChatReply } from './chat-reply.ts'
import { toChatRequest, type WireRequest } from './chat-request.ts'
import { endOfChunks, readChunks } from './chat-stream.ts'
import { chunksOfCompletion, completionChunk, completionReply, toCompletionRequest } from './completions.ts'
import type { ServerDialect, Options, RequestSettings } from './dialect.ts'
import type { Reading } from './finish.ts'
import { chooseEffort, type OpenaiEffort, type ModelRule, findRule } from './model-rules.ts'
import { type OwnDialect, ownForm, saysMoreInChat } from './native.ts'
import { checkedEvents, type OllamaApi, withWarnings } from './ollama.ts'
import { fromResponsesReply, responsesReply } from './responses-reply.ts'
import { toResponsesRequest } from './responses-request.ts'
import { endsResponse, splitResponse, responseEvent } from './responses-events.ts'
import { readResponseEvents } from './responses-stream.ts'

export interface TextSettings extends Pick<RequestSettings, 'dialect' | 'optionsOf'> {
  /** The provider's id. */
  readonly id: string
  readonly http: HttpClient
  /** The configured effort. */
  readonly effort: OpenaiEffort | undefined
  /** The rules of fetched models, by their ids. */
  readonly rules: ReadonlyMap<string, ModelRule>
  readonly guard: OptionGuard
  /** Ollama's own API, if the server has it. */
  readonly ollama: OllamaApi | undefined
}

/** The methods of a provider that generate texts, each with one of the server's APIs. */
export function textMethods(settings: TextSettings): Required<Pick<Provider, 'generateText' | 'streamText'>> {
  const { dialect, optionsOf, effort, rules, guard, ollama } = settings
  const chat = new TextApi(chatCompletions(dialect), settings)
  const legacy = new TextApi(completions(dialect), settings)
  const responsesApi = dialect.responses ? new TextApi(responses, settings) : undefined

  /** The API for a request, and what it needs to know of the model. */
  function callFor(given: TextRequest, { signal, warn }: ProviderCall) {
    const { request, warnings: leftOut } = guard(given)
    const rule = rules.get(request.model) ?? findRule(dialect.reasoning, request.model)
    const chosen = chooseEffort(rule, effort, request.reasoning?.effort)
    const client = request.native && ownForm(request)?.dialect
    const call: TextCall = { request, dialect, optionsOf, rule, chosen, leftOut, signal, warn, client }
    if (client === 'openai-completions') return { api: legacy, call }
    return { api: responsesApi && prefersResponses(call) ? responsesApi : chat, call }
  }

  return {
    async generateText(request, providerCall) {
      const { api, call } = callFor(request, providerCall)
      const check = ollama && (await ollama.checkPrompt(request, call.signal))
      const answer = await api.generate(call)
      return check ? withWarnings(answer, await check(answer.usage?.promptTokens)) : answer
    },
    streamText(request, providerCall) {
      const { api, call } = callFor(request, providerCall)
      return ollama ? checkedEvents(() => api.stream(call), ollama.checkPrompt(request, call.signal)) : api.stream(call)
    },
  }
}

interface TextCall extends RequestSettings {
  readonly request: TextRequest
  readonly signal: AbortSignal
  /** The API of OpenAI that the client speaks. */
  readonly client: OwnDialect | undefined
  readonly warn: ProviderCall['warn'] | undefined
}

/** A client gets the API that it speaks, if the model has it. For others, models that reason have the Responses API. */
function prefersResponses({ client, chosen, rule, request, optionsOf }: TextCall): boolean {
  if (request.webSearch || hasFileUrl(request) || hasHostedTools(optionsOf(request))) return true
  if (client === undefined) return chosen.isReasoning
  if (client === 'openai-responses') return true
  // OpenAI decides itself about what the other API cannot say.
  if (saysMoreInChat(request)) return false
  if (rule.needsResponses === 'always') return true
  return rule.needsResponses === 'withTools' && chosen.isReasoning && (request.tools?.length ?? 0) > 0
}

/** Chat completions know only functions. */
function hasHostedTools({ tools }: Options = {}): boolean {
  return Array.isArray(tools) && tools.length > 0
}

/** Chat completions take the bytes of a file, and no address. */
function hasFileUrl({ messages }: TextRequest): boolean {
  return messages.some(({ content }) =>
    content.some((part) => {
      const parts = part.type === 'tool_result' ? part.content : [part]
      return parts.some((each) => each.type === 'file' && each.source.kind === 'url')
    }),
  )
}

/** The form of requests, replies, and streams in one API. */
interface ApiForm<Reply, Event> {
  readonly path: string
  readonly name: OwnDialect
  readonly toWire: (request: TextRequest, settings: RequestSettings) => WireRequest
  readonly schema: JsonPost<Reply>['schema']
  readonly fromReply: (reply: Reply, reading: Reading) => TextAnswer
  /** Fields of the body that ask for a stream. */
  readonly streaming: Options
  readonly events: Pick<StreamPost<Event>, 'schema' | 'endMark' | 'atEndMark' | 'isLast' | 'ping' | 'eventsOf'>
  readonly fromEvents: (events: AsyncIterable<Event>, reading: Reading) => AsyncIterable<TextEvent>
}

/** One of the APIs for texts that a server has. */
class TextApi<Reply, Event> {
  readonly #form: ApiForm<Reply, Event>
  readonly #id: string
  readonly #http: HttpClient
  readonly #limits: ToolLimits
  /** The tools of a client of the API are sent as it wrote them. */
  readonly #clientLimits: ToolLimits

  constructor(form: ApiForm<Reply, Event>, { id, http, dialect }: TextSettings) {
    const { toolNameLength: nameLength = 64, toolCallIdLength: idLength } = dialect
    this.#form = form
    this.#id = id
    this.#http = http
    this.#limits = { nameLength, idLength }
    this.#clientLimits = { idLength }
  }

  generate(call: TextCall): Promise<TextAnswer> {
    const { path, schema, events, fromReply, fromEvents } = this.#form
    const { body, reading } = this.#prepare(call)
    const post = { path, body, schema, signal: call.signal, quota: call.request.model }
    const collect = (sent: AsyncIterable<Event>) => collectAnswer(fromEvents(sent, reading))
    return this.#http.postJson(post, (reply) => fromReply(reply, reading), { ...events, collect })
  }

  stream(call: TextCall): AsyncIterable<TextEvent> {
    const { path, streaming, events, fromEvents } = this.#form
    const { body, reading } = this.#prepare(call)
    call.warn?.(reading.warnings)
    Object.assign(body, streaming)
    const post = { path, body, ...events, signal: call.signal, quota: call.request.model }
    return this.#http.postForEvents(post, (chunks) => fromEvents(chunks, reading))
  }

  #prepare(call: TextCall): { readonly body: WireRequest['body']; readonly reading: Reading } {
    const { name, toWire } = this.#form
    const { client } = call
    const { request, names } = fitTools(call.request, client ? this.#clientLimits : this.#limits)
    const { body, warnings } = toWire(request, call)
    const native = client === name ? name : undefined
    return { body, reading: { provider: this.#id, warnings, tier: body['service_tier'], native, toolNames: names } }
  }
}

/**
 * The settings that the streams of both kinds of completions share. The ping stands for a comment, such as OpenRouter's
 * `: OPENROUTER PROCESSING`.
 */
const chunkStream = { endMark: '[DONE]', atEndMark: endOfChunks, ping: { choices: [] } }

function askForChunks({ askStreamUsage = true }: ServerDialect): Options {
  return { stream: true, ...(askStreamUsage && { stream_options: { include_usage: true } }) }
}

/** The API that every server has. */
function chatCompletions(dialect: ServerDialect) {
  return {
    path: '/chat/completions',
    name: 'openai-chat',
    toWire: toChatRequest,
    schema: chatReply,
    fromReply: fromChatReply,
    streaming: askForChunks(dialect),
    events: { ...chunkStream, schema: chatChunk, eventsOf: toChunks },
    fromEvents: readChunks,
  } as const
}

/** The API that predates chat completions. */
function completions(dialect: ServerDialect) {
  return {
    path: '/completions',
    name: 'openai-completions',
    toWire: toCompletionRequest,
    schema: completionReply,
    fromReply: fromChatReply,
    streaming: askForChunks(dialect),
    events: { ...chunkStream, schema: completionChunk, eventsOf: chunksOfCompletion },
    fromEvents: readChunks,
  } as const
}

/** The Responses API, which takes tools from models that reason, and their reasoning in the next request. */
const responses = {
  path: '/responses',
  name: 'openai-responses',
  toWire: toResponsesRequest,
  schema: responsesReply,
  fromReply: fromResponsesReply,
  streaming: { stream: true },
  events: { schema: responseEvent, isLast: endsResponse, ping: { type: 'comment' }, eventsOf: splitResponse },
  fromEvents: readResponseEvents,
} as const
