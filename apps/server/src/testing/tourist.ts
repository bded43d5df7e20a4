/** A request to an operation, and its response. */
export interface Stop {
  readonly request?: unknown
  readonly response?: unknown
  /** The same response as server-sent events. */
  readonly events?: string
}

export interface Visit {
  readonly body?: unknown
  /** Default: the API key of the tour. */
  readonly token?: string
}

/** Calls operations and records an exchange for each. */
export interface Tourist {
  readonly stops: Readonly<Record<string, Stop>>
  /** Calls an operation, which must succeed, and returns its data. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a tour reads bodies of any shape
  visit(operationId: string, method: string, path: string, visit?: Visit): Promise<any>
  /** Calls a subscription, and records its first event. */
  follow(operationId: string, path: string): Promise<void>
  /** Repeats the recorded call of an operation as a stream. */
  listen(operationId: string, path: string, body: object): Promise<void>
}

/** @param beforeChange runs before each request that is not a `GET` */
export function tourist(url: string, ownToken: string, beforeChange: () => void): Tourist {
  const stops: Record<string, Stop> = {}

  async function ask(operationId: string, method: string, path: string, { body, token = ownToken }: Visit) {
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
    stops,
    async visit(operationId, method, path, visit = {}) {
      const answer = await ask(operationId, method, path, visit)
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      // The document cannot contain itself as an example.
      const response = isJson && path !== '/openapi.json' ? JSON.parse(text) : undefined
      stops[operationId] = {
        ...(visit.body !== undefined && { request: visit.body }),
        ...(response !== undefined && { response }),
      }
      return response?.data
    },
    async listen(operationId, path, body) {
      const response = await ask(operationId, 'POST', path, { body: { ...body, stream: true } })
      stops[operationId] = { ...stops[operationId], events: await response.text() }
    },
    async follow(operationId, path) {
      const { body } = await ask(operationId, 'GET', path, {})
      let text = ''
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk
        if (text.includes('\n\n')) break
      }
      stops[operationId] = { events: text }
    },
  }
}
