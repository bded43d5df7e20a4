import { home } from '../home.ts'

const prefix = '#invitation='
const storageKey = 'fairlead-invitation'

/** Takes the token of an invitation out of the URL, and keeps it in this tab until the user has logged in or signed up. */
export function takeInvitationToken(): void {
  if (!location.hash.startsWith(prefix)) return
  keep(location.hash.slice(prefix.length))
  history.replaceState(history.state, '', location.pathname + location.search)
}

let kept = recallKept()

/** The token of an invitation to accept. */
export function keptInvitation(): string | null {
  return kept
}

export function forgetInvitation(): void {
  keep(null)
}

/** A link that invites its reader. */
export function invitationLink(token: string): string {
  return `${home.href}${prefix}${token}`
}

function keep(token: string | null): void {
  kept = token
  try {
    if (token === null) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, token)
  } catch {
    // The page itself keeps it.
  }
}

function recallKept(): string | null {
  try {
    return sessionStorage.getItem(storageKey)
  } catch {
    return null
  }
}
