import { linkOptions, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toApiError } from '../api/api-error.ts'
import { api } from '../api/client.ts'
import { classNames } from '../components/class-names.ts'
import { ChevronsUpDown, FolderKanban } from '../components/icons.tsx'
import { Menu } from '../components/menu.tsx'
import { toastSuccess } from '../components/toast.tsx'
import { switchProject, useCurrentProject } from './current-project.ts'

export interface ProjectSwitcherProps {
  readonly collapsed: boolean
  /** Called when a project was chosen. */
  readonly onNavigate?: (() => void) | undefined
}

/** Chooses the project whose records the pages show. Nothing for users who are in none. */
export function ProjectSwitcher({ collapsed, onNavigate }: ProjectSwitcherProps) {
  const current = useCurrentProject()
  const navigate = useNavigate()
  const projects = api.useQuery('get', '/projects', { params: { query: { limit: 100 } } }).data?.data ?? []
  const opened = api.useQuery(
    'get',
    '/projects/{id}',
    { params: { path: { id: current ?? '' } } },
    { enabled: current !== undefined },
  )
  const isGone = opened.error ? toApiError(opened.error).code === 'NOT_FOUND' : false
  useEffect(() => {
    if (!isGone) return
    switchProject(undefined)
    toastSuccess('You are not in the project anymore. These are your own records.')
  }, [isGone])
  if (current === undefined && !projects.some(({ personal }) => !personal)) return null

  const name = current === undefined ? 'Personal' : (opened.data?.data.name ?? '…')
  function choose(id: string | undefined) {
    switchProject(id)
    onNavigate?.()
    void navigate({ to: '/' })
  }
  return (
    <div className="px-3 pb-1">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={`Project: ${name}`}
            title={collapsed ? `Project: ${name}` : undefined}
            className={classNames(
              'flex h-8 w-full items-center gap-2 rounded-md border border-line-strong bg-surface text-sm font-medium shadow-sm hover:bg-hover',
              collapsed ? 'justify-center' : 'px-2',
            )}
          >
            <FolderKanban aria-hidden className="size-4 shrink-0 text-muted" />
            {!collapsed && (
              <>
                <span className="min-w-0 flex-1 truncate text-left">{name}</span>
                <ChevronsUpDown aria-hidden className="size-3.5 text-subtle" />
              </>
            )}
          </button>
        }
        items={[
          ...projects.map((project) => {
            const id = project.personal ? undefined : project.id
            return { label: project.name, chosen: id === current, onSelect: () => choose(id) }
          }),
          {
            label: 'Manage projects',
            icon: FolderKanban,
            link: linkOptions({ to: '/projects' }),
            onSelect: onNavigate,
          },
        ]}
      />
    </div>
  )
}
