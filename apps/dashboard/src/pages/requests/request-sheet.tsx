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
import { describeTags } from '../api-keys/key-limits.ts'
import { AttemptList, RequestFailure } from './request-failure.tsx'
import { RequestStatus, statusNote } from './request-status.tsx'

type ApiRequest = components['schemas']['ApiRequest']

export interface RequestSheetProps {
  readonly id: string
  onClose(): void
}

/** All facts about a request. */
export function RequestSheet({ id, onClose }: RequestSheetProps) {
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
          <RequestFailure request={request} />
          <Section title="Request">
            <FactList facts={requestFacts(request)} />
          </Section>
          <Section title="Model call">
            <FactList facts={modelFacts(request)} />
          </Section>
          {request.attempts.length > 0 && (
            <Section title="Calls to providers">
              <AttemptList attempts={request.attempts} />
            </Section>
          )}
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

function requestFacts(request: ApiRequest) {
  return [
    { label: 'Request id', value: <CopyableText text={request.request_id} label="request id" />, wide: true },
    { label: 'Status', value: <RequestStatus request={request} /> },
    { label: 'Quota', value: request.charged ? 'One unit' : 'Not charged' },
    { label: 'Began', value: <span className="tabular">{formatTime(request.created_at)}</span> },
    { label: 'Duration', value: <span className="tabular">{formatMs(request.duration_ms)}</span> },
    ...(request.queued_ms === null
      ? []
      : [{ label: 'Waited for a slot', value: <span className="tabular">{formatMs(request.queued_ms)}</span> }]),
    {
      label: 'First token',
      value:
        request.first_token_ms === null ? (
          request.stream ? (
            'None'
          ) : (
            'Not streamed'
          )
        ) : (
          <span className="tabular">{formatMs(request.first_token_ms)}</span>
        ),
    },
    { label: 'API key', value: <KeyName id={request.key_id} name={request.key_name} /> },
    {
      label: 'User',
      value: request.user_name ?? <CopyableText text={request.user_id} label="user id" />,
      wide: request.user_name === null,
    },
    ...(request.tags ? [{ label: 'Tags', value: describeTags(request.tags), wide: true }] : []),
  ]
}

function KeyName({ id, name }: { readonly id: string | null; readonly name: string | null }) {
  if (id === null) return 'None: session'
  return name === null ? <CopyableText text={id} label="key id" /> : <span className="truncate">{name}</span>
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
    ...flagFact('Streamed', request.stream),
    ...flagFact('From the cache', request.cached),
    { label: 'Prompt tokens', value: <span className="tabular">{formatNumber(request.prompt_tokens)}</span> },
    { label: 'Completion tokens', value: <span className="tabular">{formatNumber(request.completion_tokens)}</span> },
    { label: 'Total tokens', value: <span className="tabular">{formatNumber(request.total_tokens)}</span> },
    ...countFact('Reasoning tokens', request.reasoning_tokens),
    ...countFact('Cached prompt tokens', request.cached_prompt_tokens),
    { label: 'Cost', value: <span className="tabular">{formatUsd(request.cost_usd)}</span> },
  ]
}

/** Nothing for what is unknown. */
function flagFact(label: string, flag: boolean | null) {
  return flag === null ? [] : [{ label, value: flag ? 'Yes' : 'No' }]
}

/** Nothing for a count that is unknown. */
function countFact(label: string, count: number | null) {
  return count === null ? [] : [{ label, value: <span className="tabular">{formatNumber(count)}</span> }]
}

const linkClass = 'truncate rounded-sm font-medium text-accent hover:underline'
