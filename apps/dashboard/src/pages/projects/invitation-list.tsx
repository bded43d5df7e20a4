import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { OneTimeSecretDialog } from '../../components/one-time-secret-dialog.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { toastError } from '../../components/toast.tsx'
import { formatLabel } from '../../format.ts'
import { invitationLink } from '../../projects/invitation-link.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { type NewInvitation, type Project, reloadProjects } from './project.ts'

/** The open invitations to a project, with a button that creates one. */
export function InvitationList({ project }: { readonly project: Project }) {
  const [inviting, setInviting] = useState(false)
  const [created, setCreated] = useState<NewInvitation>()
  const path = { project_id: project.id }
  const invitations = api.useQuery('get', '/projects/{project_id}/invitations', {
    params: { path, query: { limit: 100 } },
  })
  const remove = api.useMutation('delete', '/projects/{project_id}/invitations/{invitation_id}', {
    onSuccess: () => void reloadProjects(),
    onError: (error) => toastError('The invitation could not be deleted', error),
  })
  const found = invitations.data?.data
  return (
    <section className="border-t border-line pt-4">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h3 className="text-sm font-semibold">Invitations</h3>
        <Button size="sm" onClick={() => setInviting(true)}>
          Invite
        </Button>
      </div>
      <QueryError query={invitations} />
      {found?.length === 0 && <p className="text-xs text-muted">None is open. Invite your team with a link.</p>}
      <ul className="divide-y divide-line">
        {found?.map(({ id, role, email, expires_at }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-2">
            <div className="min-w-0 text-sm">
              <p className="truncate font-medium">{email ?? 'Anyone with the link'}</p>
              <p className="text-xs text-muted">
                {formatLabel(role)}, expires <TimeAgo at={expires_at} />
              </p>
            </div>
            <Button
              size="sm"
              aria-label={`Delete the invitation for ${email ?? 'anyone with the link'}`}
              busy={remove.isPending && remove.variables.params.path.invitation_id === id}
              onClick={() => remove.mutate({ params: { path: { ...path, invitation_id: id } } })}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      {inviting && (
        <InviteDialog
          project={project}
          onClose={() => setInviting(false)}
          onCreated={(invitation) => {
            setInviting(false)
            setCreated(invitation)
          }}
        />
      )}
      {created && (
        <OneTimeSecretDialog
          title={created.mailed ? 'The link was sent' : 'Send this link'}
          description="It works once, within seven days. It is not shown again."
          label="invitation link"
          secret={invitationLink(created.token)}
          onClose={() => setCreated(undefined)}
        >
          {created.mailed && <p className="text-sm text-muted">It was also mailed to {created.email}.</p>}
          <p className="text-sm text-muted">Who opens it logs in or signs up, and then joins {project.name}.</p>
        </OneTimeSecretDialog>
      )}
    </section>
  )
}
