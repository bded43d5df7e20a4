import {
  type Issue,
  type Message,
  ProviderError,
  type TextAnswer,
  type TextEvent,
  type TextRequest,
} from '@fairlead/core/provider'
import { createHttpClient, type HttpClient, type HttpClientOptions } from '@fairlead/provider-toolkit'
import * as z from 'zod'
import { explainError } from './explain-error.ts'
import { countIn } from './sent-values.ts'

/** Warns if Ollama seems to have cut the prompt, judging by the prompt tokens that it counted. */
export type PromptCheck = (promptTokens: number | undefined) => Promise<readonly Issue[]>

const count = z.int().min(1)
const showReply = z.object({
  parameters: z.string().nullish().catch(undefined),
  capabilities: z.array(z.string()).nullish().catch(undefined),
  // Its names begin with the architecture: `nomic-bert.embedding_length`.
  model_info: z.record(z.string(), z.unknown()).nullish().catch(undefined),
})
const runningModels = z.object({
  models: z.array(z.object({ name: z.string(), context_length: count.optional().catch(undefined) })),
})

/** Ollama's smallest default context. A token has at least one byte, so a shorter prompt always fits. */
const smallestContext = 2_048
/** More than text has in any language, but for long runs of one character. */
const maxBytesPerToken = 8
/** More than text usually has: a prompt with fewer tokens was probably cut. */
const usualBytesPerToken = 5.5

const fits: PromptCheck = async () => []

/** Facts about models that Ollama's own API reports and its OpenAI-compatible API does not. */
export class OllamaApi {
  readonly #http: HttpClient

  /** @param options of the provider; its `baseUrl` ends with `/v1` */
  constructor(options: HttpClientOptions) {
    this.#http = createHttpClient({ ...options, baseUrl: options.baseUrl.replace(/\/v1\/*$/, ''), explainError })
  }

  async describe(model: string, signal: AbortSignal) {
    const shown = this.#http.postJson({ path: '/api/show', body: { model }, schema: showReply, signal })
    const [{ parameters, capabilities, model_info }, running] = await Promise.all([
      shown,
      orUndefined(this.#runningContext(model, signal), signal),
    ])
    const configured = Number(/^num_ctx\s+(\d+)/m.exec(parameters ?? '')?.[1] ?? NaN)
    const sizes = Object.entries(model_info ?? {}).filter(([name]) => name.endsWith('.embedding_length'))
    return {
      /** In tokens. Undefined where the server chooses it when it loads the model. */
      contextSize: running ?? (configured > 0 ? configured : undefined),
      /** `completion`, `thinking`, `embedding`, and others; undefined where the server is too old to say. */
      capabilities: capabilities ?? undefined,
      /** The length of the model's vectors. */
      embeddingSize: sizes.map(([, size]) => countIn(size)).find((size) => size !== undefined),
    }
  }

  /**
   * Finds out whether a prompt fits into the context. Ollama cuts a prompt that doesn't, and answers as if it had read it.
   *
   * @throws ProviderError if the prompt is certainly too long
   */
  async checkPrompt({ model, messages }: TextRequest, signal: AbortSignal): Promise<PromptCheck> {
    const bytes = textBytes(messages)
    if (bytes < smallestContext) return fits
    const size = (await orUndefined(this.describe(model, signal), signal))?.contextSize
    if (size !== undefined && bytes > size * maxBytesPerToken) throw tooLong(model, size)
    return async (promptTokens) => {
      const context = size ?? (await orUndefined(this.#runningContext(model, signal), signal))
      return wasCut(bytes, promptTokens, context) ? [cutWarning(context)] : []
    }
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  async #runningContext(model: string, signal: AbortSignal): Promise<number | undefined> {
    const { models } = await this.#http.getJson({ path: '/api/ps', schema: runningModels, signal })
    return models.find(({ name }) => name === model || name === `${model}:latest`)?.context_length
  }
}

/** The size of all texts. An image has no text that could be cut. */
function textBytes(messages: TextRequest['messages']): number {
  const parts = messages.flatMap(({ content }): readonly Message['content'][number][] => content)
  const texts = parts.flatMap((part) => {
    if (part.type === 'tool_call') return [part.inputText]
    const inner = part.type === 'tool_result' ? part.content : [part]
    return inner.map((each) => (each.type === 'text' ? each.text : ''))
  })
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

/** A cut prompt fills the context, or, in newer versions, half of it. */
function wasCut(bytes: number, promptTokens: number | undefined, context: number | undefined): boolean {
  if (promptTokens === undefined) return context !== undefined && bytes > context * usualBytesPerToken
  if (context !== undefined && promptTokens > context) return false
  if (context !== undefined && promptTokens >= context - 1) return true
  const isHalfFull = promptTokens >= (context ?? smallestContext) / 2 - 1
  return isHalfFull && bytes > promptTokens * usualBytesPerToken
}

const advice = 'Set a larger num_ctx for the model, or OLLAMA_CONTEXT_LENGTH for the server.'

function tooLong(model: string, contextSize: number): ProviderError {
  const detail = `is longer than the context of ${contextSize} tokens that Ollama gives this model. ${advice}`
  return new ProviderError('too_long', `the prompt is longer than the context of "${model}"`, {
    field: 'messages',
    detail,
  })
}

function cutWarning(context: number | undefined): Issue {
  const size = context === undefined ? 'the context' : `the context of ${context} tokens`
  return { field: 'messages', issue: `is probably longer than ${size}, and Ollama cut it. ${advice}` }
}

/** A server or proxy without these endpoints still serves the request. */
async function orUndefined<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  try {
    return await value
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}

/** The same response with further warnings, if there are any. */
export function withWarnings<Finish extends Pick<TextAnswer, 'warnings'>>(
  finish: Finish,
  more: readonly Issue[],
): Finish {
  return more.length === 0 ? finish : { ...finish, warnings: [...(finish.warnings ?? []), ...more] }
}

/** The same events, with the warnings of a check in the last. */
export async function* checkedEvents(
  open: () => AsyncIterable<TextEvent>,
  checking: Promise<PromptCheck>,
): AsyncGenerator<TextEvent, void, undefined> {
  const check = await checking
  for await (const event of open()) {
    yield event.type === 'finish' ? withWarnings(event, await check(event.usage?.promptTokens)) : event
  }
}
