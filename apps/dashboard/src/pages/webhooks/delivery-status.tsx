import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { formatMs } from '../../format.ts'
import type { Delivery } from './webhook.ts'

const badges = {
  pending: { tone: 'warning', label: 'Pending' },
  delivered: { tone: 'success', label: 'Delivered' },
  failed: { tone: 'danger', label: 'Failed' },
} as const satisfies Record<Delivery['status'], { readonly tone: BadgeTone; readonly label: string }>

export function DeliveryStatus({ status }: Pick<Delivery, 'status'>) {
  const { tone, label } = badges[status]
  return <Badge tone={tone}>{label}</Badge>
}

type Attempt = Delivery['attempts'][number]

export function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300
}

const failures: Readonly<Record<string, string>> = {
  timeout: 'Time-out',
  dns: 'Unknown host',
  connect: 'No connection',
  tls: 'TLS failure',
  reset: 'Connection closed',
  invalid_response: 'Invalid response',
  blocked: 'Blocked address',
  secret: 'No signature',
}

/** `HTTP 503 in 87 ms`, or `No connection after 2 ms`. */
export function attemptResult({ status, error, duration_ms }: Attempt): string {
  const time = formatMs(duration_ms)
  return status === null ? `${failures[error ?? ''] ?? 'No response'} after ${time}` : `HTTP ${status} in ${time}`
}

const causes: Readonly<Record<string, string>> = {
  timeout: 'No complete response within 15 seconds.',
  dns: 'The host name did not resolve.',
  connect: 'No connection to the receiver.',
  tls: 'No secure connection, for example because the certificate has expired.',
  reset: 'The connection was closed before the response was complete.',
  invalid_response: 'The response is not HTTP.',
  blocked: 'The host name now resolves to an address that webhooks may not use.',
  secret: 'The service could not decrypt the secret of the webhook. Rotate the secret.',
}

/** Why an attempt failed. Undefined for one that succeeded. */
export function explainAttempt(attempt: Attempt): string | undefined {
  const { status, error } = attempt
  if (isSuccess(attempt)) return undefined
  if (status === null) return causes[error ?? ''] ?? 'There was no response.'
  if (status >= 300 && status < 400) return 'Redirects are not followed. Change the URL of the webhook.'
  return status === 410 ? 'The receiver is gone, so the webhook was disabled.' : 'Only 2xx means delivered.'
}
