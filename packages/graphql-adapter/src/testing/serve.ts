import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AccessLogRecord } from '@fairlead/core'
import { eventsIn, fakePainter, reader, scripted, testCore, type TestCore } from '@fairlead/testing'
import { onTestFinished } from 'vitest'
import { graphqlListener, type GraphqlListenerOptions } from '../graphql-adapter.ts'

type CoreOptions = NonNullable<Parameters<typeof testCore>[0]>

export interface ServeOptions extends Omit<GraphqlListenerOptions, 'clock' | 'addressOf'> {
  readonly providers?: CoreOptions['providers']
  readonly rateLimits?: CoreOptions['rateLimits']
}

/** A service on its own port, which closes when the test ends. */
export interface Served extends TestCore {
  readonly url: string
  readonly accessLog: readonly AccessLogRecord[]
  /** Sends a document with the caller's credentials. */
  ask(query: string | undefined, variables?: object, options?: AskOptions): Promise<Reply>
  /** Sends a request with the caller's credentials. */
  send(request: RequestInit & { readonly search?: string }): Promise<Reply>
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Parameters beside query and variables. */
  readonly params?: object
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of all shapes
  readonly json: any
}

const everything = [
  scripted('calm', 'hello there'),
  fakePainter('brush'),
  reader('reader', { sentiment: { score: 0.5, label: 'positive' } }),
]

export async function serve({ providers = everything, rateLimits, ...options }: ServeOptions = {}): Promise<Served> {
  const accessLog: AccessLogRecord[] = []
  const observer = { requestEnded: (record: AccessLogRecord) => void accessLog.push(record) }
  const world = await testCore({ providers, rateLimits, observer, sendAddressMail: async () => {} })
  const server = createServer(graphqlListener(world.core, { ...options, clock: world.clock }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`
  const authorization = `Bearer ${world.caller.token}`
  const send: Served['send'] = async ({ search = '', headers, ...request }) =>
    toReply(await fetch(url + search, { ...request, headers: { authorization, ...(headers as object) } }))
  const ask: Served['ask'] = (query, variables, { headers, params } = {}) =>
    send({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables, ...params }),
    })
  return { ...world, url, accessLog, ask, send }
}

async function toReply(response: Response): Promise<Reply> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('content-type')?.includes('json') === true
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** The results of a subscription over server-sent events. */
export function resultsIn({ text }: Pick<Reply, 'text'>): readonly unknown[] {
  return eventsIn(text).flatMap(({ event, data }) => (event === 'next' ? [data] : []))
}
