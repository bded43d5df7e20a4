import { isDeepStrictEqual } from 'node:util'
import { openTestUpstream, type RecordedExchange, replaying, type TestUpstream } from '@fairlead/testing'

/** A foreign API that says what it once said. */
export type ReplayServer = Omit<TestUpstream, 'answer'>

/**
 * Answers each request as the exchange of the same method, path and body; the same request again gets the next such
 * exchange, and the last one from then on. What was never recorded is answered with 501.
 */
export async function openReplay(exchanges: readonly RecordedExchange[]): Promise<ReplayServer> {
  const upstream = await openTestUpstream()
  const served = new Set<RecordedExchange>()
  upstream.answer((response, received) => {
    const known = exchanges.filter(({ request }) => isSame(request, received))
    const exchange = known.find((candidate) => !served.has(candidate)) ?? known.at(-1)
    if (!exchange) {
      const recorded = exchanges.map(({ request }) => `${request.method} ${request.path}`)
      const message = `no exchange of ${received.method} ${received.path} with this body; recorded are: ${recorded.join(', ')}`
      return replaying({ status: 501, json: { error: { message } } })(response, received)
    }
    served.add(exchange)
    return replaying(exchange.reply)(response, received)
  })
  const { answer: _answer, ...server } = upstream
  return server
}

function isSame(
  recorded: RecordedExchange['request'],
  received: { method: string; path: string; body: unknown },
): boolean {
  const { method, path, body = '' } = recorded
  return method === received.method && path === received.path && isDeepStrictEqual(body, received.body)
}
