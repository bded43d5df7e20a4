import { keepPreviousData } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Radio } from '../../components/icons.tsx'
import { Paging } from '../../components/paging.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { eventGroups, eventTypes } from '../../events/event-types.ts'
import { useFilters } from '../../filters.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { useIsAdmin } from '../../projects/current-project.ts'
import { eventColumns } from './event-columns.tsx'
import { EventSheet } from './event-sheet.tsx'
import { LiveStatus } from './live-status.tsx'
import { activityRoute, eventRoute } from './page.ts'
import { useLiveEvents } from './use-live-events.ts'

const typeOptions = [
  { value: '', label: 'All events' },
  ...[...eventGroups, ...eventTypes.map(({ type }) => type)].map((value) => ({ value, label: value })),
]

export function Activity() {
  const isAdmin = useIsAdmin()
  const [{ type, resource, user, cursor }, setFilters] = useFilters(activityRoute)
  const navigate = useNavigate()
  const { eventId: opened } = useParams({ strict: false })
  const history = api.useQuery(
    'get',
    '/events',
    { params: { query: { limit: 50, type, resource_id: resource, user_id: user, cursor } } },
    // The stream brings what is new.
    { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  )
  const isFirstPage = cursor === undefined
  const stored = history.data?.data
  const isStoredCurrent = stored !== undefined && !history.isPlaceholderData && isFirstPage
  const live = useLiveEvents({
    type,
    resourceId: resource,
    userId: user,
    after: isStoredCurrent ? (stored[0]?.id ?? null) : undefined,
  })
  /** The newest event at the time of the pause. Null if there was none. */
  const [pausedAt, setPausedAt] = useState<string | null>()
  const paused = pausedAt !== undefined
  const waiting = paused ? countBefore(live.events, pausedAt) : 0
  const shown = isFirstPage ? live.events.slice(waiting) : []
  const shownIds = new Set(shown.map(({ id }) => id))
  const rows = stored && [...shown, ...stored.filter(({ id }) => !shownIds.has(id))]
  const open = (eventId: string) =>
    void navigate({ to: '/activity/$eventId', params: { eventId }, search: true, resetScroll: false })

  return (
    <PageLayout
      title="Activity"
      actions={
        isFirstPage && (
          <LiveStatus
            status={live.status}
            paused={paused}
            waiting={waiting}
            onPausedChange={(next) => setPausedAt(next ? (live.events[0]?.id ?? null) : undefined)}
          />
        )
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label="Type"
          showLabel
          value={type ?? ''}
          options={typeOptions}
          onChange={(next) => setFilters({ type: next })}
        />
        <SearchField
          label="Id of a record or request"
          value={resource ?? ''}
          onChange={(next) => setFilters({ resource: next })}
        />
        {isAdmin && (
          <SearchField label="User id" value={user ?? ''} onChange={(next) => setFilters({ user: next.trim() })} />
        )}
      </div>
      {live.status === 'rejected' && !history.error && <ErrorPanel error={live.error} />}
      <DataTable
        label="Events"
        columns={eventColumns}
        rows={rows}
        rowKey={({ id }) => id}
        onRowClick={({ id }) => open(id)}
        selectedKey={opened}
        stale={history.isPlaceholderData}
        error={history.error}
        onRetry={() => void history.refetch()}
        empty={
          type === undefined && resource === undefined && user === undefined ? (
            <EmptyState icon={Radio} title="No events yet">
              Create an API key or a shipment, and its event appears here at once. Model calls appear while this page is
              open.
            </EmptyState>
          ) : (
            <EmptyState
              icon={Radio}
              title="No event matches"
              action={
                <Button onClick={() => setFilters({ type: undefined, resource: undefined, user: undefined })}>
                  Clear the filters
                </Button>
              }
            >
              New events that match appear here at once.
            </EmptyState>
          )
        }
        footer={<Paging page={history.data?.meta.page} />}
      />
      <Outlet />
    </PageLayout>
  )
}

/** The event that the URL names, over the list. */
export function OpenEvent() {
  const { eventId } = eventRoute.useParams()
  const navigate = useNavigate()
  return (
    <EventSheet
      id={eventId}
      onClose={() => void navigate({ to: '/activity', search: true, resetScroll: false })}
      onFilter={(filter) => void navigate({ to: '/activity', search: filter })}
    />
  )
}

/** How many events are newer than that one. All, if it is null. */
function countBefore(events: readonly { readonly id: string }[], id: string | null): number {
  const index = events.findIndex((each) => each.id === id)
  return index === -1 ? events.length : index
}
