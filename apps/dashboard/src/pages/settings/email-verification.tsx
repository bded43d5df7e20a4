import { api } from '../../api/client.ts'
import { signInMethods } from '../../auth/sign-in-methods.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { useUser } from '../../session/use-session.ts'

/** Whether the email address of the user is verified, and how to verify it. */
export function EmailVerification() {
  const { email, email_verified } = useUser()
  const send = api.useMutation('post', '/auth/email-verification', {
    onSuccess: ({ data }) => toastSuccess(`A link was sent to ${data.email}`),
    onError: (error) => toastError('The link could not be sent', error),
  })
  if (email_verified) {
    return (
      <p className="flex items-center gap-2 text-xs text-muted">
        <Badge tone="success">Verified</Badge> {email} is yours.
      </p>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
      <Badge tone="warning">Not verified</Badge>
      {signInMethods.mail === true ? (
        <>
          <span>Projects can add you by this address once it is verified.</span>
          <Button size="sm" busy={send.isPending} onClick={() => send.mutate({ body: {} })}>
            Send a link
          </Button>
        </>
      ) : (
        <span>Projects can add you by this address once an admin has verified it.</span>
      )}
    </div>
  )
}
