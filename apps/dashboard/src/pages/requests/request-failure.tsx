import type { components } from '../../api/schema.d.ts'
import { Badge } from '../../components/badge.tsx'
import { formatMs } from '../../format.ts'
import { isRejected } from './request-status.tsx'

type ApiRequest = components['schemas']['ApiRequest']

/** Why a request failed, as its client was told. Nothing for a success. */
export function RequestFailure({ request }: { readonly request: ApiRequest }) {
  const { error_message: message, upstream_status: status, provider } = request
  if (message === null) return null
  return (
    <div className="rounded-lg border border-line bg-sunken p-3 text-sm">
      <p className="break-words">{message}</p>
      {isRejected(request) && <p className="mt-1 text-xs text-muted">Rejected, not charged</p>}
      {status !== null && (
        <p className="mt-1 text-xs text-muted">
          {provider ?? 'The provider'} answered with HTTP status {status}.
        </p>
      )}
    </div>
  )
}

const outcomes: Readonly<Record<string, string>> = {
  ok: 'OK',
  canceled: 'Canceled',
  retry: 'Temporary failure',
  rate_limited: 'Rate limited',
  timeout: 'Timeout',
  credential: 'Credential rejected',
  invalid_request: 'Request rejected',
  too_long: 'Too long',
  content_refused: 'Content refused',
  give_up: 'Failed',
  defect: 'Unexpected error',
}

/** The calls to providers in order, each with its duration. */
export function AttemptList({ attempts }: { readonly attempts: ApiRequest['attempts'] }) {
  return (
    <ol className="divide-y divide-line rounded-lg border border-line text-sm">
      {attempts.map(({ provider, model, outcome, upstream_status: status, duration_ms }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the attempts of a request never change
        <li key={index} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <span className="min-w-0 flex-1 basis-40 truncate font-medium">
            {provider}/{model}
          </span>
          <Badge tone={outcome === 'ok' ? 'success' : outcome === 'canceled' ? 'warning' : 'danger'}>
            {outcomes[outcome] ?? outcome}
          </Badge>
          {status !== null && <span className="tabular text-muted">HTTP {status}</span>}
          <span className="tabular ml-auto text-muted">{formatMs(duration_ms)}</span>
        </li>
      ))}
    </ol>
  )
}
