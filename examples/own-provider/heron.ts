import {
  type ImageModel,
  lastPrompt,
  type Provider,
  ProviderError,
  type TextEvent,
  textModel,
  type TextRequest,
} from '@fairlead/core/provider'
import {
  type Authorize,
  createHttpClient,
  type HttpClient,
  type HttpProviderOptions,
  unsupportedFields,
  type UpstreamError,
} from '@fairlead/provider-toolkit'
import * as z from 'zod'

// Heron is a vendor that does not exist. It streams texts as lines of JSON, draws images as jobs, and wants a token with each
// request, which it gives for the API key.

const grant = z.object({ access_token: z.string().min(1), expires_in: z.number() })
const line = z.union([
  z.object({ piece: z.string() }),
  z.object({ end: z.enum(['done', 'limit']), tokens: z.object({ read: z.int(), written: z.int() }) }),
])
const job = z.object({ id: z.string().min(1) })
const drawing = z.discriminatedUnion('state', [
  z.object({ state: z.literal('drawing') }),
  z.object({ state: z.literal('failed'), reason: z.string() }),
  z.object({ state: z.literal('drawn'), png: z.base64().min(1) }),
])
const failure = z.object({ error: z.object({ message: z.string() }) })

const reed = textModel('reed', { maxTokens: 2_048, pricing: { input: 0.1, output: 0.4 } })
const lake: ImageModel = {
  id: 'lake',
  type: 'image',
  name: 'Lake',
  description: 'Draws with ink.',
  maxTokens: 1_000,
  sizes: ['512x512'],
  pricing: { input: 0, output: 0.02 },
}

/** An image of 32 MiB, the most that Fairlead takes, in base64. */
const maxImageBytes = 45 * 1024 * 1024

export interface HeronOptions extends HttpProviderOptions {
  /** The time before it asks for a drawing again, in milliseconds. Default: 500. */
  readonly everyMs?: number
}

export function heron({ baseUrl = 'https://api.heron.example', everyMs = 500, ...options }: HeronOptions): Provider {
  const explainError = ({ body }: UpstreamError) => failure.safeParse(body).data?.error
  const accounts = createHttpClient({ ...options, id: 'heron', baseUrl, apiKey: undefined })
  const http = createHttpClient({ ...options, id: 'heron', baseUrl, explainError, authorize: withTokens(accounts) })
  return {
    contract: 2,
    id: 'heron',
    models: [reed, lake],
    streamText(request, { signal }) {
      const { model, maxTokens, temperature, topP, stop, providerOptions } = request
      const settings = { limit: maxTokens, heat: temperature, share: topP, until: stop, ...providerOptions?.['heron'] }
      const post = { path: '/write', body: { model, prompt: lastPrompt(request), ...settings }, schema: line, signal }
      return http.postForLines(post, (lines) => toEvents(request, lines))
    },
    async generateImage({ model, prompt, width, height, ...request }, { signal }) {
      const { postJson, poll } = http.withOneKey()
      const body = { model, prompt, wide: width, high: height }
      const { id } = await postJson({ path: '/drawings', body, schema: job, signal })
      const ask = { path: `/drawings/${encodeURIComponent(id)}`, schema: drawing, maxBytes: maxImageBytes, signal }
      const until = ({ state }: z.output<typeof drawing>) => state !== 'drawing'
      return poll({ ...ask, everyMs, until }, (ended) => {
        if (ended.state !== 'drawn') throw new ProviderError('retry', 'the drawing failed', { mayBill: false })
        const warnings = unsupportedFields(request, ['quality', 'style', 'seed'])
        return { png: Buffer.from(ended.png, 'base64'), warnings }
      })
    },
    async close() {
      await Promise.all([http.close(), accounts.close()])
    },
  }
}

/** Keeps the token of each key until a minute before it ends, or until Heron rejects it. */
function withTokens(accounts: HttpClient): Authorize {
  const tokens = new Map<string, { readonly headers: { readonly authorization: string }; readonly until: number }>()
  const renew = async (apiKey: string, signal: AbortSignal) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_secret: apiKey })
    const { access_token, expires_in } = await accounts.postJson({ path: '/token', body, schema: grant, signal })
    const headers = { authorization: `Bearer ${access_token}` }
    tokens.set(apiKey, { headers, until: Date.now() + (expires_in - 60) * 1_000 })
    return headers
  }
  return ({ apiKey = '', rejected, signal }) => {
    const token = tokens.get(apiKey)
    return token && !rejected && token.until > Date.now() ? token.headers : renew(apiKey, signal)
  }
}

async function* toEvents(
  request: TextRequest,
  lines: AsyncIterable<z.output<typeof line>>,
): AsyncGenerator<TextEvent, void, undefined> {
  yield { type: 'part_start', index: 0, part: { type: 'text', text: '' } }
  for await (const sent of lines) {
    if ('piece' in sent) {
      yield { type: 'part_delta', index: 0, text: sent.piece }
      continue
    }
    yield { type: 'part_end', index: 0 }
    const usage = { promptTokens: sent.tokens.read, completionTokens: sent.tokens.written }
    const finishReason = sent.end === 'limit' ? 'length' : 'stop'
    yield { type: 'finish', finishReason, usage, warnings: unsupportedFields(request, ignored) }
  }
}

const ignored = ['frequencyPenalty', 'presencePenalty', 'seed', 'responseFormat'] as const
