import type { components } from '../api/schema.d.ts'

export type User = components['schemas']['User']

/** Messages to other tabs. Access tokens stay in the memory of the tabs of this origin. */
export type SessionMessage = { readonly kind: 'signed-in'; readonly grant: Grant } | { readonly kind: 'signed-out' }

/** An access token, and the user that it belongs to. */
export interface Grant {
  readonly user: User
  readonly accessToken: string
  /** In milliseconds since the epoch. */
  readonly expiresAt: number
}

/** The response of login, signup, refresh, and exchange in cookie mode. */
export interface SignedIn {
  readonly user: User
  readonly access_token: string
  readonly expires_in: number
}

export type SessionStatus = 'unknown' | 'signed-in' | 'signed-out'

/** The state of the session. The object is replaced on each change. */
export interface SessionState {
  readonly status: SessionStatus
  readonly user: User | undefined
}

export interface SessionOptions {
  /** Requests a new access token with the cookie. Resolves to undefined if the session has ended; rejects if unknown. */
  refresh(): Promise<SignedIn | undefined>
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
  /** Resolves once it is known whether the browser has a session. */
  start(): Promise<void>
  /** An access token that is valid for a while. Undefined when signed out. */
  token(): Promise<string | undefined>
  /** Replaces an access token that the service rejected. Resolves to undefined if the session has ended. */
  renew(rejected: string | undefined): Promise<string | undefined>
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
  let cancelTimer = () => {}

  function show(next: Grant | undefined): void {
    grant = next
    cancelTimer()
    if (grant) cancelTimer = options.setTimer(refreshSoon, Math.max(0, grant.expiresAt - marginMs - now()))
    state = { status: grant ? 'signed-in' : 'signed-out', user: grant?.user }
    for (const listener of listeners) listener()
  }

  function announce(next: Grant | undefined): void {
    show(next)
    channel.post(next ? { kind: 'signed-in', grant: next } : { kind: 'signed-out' })
  }

  channel.onMessage((message) => show(message.kind === 'signed-in' ? message.grant : undefined))

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
        if (grant === before) announce(signedIn && toGrant(signedIn))
      })
      .finally(() => (refreshing = undefined))
    return refreshing
  }

  function toGrant({ user, access_token, expires_in }: SignedIn): Grant {
    return { user, accessToken: access_token, expiresAt: now() + expires_in * 1000 }
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
      if (state.status === 'unknown') await refresh(undefined)
    },
    async token() {
      if (grant && grant.expiresAt - now() < marginMs) await refresh(grant.accessToken)
      return grant?.accessToken
    },
    async renew(rejected) {
      if (grant?.accessToken === rejected) await refresh(rejected)
      return grant?.accessToken
    },
    adopt: (signedIn) => announce(toGrant(signedIn)),
    update(user) {
      if (grant) announce({ ...grant, user })
    },
    async signOut() {
      const token = grant?.accessToken
      announce(undefined)
      await options.logOut(token)
    },
  }
}
