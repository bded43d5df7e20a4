import { createIds, systemClock } from '@fairlead/core'
import type { PageAnswer } from './pages.ts'
import { failureBody } from './wire-envelope.ts'

const newId = createIds(systemClock.now)

interface Fault {
  readonly status: number
  readonly message: string
}

/** What Node reports of requests that are not malformed, by its code. */
const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
}
const malformed: Fault = { status: 400, message: 'The request is not HTTP/1.1 as it can be read here.' }

/** The answer to what Node's HTTP server can't read (its event `clientError`): in the form of every other failure. */
export function unreadableRequest({ code = '' }: Error & { readonly code?: string }): Required<PageAnswer> {
  const { status, message } = faults[code] ?? malformed
  const requestId = newId('req')
  const body = JSON.stringify(
    failureBody({
      success: false,
      error: { code: 'INVALID_REQUEST', message, details: { field: null, issue: null, issues: [] } },
      meta: { requestId, timestamp: new Date(systemClock.now()).toISOString() },
    }),
  )
  const headers = {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  return { status, headers, body }
}
