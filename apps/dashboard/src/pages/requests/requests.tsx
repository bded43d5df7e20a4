import { keepPreviousData } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { RotateCw, ScrollText } from 'lucide-react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Paging } from '../../components/paging.tsx'
import { useFilters } from '../../filters.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { requestRoute, requestsRoute } from './page.ts'
import { requestColumns } from './request-columns.tsx'
import { noFilters, RequestFilters, useOwnKeys } from './request-filters.tsx'
import { RequestSheet } from './request-sheet.tsx'

export function Requests() {
  const state = useFilters(requestsRoute)
  const navigate = useNavigate()
  const { requestId: opened } = useParams({ strict: false })
  const [{ id, key, model, operation, status, user, from, to, cursor }, setFilters] = state
  const query = {
    limit: 50,
    cursor,
    request_id: id,
    key_id: key,
    model,
    operation,
    status,
    user_id: user,
    created_after: from,
    created_before: to,
  }
  const requests = api.useQuery('get', '/requests', { params: { query } }, { placeholderData: keepPreviousData })
  const keyName = useKeyNames()
  const open = (requestId: string) =>
    void navigate({ to: '/requests/$requestId', params: { requestId }, search: true, resetScroll: false })
  const page = requests.data?.meta.page
  const isFiltered = [id, key, model, operation, status, user, from, to].some((filter) => filter !== undefined)

  return (
    <PageLayout
      title="Requests"
      description="Every metered request of the last 90 days, newest first. Browsing this dashboard is not metered."
      actions={
        <Button busy={requests.isFetching} onClick={() => void requests.refetch()}>
          {!requests.isFetching && <RotateCw aria-hidden className="size-3.5" />}
          Refresh
        </Button>
      }
    >
      <RequestFilters state={state} />
      <DataTable
        label="Requests"
        columns={requestColumns({ keyName })}
        rows={requests.data?.data}
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
              Choose other filters. Requests that were rejected before the quota was checked, such as invalid ones, are
              not listed.
            </EmptyState>
          ) : (
            <EmptyState icon={ScrollText} title="No requests yet">
              Create an API key and call a model, or try one in the playground.
            </EmptyState>
          )
        }
        footer={<Paging page={page} />}
      />
      <Outlet />
    </PageLayout>
  )
}

/** The request that the URL names, over the list. */
export function OpenRequest() {
  const { requestId } = requestRoute.useParams()
  const navigate = useNavigate()
  return (
    <RequestSheet
      id={requestId}
      keyName={useKeyNames()}
      onClose={() => void navigate({ to: '/requests', search: true, resetScroll: false })}
    />
  )
}

/** Finds the names of the keys of the signed-in user. */
function useKeyNames(): (keyId: string) => string | undefined {
  const names = new Map(useOwnKeys().map((each) => [each.id, each.name]))
  return (keyId) => names.get(keyId)
}
