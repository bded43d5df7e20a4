import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { CopyableText } from '../../components/copyable-text.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatDateTime, formatMs, formatNumber, formatTime, formatUsd } from '../../format.ts'
import { RequestStatus, statusNote } from './request-status.tsx'

type ApiRequest = components['schemas']['ApiRequest']

export interface RequestSheetProps {
  readonly id: string
  /** The name of a key, if it is the signed-in user’s. */
  keyName(id: string): string | undefined
  onClose(): void
}

/** All facts about a request. */
export function RequestSheet({ id, keyName, onClose }: RequestSheetProps) {
  const query = api.useQuery('get', '/requests/{id}', { params: { path: { id } } })
  const request = query.data?.data
  const note = request && statusNote(request.status)
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={request?.operation ?? 'Request'}
      description={request && formatDateTime(request.created_at)}
    >
      {query.error ? <ErrorPanel error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.isPending && <Skeleton className="h-60 w-full" />}
      {request && (
        <>
          {note && <p className="rounded-lg border border-line bg-sunken p-3 text-sm text-muted">{note}</p>}
          <Section title="Request">
            <FactList facts={requestFacts(request, keyName)} />
          </Section>
          <Section title="Model call">
            <FactList facts={modelFacts(request)} />
          </Section>
        </>
      )}
    </Sheet>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="border-t border-line pt-4 first:border-0 first:pt-0">
      <h3 className="mb-3 text-sm font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function requestFacts(request: ApiRequest, keyName: RequestSheetProps['keyName']) {
  return [
    { label: 'Request id', value: <CopyableText text={request.request_id} label="request id" />, wide: true },
    { label: 'Status', value: <RequestStatus status={request.status} /> },
    { label: 'Quota', value: request.charged ? 'One unit' : 'Free of charge' },
    { label: 'Began', value: <span className="tabular">{formatTime(request.created_at)}</span> },
    { label: 'Duration', value: <span className="tabular">{formatMs(request.duration_ms)}</span> },
    {
      label: 'First token',
      value:
        request.first_token_ms === null ? (
          'Not streamed'
        ) : (
          <span className="tabular">{formatMs(request.first_token_ms)}</span>
        ),
    },
    { label: 'API key', value: <KeyLink id={request.key_id} name={request.key_id && keyName(request.key_id)} /> },
    { label: 'User id', value: <CopyableText text={request.user_id} label="user id" />, wide: true },
  ]
}

function KeyLink({ id, name }: { readonly id: string | null; readonly name: string | null | undefined }) {
  if (id === null) return 'None: session'
  return name ? (
    <Link to="/api-keys" search={{ search: name, status: 'any' }} className={linkClass}>
      {name}
    </Link>
  ) : (
    <CopyableText text={id} label="key id" />
  )
}

function modelFacts(request: ApiRequest) {
  const { model } = request
  return [
    {
      label: 'Model',
      value: model ? (
        <Link to="/models" search={{ query: model }} className={linkClass}>
          {model}
        </Link>
      ) : (
        'None'
      ),
    },
    { label: 'Provider', value: request.provider ?? 'None' },
    { label: 'Prompt tokens', value: <span className="tabular">{formatNumber(request.prompt_tokens)}</span> },
    { label: 'Completion tokens', value: <span className="tabular">{formatNumber(request.completion_tokens)}</span> },
    { label: 'Total tokens', value: <span className="tabular">{formatNumber(request.total_tokens)}</span> },
    ...countFact('Reasoning tokens', request.reasoning_tokens),
    ...countFact('Cached prompt tokens', request.cached_prompt_tokens),
    { label: 'Cost', value: <span className="tabular">{formatUsd(request.cost_usd)}</span> },
  ]
}

/** Nothing for a count that is unknown. */
function countFact(label: string, count: number | null) {
  return count === null ? [] : [{ label, value: <span className="tabular">{formatNumber(count)}</span> }]
}

const linkClass = 'truncate rounded-sm font-medium text-accent hover:underline'
