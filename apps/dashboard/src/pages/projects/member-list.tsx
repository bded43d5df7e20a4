import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { LongList } from '../../components/long-list.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { formatLabel } from '../../format.ts'
import { useUser } from '../../session/use-session.ts'
import { mayManage, type Member, type Project, reloadProjects, rolesUpTo } from './project.ts'

export interface MemberListProps {
  readonly project: Project
  /** Called when the user has left the project. */
  onLeave(): void
}

/** The members of a project. Admins change their roles and remove them; all can leave. */
export function MemberList({ project, onLeave }: MemberListProps) {
  const { id: ownId } = useUser()
  const path = { project_id: project.id }
  const members = api.useQuery('get', '/projects/{project_id}/members', { params: { path, query: { limit: 100 } } })
  const change = api.useMutation('post', '/projects/{project_id}/members', {
    onSuccess: ({ data }) => {
      void reloadProjects()
      toastSuccess(`${data.name} has the role ${formatLabel(data.role).toLowerCase()}`)
    },
    onError: (error) => toastError('The role could not be changed', error),
  })
  const remove = api.useMutation('delete', '/projects/{project_id}/members', {
    onSuccess(_reply, { params }) {
      void reloadProjects()
      if (params.query.user_id === ownId) onLeave()
    },
    onError: (error) => toastError('The member could not be removed', error),
  })
  const found = members.data?.data
  return (
    <section className="border-t border-line pt-4">
      <h3 className="mb-2 text-sm font-semibold">Members</h3>
      <QueryError query={members} />
      {members.isPending && <Skeleton className="h-20 w-full" />}
      {found && (
        <LongList
          label="members"
          items={found}
          textOf={({ name, email }) => `${name} ${email}`}
          className="divide-y divide-line"
        >
          {(member) => (
            <li key={member.user_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
              <div className="min-w-0">
                <p className="truncate text-sm font-medium">
                  {member.name}
                  {member.user_id === ownId && <span className="font-normal text-muted"> (you)</span>}
                </p>
                <p className="truncate text-xs text-muted">{member.email}</p>
              </div>
              <div className="flex items-center gap-2">
                <MemberRole
                  member={member}
                  project={project}
                  onChange={(role) => change.mutate({ params: { path }, body: { user_id: member.user_id, role } })}
                />
                {(mayChange(project, member) || member.user_id === ownId) && (
                  <Button
                    size="sm"
                    aria-label={member.user_id === ownId ? 'Leave the project' : `Remove ${member.name}`}
                    busy={remove.isPending && remove.variables.params.query.user_id === member.user_id}
                    onClick={() => remove.mutate({ params: { path, query: { user_id: member.user_id } } })}
                  >
                    {member.user_id === ownId ? 'Leave' : 'Remove'}
                  </Button>
                )}
              </div>
            </li>
          )}
        </LongList>
      )}
    </section>
  )
}

interface RoleOfProps {
  readonly member: Member
  readonly project: Project
  onChange(role: Member['role']): void
}

function MemberRole({ member, project, onChange }: RoleOfProps) {
  if (!mayChange(project, member)) return <span className="text-sm text-muted">{formatLabel(member.role)}</span>
  return (
    <Select
      label={`Role of ${member.name}`}
      value={member.role}
      options={rolesUpTo(project.role).map((value) => ({ value, label: formatLabel(value) }))}
      onChange={onChange}
    />
  )
}

/** Only members that are not above the user. */
function mayChange(project: Project, { role }: Member): boolean {
  return mayManage(project) && rolesUpTo(project.role).includes(role)
}
