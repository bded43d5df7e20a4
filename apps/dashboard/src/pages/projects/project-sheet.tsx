import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { describeBudget } from '../../budgets/budget.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatDate, formatLabel, formatNumber } from '../../format.ts'
import { switchProject, useCurrentProject } from '../../projects/current-project.ts'
import { useUser } from '../../session/use-session.ts'
import { monthlyQuota } from '../users/user.ts'
import { DeleteProjectDialog } from './delete-project-dialog.tsx'
import { EditProjectDialog } from './edit-project-dialog.tsx'
import { InvitationList } from './invitation-list.tsx'
import { MemberList } from './member-list.tsx'
import { mayManage, type Project } from './project.ts'

/** A project, its members, and its invitations. */
export function ProjectSheet({ id, onClose }: { readonly id: string; onClose(): void }) {
  const isAdmin = useUser().role === 'admin'
  const [action, setAction] = useState<'edit' | 'delete'>()
  const project = api.useQuery('get', '/projects/{id}', { params: { path: { id } } })
  const found = project.data?.data
  const done = () => setAction(undefined)
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={found?.name ?? 'Project'}
      actions={found && <SwitchButton project={found} />}
    >
      <QueryError query={project} />
      {project.isPending && <Skeleton className="h-28 w-full" />}
      {found && (
        <>
          <FactList facts={projectFacts(found)} />
          {mayManage(found) && (
            <div className="flex flex-wrap gap-2">
              <Button size="sm" onClick={() => setAction('edit')}>
                {isAdmin ? 'Edit' : 'Rename'}
              </Button>
              {found.role === 'owner' && (
                <Button size="sm" onClick={() => setAction('delete')}>
                  Delete
                </Button>
              )}
            </div>
          )}
          {!found.personal && <MemberList project={found} onLeave={onClose} />}
          {mayManage(found) && <InvitationList project={found} />}
        </>
      )}
      {found && action === 'edit' && <EditProjectDialog project={found} onClose={done} />}
      {found && action === 'delete' && <DeleteProjectDialog project={found} onClose={done} onDeleted={onClose} />}
    </Sheet>
  )
}

function SwitchButton({ project: { id, personal } }: { readonly project: Project }) {
  const navigate = useNavigate()
  const own = personal ? undefined : id
  if (useCurrentProject() === own) return null
  function change() {
    switchProject(own)
    void navigate({ to: '/' })
  }
  return (
    <Button size="sm" onClick={change}>
      Switch to it
    </Button>
  )
}

function projectFacts(project: Project) {
  const quota = monthlyQuota(project)
  return [
    { label: 'Project id', value: <CopyableText text={project.id} label="project id" />, wide: true },
    {
      label: 'Status',
      value: (
        <Badge tone={project.status === 'active' ? 'success' : 'danger'}>
          {project.status === 'active' ? 'Active' : 'Suspended'}
        </Badge>
      ),
    },
    { label: 'Your role', value: formatLabel(project.role) },
    { label: 'Tier', value: formatLabel(project.tier) },
    {
      label: project.quota_scope === 'project' ? 'Units per month' : 'Units per month and key',
      value: quota === null ? 'No limit' : formatNumber(quota),
    },
    { label: 'Budget', value: describeBudget(project) ?? 'None' },
    ...(project.funded ? [] : [{ label: 'Also uses', value: 'The budget of its creator' }]),
    { label: 'Created', value: formatDate(project.created_at) },
  ]
}
