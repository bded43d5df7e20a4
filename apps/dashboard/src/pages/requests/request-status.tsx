import type { components } from '../../api/schema.d.ts'
import { Badge, type BadgeTone } from '../../components/badge.tsx'

type ApiRequest = components['schemas']['ApiRequest']

const labels: Readonly<Record<string, string>> = { ok: 'OK', partial: 'Partial', aborted: 'Aborted' }
const tones: Readonly<Record<string, BadgeTone>> = { ok: 'success', partial: 'warning', aborted: 'warning' }

/** The error codes with which a request can fail. */
export const failureCodes = [
  'CONTENT_REFUSED',
  'INVALID_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'QUOTA_EXCEEDED',
  'RATE_LIMIT_EXCEEDED',
  'BUDGET_EXCEEDED',
  'PROVIDER_ERROR',
  'PROVIDER_TIMEOUT',
  'PROVIDER_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
] as const

export interface RequestStatusProps {
  readonly request: ApiRequest
  /** Whether a rejected request is marked as such. Default: false. */
  readonly isMarked?: boolean | undefined
}

export function RequestStatus({ request, isMarked = false }: RequestStatusProps) {
  const { status } = request
  return (
    <span className="inline-flex items-center gap-x-2 @max-[900px]:flex-col @max-[900px]:items-start">
      <Badge tone={tones[status] ?? (isRejected(request) ? 'neutral' : 'danger')}>{labels[status] ?? status}</Badge>
      {isMarked && isRejected(request) && <span className="text-xs text-subtle">Rejected, not charged</span>}
    </span>
  )
}

/** Whether it failed before a provider was called. */
export function isRejected({ status, charged, provider }: ApiRequest): boolean {
  return status !== 'ok' && status !== 'aborted' && !charged && provider === null
}

/** Explains a status that is neither `ok` nor an error code. */
export function statusNote(status: string): string | undefined {
  switch (status) {
    case 'ok':
      return undefined
    case 'partial':
      return 'The stream failed or was closed after its first chunk. Such a request uses a unit of the quota.'
    case 'aborted':
      return 'The client closed the request. It uses a unit of the quota if a provider was already called.'
    default:
      return undefined
  }
}
