import type { RequestListener, ServerResponse } from 'node:http'
import { FairleadError } from '@fairlead/core'
import type { FairleadCore } from '@fairlead/core/adapter'
import { notStarted, type Page, type PageDescription, requestTarget } from '@fairlead/rest-adapter'

/** `degraded`: records can be read but not written. */
export type ReadinessStatus = 'ready' | 'degraded' | 'not ready'

/** Why requests should not be sent here, where that is known. */
interface ReadinessReport {
  readonly status: ReadinessStatus
  readonly reason?: string | undefined
}

/** Whether requests should be sent here. */
export interface Readiness {
  check(): Promise<ReadinessReport>
  drain(): void
}

export interface ReadinessOptions {
  /** How long a read or a write may take, in milliseconds. Default: 2,000. */
  readonly timeoutMs?: number
  /** Milliseconds from any instant on. Default: `performance.now`. */
  readonly now?: () => number
  /** Resolves to the reason if this node must not serve, whatever its stores do. */
  readonly refusal?: () => Promise<string | undefined>
}

/** How long the outcome of a write is reused, in milliseconds, however often `/readyz` is requested. */
const writeIntervalMs = 1_000

const ready: ReadinessReport = { status: 'ready' }

export function createReadiness(
  core: Pick<FairleadCore, 'check' | 'checkWrites'>,
  { timeoutMs = 2_000, now = () => performance.now(), refusal }: ReadinessOptions = {},
): Readiness {
  let draining = false
  let lastWrite: { readonly at: number; readonly report: Promise<ReadinessReport> } | undefined

  /** The report of the work, or the status `failed` if it rejects or takes too long. */
  async function inTime(failed: ReadinessStatus, work: Promise<ReadinessReport>): Promise<ReadinessReport> {
    const { promise, resolve } = Promise.withResolvers<ReadinessReport>()
    const timer = setTimeout(() => resolve({ status: failed }), timeoutMs)
    timer.unref()
    work.then(resolve, (error: unknown) => {
      resolve({ status: failed, ...(error instanceof FairleadError && { reason: error.message }) })
    })
    return promise.finally(() => clearTimeout(timer))
  }

  async function read(): Promise<ReadinessReport> {
    const [reason] = await Promise.all([refusal?.(), core.check()])
    return reason === undefined ? ready : { status: 'not ready', reason }
  }

  async function write(): Promise<ReadinessReport> {
    await core.checkWrites()
    return ready
  }

  function lastWriteReport(): Promise<ReadinessReport> {
    if (!lastWrite || now() - lastWrite.at >= writeIntervalMs) {
      lastWrite = { at: now(), report: inTime('degraded', write()) }
    }
    return lastWrite.report
  }

  return {
    drain() {
      draining = true
    },
    async check() {
      if (draining) return { status: 'not ready' }
      const report = await inTime('not ready', read())
      return report.status === 'ready' ? lastWriteReport() : report
    },
  }
}

/** `/healthz` says that the process is alive, `/readyz` that requests should be sent to it. */
export function probes(readiness: Readiness): readonly Page[] {
  const statusResponse = (report: ReadinessReport | { readonly status: 'ok' }) => ({
    status: report.status === 'ok' || report.status === 'ready' ? 200 : 503,
    headers: statusHeaders,
    body: JSON.stringify(report),
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
      respond: () => statusResponse({ status: 'ok' }),
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
            'The server is starting or stopping, or the database is unavailable, or the node has other images than the other nodes (`not ready`), or records can be read but not written, as on a full disk (`degraded`).',
            'not ready',
            'degraded',
          ),
        },
      },
      respond: async () => statusResponse(await readiness.check()),
    },
  ]
}

/**
 * Serves while the service starts: answers the probes, and holds other requests back until the app is ready. While the start
 * waits for the database, which may take long, it rejects them.
 */
export function startupBuffer() {
  const { promise, resolve } = Promise.withResolvers<RequestListener>()
  let waiting: string | undefined
  const listener: RequestListener = (request, response) => {
    const { pathname } = requestTarget(request.url ?? '/')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && pathname === '/healthz') sendStatus(response, 200, 'ok')
    else if (isRead && pathname === '/readyz') sendStatus(response, 503, 'not ready', waiting)
    else if (waiting !== undefined) sendNotStarted(response, waiting)
    else void promise.then((app) => app(request, response))
  }
  return {
    listener,
    /** The service cannot start before something else does. @param reason a sentence; undefined once it can */
    wait(reason: string | undefined): void {
      waiting = reason
    },
    /** Passes the held requests to the listener of the app. */
    open: resolve,
  }
}

function sendStatus(response: ServerResponse, code: 200 | 503, status: ReadinessStatus | 'ok', reason?: string): void {
  response.writeHead(code, statusHeaders).end(JSON.stringify({ status, reason }))
}

function sendNotStarted(response: ServerResponse, reason: string): void {
  const { status, headers, body } = notStarted(reason)
  response.writeHead(status, headers).end(body)
}

const statusHeaders = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

function describeStatus(description: string, ...words: readonly string[]): PageDescription['responses'][string] {
  const status = { type: 'string', enum: words, description: 'Status.' } as const
  const reason = { type: 'string', description: 'The reason for the failure, if it is known.' } as const
  const isFailure = words.includes('not ready')
  const schema = {
    type: 'object',
    required: ['status'],
    properties: { status, ...(isFailure && { reason }) },
  } as const
  return { description, content: { 'application/json': { schema } } }
}
