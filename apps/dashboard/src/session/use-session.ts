import { useSyncExternalStore } from 'react'
import { session } from './browser-session.ts'
import type { SessionState, User } from './session.ts'

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, () => session.state)
}

/** The signed-in user. Pages are shown only to one. */
export function useUser(): User {
  const { user } = useSession()
  // The last frame before the log-in page shows after a sign-out.
  if (!user) throw new Error('The user is not signed in')
  return user
}
