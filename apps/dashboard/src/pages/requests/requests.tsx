import { keepPreviousData } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ArrowUp, ScrollText } from '../../components/icons.tsx'
import { Paging } from '../../components/paging.tsx'
import { useFilters } from '../../filters.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { useIsAdmin } from '../../projects/current-project.ts'
import { requestRoute, requestsRoute } from './page.ts'
import { requestColumns } from './request-columns.tsx'
import { noFilters, RequestFilters } from './request-filters.tsx'
import { RequestSheet } from './request-sheet.tsx'
import { useSteadyRows } from './use-steady-rows.ts'

const refreshMs = 5_000

export function Requests() {
  const state = useFilters(requestsRoute)
  const navigate = useNavigate()
  const { requestId: opened } = useParams({ strict: false })
  const [{ id, key, model, operation, status, charged, user, tag, from, to, cursor }, setFilters] = state
  const query = {
    limit: 50,
    cursor,
    request_id: id,
    key_id: key,
    model,
    operation,
    status,
    charged: charged && charged === 'true',
    user_id: user,
    ...tagQuery(tag),
    created_after: from,
    created_before: to,
  }
  const requests = api.useQuery(
    'get',
    '/requests',
    { params: { query } },
    // Only the first page gets new requests. A hidden tab does not ask.
    { placeholderData: keepPreviousData, refetchInterval: cursor === undefined && refreshMs },
  )
  const [isPointedAt, setPointedAt] = useState(false)
  const list = requests.isPlaceholderData ? undefined : JSON.stringify(query)
  const { rows, waiting, showLatest } = useSteadyRows(requests.data?.data, list, isPointedAt || opened !== undefined)
  const showsUsers = useIsAdmin() && user === undefined
  const open = (requestId: string) =>
    void navigate({ to: '/requests/$requestId', params: { requestId }, search: true, resetScroll: false })
  const page = requests.data?.meta.page
  const isFiltered = [id, key, model, operation, status, charged, user, tag, from, to].some(
    (filter) => filter !== undefined,
  )

  return (
    <PageLayout
      title="Requests"
      description="Every metered request that is kept, by default for 90 days, newest first. Browsing this dashboard is not metered."
    >
      <RequestFilters state={state} />
      <div
        className="relative"
        // Not `onPointerEnter`, which is missed where the sheet closes below the pointer.
        onPointerMove={({ pointerType }) => setPointedAt(pointerType === 'mouse')}
        onPointerLeave={() => setPointedAt(false)}
      >
        {waiting > 0 && (
          <div className="absolute inset-x-0 top-10 z-10 flex justify-center">
            <Button size="sm" variant="primary" onClick={showLatest}>
              <ArrowUp aria-hidden className="size-3.5" />
              {waiting === 1 ? '1 new request' : `${waiting} new requests`}
            </Button>
          </div>
        )}
        <DataTable
          label="Requests"
          columns={requestColumns(showsUsers)}
          rows={rows}
          rowKey={(request) => request.id}
          onRowClick={(request) => open(request.id)}
          selectedKey={opened}
          stale={requests.isPlaceholderData}
          error={requests.error}
          onRetry={() => void requests.refetch()}
          empty={
            page?.has_more ? (
              <EmptyState icon={ScrollText} title="No match among the requests searched so far">
                Go to the next page to search older requests, or choose a shorter time.
              </EmptyState>
            ) : isFiltered || cursor !== undefined ? (
              <EmptyState
                icon={ScrollText}
                title="No request matches"
                action={<Button onClick={() => setFilters(noFilters)}>Clear the filters</Button>}
              >
                Choose other filters.
              </EmptyState>
            ) : (
              <EmptyState icon={ScrollText} title="No requests yet">
                Create an API key and call a model, or try one in the playground.
              </EmptyState>
            )
          }
          footer={<Paging page={page} />}
        />
      </div>
      <Outlet />
    </PageLayout>
  )
}

/** `team=shop` as the API takes it. */
function tagQuery(text: string | undefined) {
  if (text === undefined) return {}
  const [name = '', ...value] = text.split('=')
  return { tag: name, ...(value.length > 0 && { tag_value: value.join('=') }) }
}

/** The request that the URL names, over the list. */
export function OpenRequest() {
  const { requestId } = requestRoute.useParams()
  const navigate = useNavigate()
  return (
    <RequestSheet id={requestId} onClose={() => void navigate({ to: '/requests', search: true, resetScroll: false })} />
  )
}
