import { keepPreviousData } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { History } from '../../components/icons.tsx'
import { Paging } from '../../components/paging.tsx'
import { useFilters } from '../../filters.ts'
import { NotFound } from '../../layout/not-found.tsx'
import { PageLayout } from '../../layout/page-layout.tsx'
import { useCurrentProject } from '../../projects/current-project.ts'
import { useMayAudit } from '../../projects/use-may-audit.ts'
import { auditColumns } from './audit-columns.tsx'
import { AuditFilters, noFilters } from './audit-filters.tsx'
import { filterQuery, pageQuery } from './audit-query.ts'
import { AuditSheet } from './audit-sheet.tsx'
import { ExportMenu } from './export-menu.tsx'
import { auditEntryRoute, auditRoute } from './page.ts'
import { useActorName } from './people.tsx'

/** The audit log. To those who may not read it, it does not exist. */
export function AuditLog() {
  const mayAudit = useMayAudit()
  if (mayAudit === undefined) return null
  return mayAudit ? <Entries /> : <NotFound />
}

function Entries() {
  const state = useFilters(auditRoute)
  const [filters, setFilters] = state
  const navigate = useNavigate()
  const { entryId: opened } = useParams({ strict: false })
  const entries = api.useQuery(
    'get',
    '/audit',
    { params: { query: pageQuery(filters) } },
    { placeholderData: keepPreviousData },
  )
  const nameOf = useActorName()
  const isFiltered =
    filters.cursor !== undefined || Object.values(filterQuery(filters)).some((filter) => filter !== undefined)
  return (
    <PageLayout
      title="Audit log"
      description={
        useCurrentProject() === undefined
          ? 'Who changed users, projects, API keys, webhooks, and the configuration, and who signed in, newest first. Secrets are never in it.'
          : 'Who changed the project, its members, API keys, and webhooks, newest first. Secrets are never in it.'
      }
      actions={<ExportMenu query={filterQuery(filters)} />}
    >
      <AuditFilters state={state} />
      <DataTable
        label="Audit log"
        columns={auditColumns(nameOf)}
        rows={entries.data?.data}
        rowKey={({ id }) => id}
        onRowClick={({ id: entryId }) =>
          void navigate({ to: '/audit/$entryId', params: { entryId }, search: true, resetScroll: false })
        }
        selectedKey={opened}
        stale={entries.isPlaceholderData}
        error={entries.error}
        onRetry={() => void entries.refetch()}
        empty={
          isFiltered ? (
            <EmptyState
              icon={History}
              title="No entry matches"
              action={<Button onClick={() => setFilters(noFilters)}>Clear the filters</Button>}
            >
              Choose other filters. Entries are kept for 400 days, unless the service is set up differently.
            </EmptyState>
          ) : (
            <EmptyState icon={History} title="No entries yet">
              Sign in again, or change a user or an API key, and its entry appears here.
            </EmptyState>
          )
        }
        footer={<Paging page={entries.data?.meta.page} />}
      />
      <Outlet />
    </PageLayout>
  )
}

/** The entry that the URL names, over the list. */
export function OpenEntry() {
  const { entryId } = auditEntryRoute.useParams()
  const navigate = useNavigate()
  return (
    <AuditSheet
      id={entryId}
      onClose={() => void navigate({ to: '/audit', search: true, resetScroll: false })}
      onFilter={(filter) => void navigate({ to: '/audit', search: filter })}
    />
  )
}
