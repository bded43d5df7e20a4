import type { RequestListener, ServerResponse } from 'node:http'
import type { FairleadCore } from '@fairlead/core/adapter'
import { type Page, type PageDescription, requestTarget } from '@fairlead/rest-adapter'

/** `degraded`: records can be read but not written. */
export type ReadinessStatus = 'ready' | 'degraded' | 'not ready'

/** Whether requests should be sent here. */
export interface Readiness {
  check(): Promise<ReadinessStatus>
  drain(): void
}

export interface ReadinessOptions {
  /** How long a read or a write may take, in milliseconds. Default: 2,000. */
  readonly timeoutMs?: number
  /** Milliseconds from any instant on. Default: `performance.now`. */
  readonly now?: () => number
}

/** How long the outcome of a write is reused, in milliseconds, however often `/readyz` is requested. */
const writeIntervalMs = 1_000

export function createReadiness(
  core: Pick<FairleadCore, 'check' | 'checkWrites'>,
  { timeoutMs = 2_000, now = () => performance.now() }: ReadinessOptions = {},
): Readiness {
  let draining = false
  let lastWrite: { readonly at: number; readonly succeeds: Promise<boolean> } | undefined

  async function succeedsInTime(work: Promise<void>): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(resolve, timeoutMs, false).unref()
    work.then(
      () => resolve(true),
      () => resolve(false),
    )
    return promise.finally(() => clearTimeout(timer))
  }

  function canWrite(): Promise<boolean> {
    if (!lastWrite || now() - lastWrite.at >= writeIntervalMs) {
      lastWrite = { at: now(), succeeds: succeedsInTime(core.checkWrites()) }
    }
    return lastWrite.succeeds
  }

  return {
    drain() {
      draining = true
    },
    async check() {
      if (draining || !(await succeedsInTime(core.check()))) return 'not ready'
      return (await canWrite()) ? 'ready' : 'degraded'
    },
  }
}

/** `/healthz` says that the process is alive, `/readyz` that requests should be sent to it. */
export function probes(readiness: Readiness): readonly Page[] {
  const statusResponse = (status: ReadinessStatus | 'ok') => ({
    status: status === 'ok' || status === 'ready' ? 200 : 503,
    headers: statusHeaders,
    body: JSON.stringify({ status }),
  })
  return [
    {
      path: '/healthz',
      description: {
        operationId: 'healthz',
        exempt: true,
        summary: 'Returns 200 while the process is alive.',
        description: 'Needs no credential. Free of charge.',
        responses: { 200: describeStatus('The process is alive.', 'ok') },
      },
      respond: () => statusResponse('ok'),
    },
    {
      path: '/readyz',
      description: {
        operationId: 'readyz',
        exempt: true,
        summary: 'Returns 200 while the server accepts requests.',
        description: 'Needs no credential. Free of charge.',
        responses: {
          200: describeStatus('The server accepts requests.', 'ready'),
          503: describeStatus(
            'The server is starting or stopping, or the database is unavailable (`not ready`), or records can be read but not written, as on a full disk (`degraded`).',
            'not ready',
            'degraded',
          ),
        },
      },
      respond: async () => statusResponse(await readiness.check()),
    },
  ]
}

/** Serves while the service starts: answers the probes, and holds other requests back until the app is ready. */
export function startupBuffer() {
  const { promise, resolve } = Promise.withResolvers<RequestListener>()
  const listener: RequestListener = (request, response) => {
    const { pathname } = requestTarget(request.url ?? '/')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && pathname === '/healthz') sendStatus(response, 200, 'ok')
    else if (isRead && pathname === '/readyz') sendStatus(response, 503, 'not ready')
    else void promise.then((app) => app(request, response))
  }
  /** `open` passes the held requests to the listener of the app. */
  return { listener, open: resolve }
}

function sendStatus(response: ServerResponse, code: 200 | 503, status: ReadinessStatus | 'ok'): void {
  response.writeHead(code, statusHeaders).end(JSON.stringify({ status }))
}

const statusHeaders = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

function describeStatus(description: string, ...words: readonly string[]): PageDescription['responses'][string] {
  const status = { type: 'string', enum: words, description: 'Status.' } as const
  const schema = { type: 'object', required: ['status'], properties: { status } } as const
  return { description, content: { 'application/json': { schema } } }
}
