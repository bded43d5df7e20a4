import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { responseViolations } from './response-violations.ts'
import { captureResponse } from './capture-response.ts'

export interface WatchOptions {
  /** Paths whose responses are not in the document. Default: none. */
  readonly isUndocumented?: (pathname: string) => boolean
}

export interface WatchedResponses {
  /** How responses so far differ from the document. */
  readonly violations: readonly string[]
  stop(): void
}

interface StartedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: Server
}

const requestStart = 'http.server.request.start'

/** Compares every response of this process's server on a port with the committed OpenAPI document. */
export function watchResponses(port: number, { isUndocumented = () => false }: WatchOptions = {}): WatchedResponses {
  const violations: string[] = []
  const watch = (message: unknown) => {
    const { request, response, server } = message as StartedRequest
    const address = server.address()
    if (typeof address !== 'object' || address?.port !== port) return
    captureResponse(request, response, (captured) => {
      if (isUndocumented(captured.pathname)) return
      const { method, pathname, status } = captured
      const found = responseViolations(captured)
      violations.push(...found.map((violation) => `${method} ${pathname} returned ${status}: ${violation}`))
    })
  }
  subscribe(requestStart, watch)
  return { violations, stop: () => void unsubscribe(requestStart, watch) }
}
