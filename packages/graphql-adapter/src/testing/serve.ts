import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { painter, reader, scripted, testCore, type TestCore } from '@fairlead/core/testing'
import { onTestFinished } from 'vitest'
import { type GraphqlAnswer, graphqlListener, type GraphqlListenerOptions } from '../graphql-listener.ts'

type CoreOptions = NonNullable<Parameters<typeof testCore>[0]>

export interface ServeOptions extends Omit<GraphqlListenerOptions, 'clock' | 'onAnswer' | 'addressOf'> {
  readonly providers?: CoreOptions['providers']
  readonly rateLimits?: CoreOptions['rateLimits']
}

/** A service on a port of its own, gone when the test ends. */
export interface Served extends TestCore {
  readonly url: string
  /** What the request log heard so far. */
  readonly answers: readonly GraphqlAnswer[]
  /** Asks as the test's caller. */
  ask(query: string | undefined, variables?: object, options?: AskOptions): Promise<Reply>
  /** Sends a request as it is given, as the test's caller. */
  send(request: RequestInit & { readonly search?: string }): Promise<Reply>
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Beside query and variables. */
  readonly params?: object
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads into bodies of all shapes
  readonly json: any
}

const everything = [
  scripted('calm', 'hello there'),
  painter('brush'),
  reader('reader', { sentiment: { score: 0.5, label: 'positive' } }),
]

export async function serve({ providers = everything, rateLimits, ...options }: ServeOptions = {}): Promise<Served> {
  const house = await testCore({ providers, rateLimits })
  const answers: GraphqlAnswer[] = []
  const server = createServer(
    graphqlListener(house.core, { ...options, clock: house.clock, onAnswer: (answer) => answers.push(answer) }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  const authorization = `Bearer ${house.caller.token}`
  const send: Served['send'] = async ({ search = '', headers, ...request }) =>
    toReply(await fetch(url + search, { ...request, headers: { authorization, ...(headers as object) } }))
  const ask: Served['ask'] = (query, variables, { headers, params } = {}) =>
    send({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables, ...params }),
    })
  return { ...house, url, answers, ask, send }
}

async function toReply(response: Response): Promise<Reply> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('content-type')?.includes('json') === true
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** What was said in a stream of server-sent events. */
export function eventsIn({ text }: Pick<Reply, 'text'>): readonly unknown[] {
  return [...text.matchAll(/^event: next\ndata: (.+)$/gm)].map(([, data = '']) => JSON.parse(data))
}
