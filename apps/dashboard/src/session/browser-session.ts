import { recall, remember } from '../remembered.ts'
import { createSession, type SessionMessage, type SignedIn } from './session.ts'
import { serviceUrl } from '../home.ts'

const name = 'fairlead-session'
const channel = new BroadcastChannel(name)

/** Whether this browser may have a session. Scripts cannot see the cookie. */
export function mayHaveSession(): boolean {
  return recall(name) === 'true'
}

/** The session of this browser, shared by its tabs. */
export const session = createSession({
  // Scripts cannot see the cookie, and a request without it fails, which the console of the browser reports.
  hint: {
    mayHaveSession,
    set: (hasSession) => remember(name, String(hasSession)),
  },
  async refresh() {
    const response = await postAuth('refresh', { session: 'cookie' })
    if (response.ok) return ((await response.json()) as { readonly data: SignedIn }).data
    if (response.status === 403 && (await response.text()).includes('suspended')) return 'suspended'
    // Without a cookie the token is missing (400). Other failures, such as 503, say nothing about the session.
    if ([400, 401, 403].includes(response.status)) return undefined
    throw new Error(`The session could not be refreshed: status ${response.status}`)
  },
  async logOut(accessToken) {
    await postAuth('logout', {}, accessToken)
  },
  channel: {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only its own origin
    post: (message) => channel.postMessage(message),
    onMessage: (listener) => {
      channel.addEventListener('message', (event: MessageEvent<SessionMessage>) => listener(event.data))
    },
  },
  // Browsers have no locks on pages without HTTPS, and keep no session cookie there either.
  exclusively: (work) => (navigator.locks ? navigator.locks.request(name, work) : work()),
  now: () => Date.now(),
  setTimer(act, delayMs) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
})

function postAuth(step: string, body: object, accessToken?: string): Promise<Response> {
  return fetch(`${serviceUrl}/auth/${step}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify(body),
  })
}
