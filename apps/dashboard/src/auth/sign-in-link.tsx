import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { exchangeSignInLink, ignoreSignInLink } from '../session/sign-in-link.ts'
import { useSession } from '../session/use-session.ts'
import { AuthCard } from './auth-card.tsx'
import { signInLinkRoute } from './guest-routes.ts'

export function SignInLink() {
  const { user } = useSession()
  const { next = '/' } = signInLinkRoute.useSearch()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  // Only its path counts, so that a link cannot lead to another site.
  const { pathname, searchParams } = new URL(next, location.origin)
  const goOn = () => navigate({ to: pathname, search: Object.fromEntries(searchParams), replace: true })

  async function useLink() {
    setBusy(true)
    const isAccepted = await exchangeSignInLink().catch(() => false)
    if (isAccepted) await goOn()
    else await navigate({ to: '/login', search: { link: 'rejected' }, replace: true })
  }

  return (
    <AuthCard title="Use the sign-in link?" footer={user?.email}>
      <p className="text-sm text-pretty text-muted">
        You are logged in as {user?.name} ({user?.email}). The link that you opened logs you in to the account that it
        was made for, in all tabs of this browser. If you did not expect the link, stay logged in.
      </p>
      <div className="mt-5 flex gap-2">
        <Button
          variant="primary"
          onClick={() => {
            ignoreSignInLink()
            void goOn()
          }}
        >
          Stay logged in
        </Button>
        <Button busy={busy} onClick={() => void useLink()}>
          Use the link
        </Button>
      </div>
    </AuthCard>
  )
}
