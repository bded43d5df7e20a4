import { fakeImageModel, openTestUpstream, replaying, fakeTextModel } from '@fairlead/testing'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import { onTestFinished } from 'vitest'
import { canonicalRequest } from './canonical-request.ts'
import type { Replay } from './openai-replays.ts'
import { serveApp } from './serve-app.ts'

/** The facts about a service that a client of OpenAI needs. */
export interface Connection {
  readonly baseURL: string
  readonly apiKey: string
}

/** The answer that a client got, or the error that it threw, and the requests that reached OpenAI. */
export interface Asked {
  readonly outcome: unknown
  readonly requests: readonly { readonly path: string; readonly body: unknown }[]
}

const apiKey = 'sk-canary-5d6e7f8a9b'
const able = { streaming: true, chat: true, tools: true, vision: true, urls: true, structured: true } as const

/** The models that the recorded requests name, and one that does not reason. */
const models = [
  fakeTextModel({ ...able, id: 'gpt-4.1-mini', maxTokens: 32_768 }),
  fakeTextModel({ ...able, id: 'gpt-5.4-mini', maxTokens: 128_000, reasoning: true }),
  fakeTextModel({ ...able, id: 'gpt-6.1-sol', maxTokens: 128_000, reasoning: true }),
  fakeTextModel({ id: 'text-embedding-3-small', embedding: { dimensions: 2 } }),
  fakeImageModel({ id: 'gpt-image-1.5' }),
]

/** A server that replays OpenAI, and the service with it as its only provider. */
export async function serveOpenai(replay: Replay) {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  upstream.answer((response, request) => replaying(replay(request))(response, request))
  const baseURL = `${upstream.url}/v1`
  const dialect = { responses: true, urls: true }
  const provider = openaiCompatible({ preset: 'openai', baseUrl: baseURL, apiKey, models, dialect })
  const app = await serveApp({ core: { providers: [provider] } })
  return {
    upstream,
    openai: { baseURL, apiKey },
    fairlead: { baseURL: `${app.url}/openai/v1`, apiKey: app.caller.token },
  }
}

/** Has a client do the same twice: directly with the server that replays OpenAI, and with Fairlead in front of it. */
export async function askBoth(replay: Replay, ask: (connection: Connection) => Promise<unknown>) {
  const { upstream, openai, fairlead } = await serveOpenai(replay)
  const asked = async (connection: Connection): Promise<Asked> => {
    const before = upstream.requests.length
    const outcome = await ask(connection).catch(toComparable)
    const sent = upstream.requests.slice(before)
    return { outcome, requests: sent.map(({ path, body }) => ({ path, body: canonicalRequest(body) })) }
  }
  return { openai: await asked(openai), fairlead: await asked(fairlead) }
}

/**
 * The properties of an error that programs branch on. A failure of the server has the same ones, whatever its status.
 */
function toComparable(error: unknown): unknown {
  const { constructor, status, statusCode = status, data } = error as Fields
  const { code, param, type } = ((data as Fields | undefined)?.['error'] ?? error) as Fields
  const name = (constructor as { readonly name: string }).name
  return { error: name, status: Number(statusCode) >= 500 ? '5xx' : statusCode, code, param, type }
}

type Fields = Readonly<Record<string, unknown>>
