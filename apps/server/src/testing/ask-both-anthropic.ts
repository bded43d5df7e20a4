import Anthropic from '@anthropic-ai/sdk'
import { openTestUpstream, type RecordedReply, replaying } from '@fairlead/testing'
import { anthropic } from '@fairlead/provider-anthropic'
import { onTestFinished } from 'vitest'
import { serveApp } from './serve-app.ts'

/**
 * The answer that the official client got, or the error that it threw, and the requests that reached Anthropic for it.
 */
export interface Asked {
  readonly outcome: unknown
  readonly sent: unknown
  readonly betas: unknown
  /** The fields that Fairlead reports as left out. */
  readonly warnings: string
}

const apiKey = 'sk-ant-canary'

/** A server that replays Anthropic, and the service with it as its only provider. */
async function serveAnthropic(reply: RecordedReply, allow: readonly string[]) {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  upstream.answer(replaying(reply))
  const provider = anthropic({ baseUrl: upstream.url, apiKey, models: 'catalog', allow })
  const app = await serveApp({ core: { providers: [provider], retries: { perTarget: 0 } } })
  return {
    upstream,
    direct: { baseURL: upstream.url, apiKey },
    through: { baseURL: `${app.url}/anthropic`, apiKey: app.caller.token },
  }
}

/** Has the official client do the same twice: directly with the server that replays Anthropic, and with Fairlead between. */
export async function askBothAnthropic(
  reply: RecordedReply,
  ask: (client: Anthropic) => Promise<unknown>,
  allow: readonly string[] = [],
) {
  const { upstream, direct, through } = await serveAnthropic(reply, allow)
  const asked = async (connection: { readonly baseURL: string; readonly apiKey: string }): Promise<Asked> => {
    const before = upstream.requests.length
    let warnings = ''
    const client = new Anthropic({
      ...connection,
      maxRetries: 0,
      async fetch(url, init) {
        const response = await fetch(url, init)
        warnings = response.headers.get('x-fairlead-warnings') ?? ''
        return response
      },
    })
    const outcome = await ask(client).catch(toComparable)
    const [request] = upstream.requests.slice(before)
    return { outcome, sent: request?.body, betas: request?.headers['anthropic-beta'], warnings }
  }
  const answers = { direct: await asked(direct), through: await asked(through) }
  return { ...answers, headers: upstream.requests.map(({ headers }) => headers) }
}

/** The properties of an error that programs branch on. */
function toComparable(error: unknown): unknown {
  const { constructor, status, type } = error as Readonly<Record<string, unknown>>
  return { error: (constructor as { readonly name: string }).name, status, type }
}
