import { serviceUrl } from '../home.ts'
import { session } from './browser-session.ts'
import type { SignedIn } from './session.ts'

const prefix = '#sign-in='
let token: string | undefined
let exchanging: Promise<boolean> | undefined

/** Takes the one-time token of a sign-in link out of the URL, so that it is neither in the history nor sent anywhere else. */
export function takeSignInToken(): void {
  if (!location.hash.startsWith(prefix)) return
  token = location.hash.slice(prefix.length)
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** Whether a link was opened that nobody has decided about. */
export function hasSignInToken(): boolean {
  return token !== undefined
}

/** Forgets the link, which stays valid. */
export function ignoreSignInLink(): void {
  token = undefined
}

/** Begins a session with the token of the link, if there is one. Resolves to false if the service rejected it. */
export async function exchangeSignInLink(): Promise<boolean> {
  const taken = token
  token = undefined
  // Another load of the page may wait for the same link.
  if (taken !== undefined) exchanging = exchange(taken).finally(() => (exchanging = undefined))
  return (await exchanging) ?? true
}

async function exchange(taken: string): Promise<boolean> {
  const response = await fetch(`${serviceUrl}/auth/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: taken, session: 'cookie' }),
  })
  if (response.ok) session.adopt(((await response.json()) as { readonly data: SignedIn }).data)
  return response.ok
}
