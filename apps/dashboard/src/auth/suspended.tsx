import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { session } from '../session/browser-session.ts'
import { useSession } from '../session/use-session.ts'
import { AuthCard } from './auth-card.tsx'

/** In place of every page, while the service rejects the requests of the user. */
export function Suspended() {
  const { user } = useSession()
  const [asking, setAsking] = useState(false)
  async function askAgain() {
    setAsking(true)
    await session.start().catch(() => {})
    setAsking(false)
  }
  return (
    <AuthCard title="Your account is suspended" footer={user?.email}>
      <p className="text-sm text-pretty text-muted">
        An admin of this service suspended your account. Your data is kept, and your API keys work again once an admin
        activates the account.
      </p>
      <div className="mt-5 flex gap-2">
        <Button variant="primary" busy={asking} onClick={() => void askAgain()}>
          Try again
        </Button>
        <Button onClick={() => void session.signOut().catch(() => {})}>Log out</Button>
      </div>
    </AuthCard>
  )
}
