import { Link } from '@tanstack/react-router'
import type { components } from '../../api/schema.d.ts'
import type { Column } from '../../components/data-table.tsx'
import { formatDateTime, formatMs, formatNumber, formatTime, formatUsd } from '../../format.ts'
import { RequestStatus } from './request-status.tsx'

type ApiRequest = components['schemas']['ApiRequest']

/** @param showsUsers whether several users sent the requests */
export function requestColumns(showsUsers: boolean): readonly Column<ApiRequest>[] {
  return [
    {
      id: 'time',
      header: 'Time',
      cell: ({ id, operation, model, created_at }) => (
        <Link
          to="/requests/$requestId"
          params={{ requestId: id }}
          search={true}
          resetScroll={false}
          title={formatDateTime(created_at)}
          onClick={(event) => event.stopPropagation()}
          className="tabular relative block rounded-sm py-1.5 text-left hover:text-accent-strong sm:py-0"
        >
          {formatTime(created_at)}{' '}
          <span className="block max-w-28 truncate text-left text-xs text-muted sm:sr-only">
            {model === null ? operation : `${model} · ${operation}`}
          </span>
        </Link>
      ),
    },
    { id: 'status', header: 'Status', cell: (request) => <RequestStatus request={request} isMarked /> },
    {
      id: 'operation',
      header: 'Operation',
      from: 'sm',
      cell: ({ operation }) => <span className="font-mono text-xs">{operation}</span>,
    },
    {
      id: 'model',
      header: 'Model',
      from: 'sm',
      cell: ({ model }) => <span className={model === null ? 'text-subtle' : 'font-medium'}>{model ?? '–'}</span>,
    },
    ...(showsUsers ? [userColumn] : []),
    {
      id: 'key',
      header: 'Key',
      from: 'lg',
      cell: ({ key_id, key_name }) => (
        <span className="block max-w-40 truncate text-muted">
          {key_id === null ? 'Session' : named(key_name, key_id)}
        </span>
      ),
    },
    {
      id: 'tokens',
      header: 'Tokens',
      align: 'end',
      from: 'md',
      cell: ({ total_tokens }) => (total_tokens === 0 ? <None /> : formatNumber(total_tokens)),
    },
    {
      id: 'cost',
      header: 'Cost',
      align: 'end',
      from: 'md',
      cell: ({ cost_usd, total_tokens }) => (cost_usd === 0 && total_tokens === 0 ? <None /> : formatUsd(cost_usd)),
    },
    { id: 'duration', header: 'Duration', align: 'end', cell: ({ duration_ms }) => formatMs(duration_ms) },
  ]
}

const userColumn: Column<ApiRequest> = {
  id: 'user',
  header: 'User',
  from: 'md',
  cell: ({ user_id, user_name }) => <span className="block max-w-40 truncate">{named(user_name, user_id)}</span>,
}

/** A user or a key that was deleted has no name. */
function named(name: string | null, id: string): string {
  return name ?? `…${id.slice(-6)}`
}

function None() {
  return <span className="text-subtle">–</span>
}
