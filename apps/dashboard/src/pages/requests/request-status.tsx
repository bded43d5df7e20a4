import { Badge, type BadgeTone } from '../../components/badge.tsx'

const labels: Readonly<Record<string, string>> = { ok: 'OK', partial: 'Partial', aborted: 'Aborted' }
const tones: Readonly<Record<string, BadgeTone>> = { ok: 'success', partial: 'warning', aborted: 'warning' }

/** The error codes by which a request can fail once its quota was checked. */
export const failureCodes = [
  'CONTENT_REFUSED',
  'INVALID_REQUEST',
  'NOT_FOUND',
  'CONFLICT',
  'PROVIDER_ERROR',
  'PROVIDER_TIMEOUT',
  'PROVIDER_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
] as const

export function RequestStatus({ status }: { readonly status: string }) {
  return <Badge tone={tones[status] ?? 'danger'}>{labels[status] ?? status}</Badge>
}

/** Explains a status other than `ok`. */
export function statusNote(status: string): string | undefined {
  switch (status) {
    case 'ok':
      return undefined
    case 'partial':
      return 'The stream failed or was closed after its first chunk. Such a request uses a unit of the quota.'
    case 'aborted':
      return 'The client closed the request. It uses a unit of the quota if a provider was already called.'
    default:
      return 'The response contained the message of this error. The log of the service has its cause under the request id.'
  }
}
