import { keepPreviousData } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { describeBudget } from '../../budgets/budget.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { createdColumn } from '../../components/created-column.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FolderKanban, Plus } from '../../components/icons.tsx'
import { Paging } from '../../components/paging.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { createdOrder } from '../../components/sort.ts'
import { useFilters } from '../../filters.ts'
import { formatLabel } from '../../format.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { switchProject, useCurrentProject } from '../../projects/current-project.ts'
import { useUser } from '../../session/use-session.ts'
import { CreateProjectDialog } from './create-project-dialog.tsx'
import { projectRoute, projectsRoute } from './page.ts'
import type { Project } from './project.ts'
import { ProjectSheet } from './project-sheet.tsx'

export function Projects() {
  const isAdmin = useUser().role === 'admin'
  const current = useCurrentProject()
  const [{ all, sort, cursor }, setFilters] = useFilters(projectsRoute)
  const { projectId: opened } = useParams({ strict: false })
  const [creating, setCreating] = useState(false)
  const projects = api.useQuery(
    'get',
    '/projects',
    { params: { query: { limit: 50, cursor, sort, ...(isAdmin && all && { all_users: true }) } } },
    { placeholderData: keepPreviousData },
  )

  return (
    <PageLayout
      title="Projects"
      description="A project has its own API keys, webhooks, records, and budget. Its members share them. What you do without a project is in Personal."
      actions={
        <Button variant="primary" onClick={() => setCreating(true)}>
          <Plus aria-hidden className="size-4" />
          Create project
        </Button>
      }
    >
      {isAdmin && (
        <div>
          <Segmented
            label="Projects to show"
            value={all ?? 'own'}
            options={[
              { value: 'own', label: 'Yours' },
              { value: 'true', label: 'All' },
            ]}
            onChange={(next) => setFilters({ all: next === 'own' ? undefined : next })}
          />
        </div>
      )}
      <DataTable
        label="Projects"
        columns={projectColumns(current)}
        rows={projects.data?.data}
        rowKey={({ id }) => id}
        selectedKey={opened}
        order={createdOrder(sort, setFilters)}
        stale={projects.isPlaceholderData}
        error={projects.error}
        onRetry={() => void projects.refetch()}
        empty={
          <EmptyState icon={FolderKanban} title="No projects yet">
            Create one to share API keys, webhooks, and a budget with your team.
          </EmptyState>
        }
        footer={<Paging page={projects.data?.meta.page} />}
      />
      <Outlet />
      {creating && <CreateProjectDialog onClose={() => setCreating(false)} />}
    </PageLayout>
  )
}

/** The project that the URL names, over the list. */
export function OpenProject() {
  const { projectId } = projectRoute.useParams()
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/projects', search: true, resetScroll: false })
  return <ProjectSheet id={projectId} onClose={close} />
}

function projectColumns(current: string | undefined): readonly Column<Project>[] {
  const isCurrent = ({ id, personal }: Project) => (personal ? current === undefined : id === current)
  return [
    {
      id: 'name',
      header: 'Project',
      cell: ({ id, name, personal }) =>
        personal ? (
          <span className="font-medium">{name}</span>
        ) : (
          <Link
            to="/projects/$projectId"
            params={{ projectId: id }}
            search={true}
            resetScroll={false}
            className="block max-w-52 truncate rounded-sm font-medium hover:text-accent-strong sm:max-w-80"
          >
            {name}
          </Link>
        ),
    },
    { id: 'role', header: 'Your role', cell: ({ role }) => <Badge>{formatLabel(role)}</Badge> },
    { id: 'tier', header: 'Tier', from: 'sm', cell: ({ tier }) => formatLabel(tier) },
    { id: 'budget', header: 'Budget', from: 'md', cell: (project) => describeBudget(project) ?? 'None' },
    createdColumn({ from: 'lg' }),
    {
      id: 'switch',
      header: 'Switch',
      hideHeader: true,
      align: 'end',
      cell: (project) =>
        isCurrent(project) ? <Badge tone="success">Current</Badge> : <SwitchButton project={project} />,
    },
  ]
}

function SwitchButton({ project: { id, name, personal } }: { readonly project: Project }) {
  const navigate = useNavigate()
  function change() {
    switchProject(personal ? undefined : id)
    void navigate({ to: '/' })
  }
  return (
    <Button size="sm" aria-label={`Switch to ${name}`} onClick={change}>
      Switch
    </Button>
  )
}
