import { useState } from 'react'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ErrorPanel } from '../components/error-panel.tsx'
import { toastSuccess } from '../components/toast.tsx'
import { useUser } from '../session/use-session.ts'
import { switchProject } from './current-project.ts'
import { invitationToken } from './invitation-link.ts'

/** Asks a user who came with the link of an invitation whether to join the project. */
export function AcceptInvitation() {
  const { email } = useUser()
  const [token, setToken] = useState(invitationToken.get)
  const close = () => {
    invitationToken.forget()
    setToken(null)
  }
  const accept = api.useMutation('post', '/invitations/accept', {
    onSuccess({ data }) {
      close()
      void queryClient.invalidateQueries({ queryKey: ['get', '/projects'] })
      switchProject(data.id)
      toastSuccess(`You are a member of ${data.name}`)
    },
  })
  if (token === null) return null
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Join a project"
      description={`You were invited to a project. Its members can see that you, ${email}, have joined.`}
      footer={
        <>
          <Button onClick={close}>Not now</Button>
          <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate({ body: { token } })}>
            Join the project
          </Button>
        </>
      }
    >
      {accept.error ? <ErrorPanel error={accept.error} /> : undefined}
    </Dialog>
  )
}
