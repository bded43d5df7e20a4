import { Link } from '@tanstack/react-router'
import type { components } from '../../api/schema.d.ts'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { formatMs, formatNumber } from '../../format.ts'

type ProviderTarget = components['schemas']['ProviderTarget']
type Failure = NonNullable<ProviderTarget['last_failure']>

export const failureLabels: Readonly<Record<Failure, string>> = {
  retry: 'temporary error',
  rate_limited: 'rate limited',
  timeout: 'timeout',
  credential: 'credential rejected',
  invalid_request: 'request rejected',
  too_long: 'prompt too long',
  content_refused: 'content refused',
  give_up: 'permanent error',
  defect: 'bug in the provider plugin',
}

export interface TargetTableProps {
  readonly provider: string
  readonly targets: readonly ProviderTarget[]
}

export function TargetTable({ provider, targets }: TargetTableProps) {
  return (
    <DataTable
      label={`Models of ${provider} that were called`}
      columns={columns}
      rows={targets}
      rowKey={({ model }) => model}
      empty={
        <p className="p-4 text-sm text-muted">
          No model was called since the service started. Try one in the playground.
        </p>
      }
    />
  )
}

const circuitLabels = { closed: 'Closed', open: 'Open', 'half-open': 'Half open' } as const
const circuitTones = { closed: 'success', open: 'danger', 'half-open': 'warning' } as const satisfies Record<
  string,
  BadgeTone
>

const columns: readonly Column<ProviderTarget>[] = [
  {
    id: 'model',
    header: 'Model',
    sortValue: ({ model }) => model,
    cell: ({ model }) => (
      <Link to="/requests" search={{ model }} className="rounded-sm font-medium hover:text-accent-strong">
        {model}
      </Link>
    ),
  },
  {
    id: 'circuit',
    header: 'Circuit',
    cell: ({ circuit, rest_ms }) => (
      <span className="flex items-center gap-2">
        <Badge tone={circuitTones[circuit]}>{circuitLabels[circuit]}</Badge>
        {rest_ms !== undefined && <span className="tabular text-xs text-muted">next call in {formatMs(rest_ms)}</span>}
      </span>
    ),
  },
  {
    id: 'in flight',
    header: 'In flight',
    align: 'end',
    from: 'sm',
    sortValue: (target) => target.in_flight,
    cell: (target) => formatNumber(target.in_flight),
  },
  {
    id: 'queued',
    header: 'Queued',
    align: 'end',
    from: 'md',
    sortValue: ({ queued }) => queued,
    cell: ({ queued }) => formatNumber(queued),
  },
  {
    id: 'whole',
    header: 'Latency',
    align: 'end',
    from: 'sm',
    sortValue: ({ latency_ms }) => latency_ms.whole,
    cell: ({ latency_ms }) => latency(latency_ms.whole),
  },
  {
    id: 'first token',
    header: 'First token',
    sortValue: ({ latency_ms }) => latency_ms.stream,
    align: 'end',
    from: 'md',
    cell: ({ latency_ms }) => latency(latency_ms.stream),
  },
  {
    id: 'failures',
    header: 'Failures',
    align: 'end',
    sortValue: ({ failures }) => failures,
    cell: ({ failures }) => formatNumber(failures),
  },
  {
    id: 'last failure',
    header: 'Last failure',
    from: 'lg',
    cell: ({ last_failure }) => (
      <span className="text-muted">{last_failure === undefined ? '–' : failureLabels[last_failure]}</span>
    ),
  },
]

function latency(ms: number | undefined): string {
  return ms === undefined ? '–' : formatMs(ms)
}
