import type { components } from '../api/schema.d.ts'

export type User = components['schemas']['User']

/** Messages to other tabs. Access tokens stay in the memory of the tabs of this origin. */
export type SessionMessage =
  | { readonly kind: 'signed-in'; readonly grant: Grant }
  | { readonly kind: Exclude<SessionStatus, 'unknown' | 'signed-in'> }

/** An access token, and the user that it belongs to. */
export interface Grant {
  readonly user: User
  readonly accessToken: string
  /** In milliseconds since the epoch. */
  readonly expiresAt: number
  /** Whether the user, an admin, can only add a passkey. Absent: no. */
  readonly needsPasskey?: true
}

/** The response of login, signup, refresh, and exchange in cookie mode. */
export interface SignedIn {
  readonly user: User
  readonly access_token: string
  readonly expires_in: number
  /** Whether the session can only add a passkey. */
  readonly passkey_required?: boolean
}

/**
 * `ended` after the service ended the session of a page that is open: requests wait until the user has logged in again.
 * `suspended` if the service rejects every request of the user.
 */
export type SessionStatus = 'unknown' | 'signed-in' | 'ended' | 'suspended' | 'signed-out'

/** The state of the session. The object is replaced on each change. */
export interface SessionState {
  readonly status: SessionStatus
  readonly user: User | undefined
  /** Whether the user, an admin, can only add a passkey. Absent: no. */
  readonly needsPasskey?: true
}

export interface SessionOptions {
  /** Whether this browser may have a session. Without one, the service is not asked. */
  readonly hint: {
    mayHaveSession(): boolean
    set(hasSession: boolean): void
  }
  /** Requests a new access token with the cookie. Resolves to undefined if the session has ended; rejects if unknown. */
  refresh(): Promise<SignedIn | 'suspended' | undefined>
  /** Ends the session of the cookie and of the access token. */
  logOut(accessToken: string | undefined): Promise<void>
  /** Shared by the tabs. Messages of a tab do not come back to it. */
  readonly channel: {
    post(message: SessionMessage): void
    onMessage(listener: (message: SessionMessage) => void): void
  }
  /** Runs work while no other tab runs such work. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  now(): number
  setTimer(act: () => void, delayMs: number): () => void
}

/** The session of this browser. The refresh token is in a cookie that scripts cannot read; the access token is in memory. */
export interface Session {
  readonly state: SessionState
  subscribe(listener: () => void): () => void
  /** Resolves once it is known whether the browser has a session. Asks again if the user was suspended. */
  start(): Promise<void>
  /** An access token that is valid for a while. Waits while the session has ended. Undefined when signed out. */
  token(): Promise<string | undefined>
  /** Replaces an access token that the service rejected. Waits if the session has ended. Undefined when signed out. */
  renew(rejected: string | undefined): Promise<string | undefined>
  /** Asks the service what the session may do, after a change. */
  renewNow(): Promise<void>
  /** Takes the response of a login. */
  adopt(signedIn: SignedIn): void
  /** Replaces the user after a change of the profile. */
  update(user: User): void
  signOut(): Promise<void>
}

/** A token is replaced so long before it expires that requests with it still arrive in time. */
const marginMs = 60_000

export function createSession(options: SessionOptions): Session {
  const { channel, now } = options
  const listeners = new Set<() => void>()
  let state: SessionState = { status: 'unknown', user: undefined }
  let grant: Grant | undefined
  let refreshing: Promise<void> | undefined
  /** Resolves when an ended session continues, or is given up. */
  let resumed: PromiseWithResolvers<void> | undefined
  let cancelTimer = () => {}

  function show(message: SessionMessage): void {
    const { kind: status } = message
    const { user } = state
    grant = message.kind === 'signed-in' ? message.grant : undefined
    cancelTimer()
    if (grant) cancelTimer = options.setTimer(refreshSoon, Math.max(0, grant.expiresAt - marginMs - now()))
    const shown = status === 'signed-out' ? undefined : (grant?.user ?? user)
    state = { status, user: shown, ...(grant?.needsPasskey && { needsPasskey: true }) }
    if (status === 'ended') resumed ??= Promise.withResolvers()
    else {
      resumed?.resolve()
      resumed = undefined
    }
    for (const listener of listeners) listener()
  }

  function announce(message: SessionMessage): void {
    options.hint.set(message.kind === 'signed-in' || message.kind === 'suspended')
    show(message)
    channel.post(message)
  }

  const signIn = (next: Grant) => announce({ kind: 'signed-in', grant: next })

  // A page that shows nothing has nothing to keep.
  channel.onMessage((message) => show(message.kind === 'ended' && !state.user ? { kind: 'signed-out' } : message))

  /** Also called by a timer. A failure is repeated by the next request. */
  function refreshSoon(): void {
    if (grant) refresh(grant.accessToken).catch(() => {})
  }

  /** One refresh at a time, over all tabs: another tab may have replaced the token while this one waited. */
  function refresh(stale: string | undefined): Promise<void> {
    refreshing ??= options
      .exclusively(async () => {
        if (grant && grant.accessToken !== stale) return
        const before = grant
        const signedIn = await options.refresh()
        // Not if a tab signed out, or in, meanwhile.
        if (grant !== before) return
        if (signedIn === 'suspended') announce({ kind: 'suspended' })
        else if (signedIn) signIn(toGrant(signedIn))
        else announce({ kind: before ? 'ended' : 'signed-out' })
      })
      .finally(() => (refreshing = undefined))
    return refreshing
  }

  function toGrant({ user, access_token, expires_in, passkey_required }: SignedIn): Grant {
    const expiresAt = now() + expires_in * 1000
    return { user, accessToken: access_token, expiresAt, ...(passkey_required && { needsPasskey: true }) }
  }

  return {
    get state() {
      return state
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async start() {
      if (state.status !== 'unknown' && state.status !== 'suspended') return
      if (options.hint.mayHaveSession()) await refresh(undefined)
      else show({ kind: 'signed-out' })
    },
    async token() {
      if (grant && grant.expiresAt - now() < marginMs) await refresh(grant.accessToken)
      await resumed?.promise
      return grant?.accessToken
    },
    async renew(rejected) {
      if (grant?.accessToken === rejected) await refresh(rejected)
      await resumed?.promise
      return grant?.accessToken
    },
    renewNow: () => refresh(grant?.accessToken),
    adopt: (signedIn) => signIn(toGrant(signedIn)),
    update(user) {
      if (grant) signIn({ ...grant, user })
    },
    async signOut() {
      const token = grant?.accessToken
      announce({ kind: 'signed-out' })
      await options.logOut(token)
    },
  }
}
