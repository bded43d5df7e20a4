/** A request to an operation, and its response. */
export interface RecordedExchange {
  readonly request?: unknown
  readonly response?: unknown
  /** The same response as server-sent events. */
  readonly events?: string
}

export interface CallOptions {
  readonly body?: unknown
  /** Default: the API key of the client. */
  readonly token?: string
}

/** Calls operations and records an exchange for each. */
export interface RecordingClient {
  readonly exchanges: Readonly<Record<string, RecordedExchange>>
  /** Calls an operation, which must succeed, and returns its data. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the client reads bodies of any shape
  call(operationId: string, method: string, path: string, options?: CallOptions): Promise<any>
  /** Calls a subscription, and records its first event. */
  follow(operationId: string, path: string): Promise<void>
  /** Repeats the recorded call of an operation as a stream. */
  listen(operationId: string, path: string, body: object): Promise<void>
}

/** @param beforeChange runs before each request that is not a `GET` */
export function createRecordingClient(url: string, ownToken: string, beforeChange: () => void): RecordingClient {
  const exchanges: Record<string, RecordedExchange> = {}

  async function ask(operationId: string, method: string, path: string, { body, token = ownToken }: CallOptions) {
    if (method !== 'GET') beforeChange()
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${operationId} returned ${response.status}: ${await response.text()}`)
    return response
  }

  return {
    exchanges,
    async call(operationId, method, path, options = {}) {
      const answer = await ask(operationId, method, path, options)
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      // The document cannot contain itself as an example.
      const response = isJson && path !== '/openapi.json' ? JSON.parse(text) : undefined
      exchanges[operationId] = {
        ...(options.body !== undefined && { request: options.body }),
        ...(response !== undefined && { response }),
      }
      return response?.data
    },
    async listen(operationId, path, body) {
      const response = await ask(operationId, 'POST', path, { body: { ...body, stream: true } })
      exchanges[operationId] = { ...exchanges[operationId], events: await response.text() }
    },
    async follow(operationId, path) {
      const { body } = await ask(operationId, 'GET', path, {})
      let text = ''
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        if (text.includes('\n\n')) break
      }
      exchanges[operationId] = { events: text }
    },
  }
}
