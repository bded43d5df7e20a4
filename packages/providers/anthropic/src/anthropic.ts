import {
  allowsTool,
  collectAnswer,
  type Model,
  optionGuard,
  type Provider,
  requireOptions,
  type TextRequest,
  type UnknownFields,
} from '@fairlead/core/provider'
import {
  createHttpClient,
  findEntry,
  httpOptionNames,
  type HttpProviderOptions,
  type ModelChoice,
  offeredModels,
  requireApiKey,
} from '@fairlead/provider-toolkit'
import type { ZodType } from 'zod'
import { explainError } from './explain-error.ts'
import { fromEvents, fromWire } from './from-wire.ts'
import { assumedModel, cautiousMaxTokens, fetchModels } from './fetch-models.ts'
import type { AnthropicEffort } from './model-rules.ts'
import { optionRules } from './option-rules.ts'
import { defaultVersion } from './own-options.ts'
import { toCountBody, toWire, type ToWireSettings } from './to-wire.ts'
import { splitReply, messageReply, modelList, streamEvent, type StreamEvent, tokenCount } from './wire.ts'

const path = '/v1/messages'
const dialects = ['anthropic'] as const
const ping = { type: 'other', value: { type: 'ping' } } as const
const isStop = ({ type }: StreamEvent) => type === 'message_stop'
const form = { schema: streamEvent, isLast: isStop, ping, eventsOf: splitReply }

export interface AnthropicOptions extends HttpProviderOptions, ModelChoice {
  /** Default: `https://api.anthropic.com`. Without `/v1`. */
  readonly baseUrl?: string | undefined
  /** The name before the slash in `provider/model`. Default: `anthropic`. */
  readonly id?: string | undefined
  /**
   * How much models think before they answer, if the request sets no `reasoning`. Thinking tokens count in `maxTokens` and
   * in the price. Default: the minimum of each model, which for some is none.
   */
  readonly effort?: AnthropicEffort | undefined
  /** Fields and hosted tools of the API that cost more, and that callers may use: `speed`, `web_search`. Default: none. */
  readonly allow?: readonly string[] | undefined
  /** Whether fields of the API that Fairlead does not know reach it, or are a 400. Default: `forward`. */
  readonly unknownFields?: UnknownFields | undefined
}

const example = "anthropic({ apiKey: '…' })"
const optionNames: readonly (keyof AnthropicOptions)[] = [
  ...httpOptionNames,
  'id',
  'models',
  'effort',
  'allow',
  'unknownFields',
]

/**
 * Claude, through Anthropic's Messages API.
 *
 * @throws TypeError that names the invalid option
 */
export function anthropic(options: AnthropicOptions): Provider {
  requireOptions(options, optionNames, example)
  requireApiKey(options, example)
  const { id = 'anthropic', baseUrl = 'https://api.anthropic.com', effort, allow, unknownFields, ...http } = options
  const client = createHttpClient({
    ...http,
    id,
    baseUrl,
    headers: { 'anthropic-version': defaultVersion, ...http.headers },
    apiKeyHeader: 'x-api-key',
    explainError,
  })
  let fetched: readonly Model[] = []
  const offered = offeredModels(options, {
    known: 'anthropic',
    async fetchModels({ signal }, known) {
      fetched = await fetchModels(client, known, signal)
      return fetched
    },
    assume: assumedModel,
  })
  const settings: ToWireSettings = {
    id,
    effort,
    headers: http.headers,
    maxTokensOf(model) {
      const models = offered.models()
      const listed = (typeof models === 'function' ? fetched : models).find((each) => each.id === model)
      return (listed ?? findEntry('anthropic', model)?.model)?.maxTokens ?? cautiousMaxTokens
    },
  }
  const guard = optionGuard({ id, rules: optionRules, allow, dialects, unknownFields })
  const postOf = <Reply>(given: TextRequest, signal: AbortSignal, schema: ZodType<Reply>) => {
    const { request, warnings: leftOut } = guard(given)
    const { body, headers, warnings } = toWire(request, settings)
    const post = { path, body, headers, schema, signal, quota: request.model }
    return { post, reading: { id, body, warnings: [...warnings, ...leftOut] } }
  }
  return {
    contract: 2,
    id,
    dialects,
    webSearch: allowsTool(allow, 'web_search'),
    readOn: options.readOn,
    get models() {
      return offered.models()
    },
    get knownModels() {
      return offered.knownModels()
    },
    ...(offered.findModel && { findModel: offered.findModel }),
    async generateText(request, { signal }) {
      const { post, reading } = postOf(request, signal, messageReply)
      const collect = (events: AsyncIterable<StreamEvent>) => collectAnswer(fromEvents(events, reading))
      return client.postJson(post, (reply) => fromWire(reply, reading), { ...form, collect })
    },
    streamText(request, { signal, warn }) {
      const { post, reading } = postOf(request, signal, streamEvent)
      warn?.(reading.warnings)
      const streamed = { ...post, ...form, body: { ...post.body, stream: true } }
      return client.postForEvents(streamed, (events) => fromEvents(events, reading))
    },
    async countTokens(request, { signal }) {
      const { post } = postOf(request, signal, tokenCount)
      const body = toCountBody(post.body, request.native !== undefined)
      const { input_tokens: promptTokens } = await client.postJson({ ...post, path: `${path}/count_tokens`, body })
      return { promptTokens }
    },
    async health({ signal }) {
      await client.getJson({ path: '/v1/models?limit=1', schema: modelList, signal })
    },
    close: () => client.close(),
  }
}
