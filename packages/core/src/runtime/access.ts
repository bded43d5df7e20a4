import { FairleadError } from './errors.ts'

export const scopes = [
  'generate',
  'analyze',
  'models',
  'shipments',
  'users',
  'webhooks',
  'events',
  'keys',
  'usage',
] as const

/** What a credential may be used for. */
export type Scope = (typeof scopes)[number]

export const roles = ['admin', 'member'] as const
export type Role = (typeof roles)[number]

export const tiers = ['free', 'pro', 'enterprise'] as const
export type Tier = (typeof tiers)[number]

/** Who asks, as a transport presents it. */
export type Credentials =
  /** The embedding program itself: trusted, without quota. */
  | { readonly kind: 'embedded'; /** Default: admin. */ readonly role?: Role }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'none' }

/** Who asks, as core knows it. */
export type Caller = { readonly kind: 'embedded'; readonly role: Role } | { readonly kind: 'anonymous' } | Account

/** A user, known by one of its credentials. */
export interface Account {
  readonly kind: 'account'
  readonly userId: string
  readonly role: Role
  readonly tier: Tier
  readonly scopes: readonly Scope[]
  readonly credential: { readonly kind: 'key' | 'session'; readonly id: string }
  /** The counter on which this credential's requests count. */
  readonly counter: string
  /** Metered operations a month; null is without limit. */
  readonly limit: number | null
}

/** What a caller needs for an operation. */
export type Access =
  | {
      readonly scope: Scope
      /** Default: any. */
      readonly role?: Role
    }
  /** Nothing: for operations that come before any credential. */
  | { readonly anonymous: true }

/** Refuses, with `FORBIDDEN`, a caller whose role or scopes don't allow an operation. */
export function authorize(caller: Caller, access: Access): void {
  if (caller.kind === 'anonymous' || 'anonymous' in access) return
  if (access.role !== undefined && caller.role !== access.role) {
    throw new FairleadError('FORBIDDEN', `This requires the role "${access.role}".`)
  }
  if (caller.kind === 'account' && !caller.scopes.includes(access.scope)) {
    throw new FairleadError('FORBIDDEN', `The credential lacks the scope "${access.scope}".`)
  }
}

/** Turns credentials into a caller: 401 for what names nobody, 403 for a suspended user. */
export function identify(
  authenticator: Authenticator | undefined,
  credentials: Credentials,
  access: Access,
): Caller | Promise<Caller> {
  switch (credentials.kind) {
    case 'embedded':
      return { kind: 'embedded', role: credentials.role ?? 'admin' }
    case 'bearer':
      if (!authenticator) throw new FairleadError('UNAUTHORIZED', 'This service accepts no tokens: it has no accounts.')
      return 'anonymous' in access
        ? knownOrAnonymous(authenticator, credentials.token)
        : authenticator.authenticate(credentials.token)
    case 'none':
      if ('anonymous' in access) return { kind: 'anonymous' }
      throw new FairleadError('UNAUTHORIZED', 'This requires an API key: send it as "Authorization: Bearer <API key>".')
  }
}

/** Where no token is needed, one that has ended is no hindrance: logging in again is what it calls for. */
async function knownOrAnonymous(authenticator: Authenticator, token: string): Promise<Caller> {
  try {
    return await authenticator.authenticate(token)
  } catch (error) {
    if (error instanceof FairleadError && error.code === 'UNAUTHORIZED') return { kind: 'anonymous' }
    throw error
  }
}

const bearer = /^Bearer +(\S+) *$/i

/** The credentials in an `Authorization` header (RFC 6750, 2.1); anything but one bearer token counts as none. */
export function bearerCredentials(header: string | null | undefined): Credentials {
  const token = bearerToken(header)
  return token === undefined ? { kind: 'none' } : { kind: 'bearer', token }
}

function bearerToken(header: string | null | undefined): string | undefined {
  return bearer.exec(header ?? '')?.[1]
}

/** Who may call an adapter over a core without `accounts()`. One of the two is required there, and has no effect elsewhere. */
export interface AdapterAccess {
  /** Whether a caller with this bearer token may call. Default: see `anonymous`. */
  readonly authenticate?: (token: string | undefined) => boolean | Promise<boolean>
  /** Whether anyone may call. Default: false. */
  readonly anonymous?: boolean | undefined
}

/** Reads the credentials of a request from its `Authorization` header. */
export type ReadCredentials = (authorization: string | null | undefined) => Credentials | Promise<Credentials>

/** Throws a `TypeError` where nothing says who may call. */
export function credentialsReader(
  { hasAccounts }: { readonly hasAccounts: boolean },
  { authenticate, anonymous = false }: AdapterAccess,
): ReadCredentials {
  if (hasAccounts) return bearerCredentials
  const member: Credentials = { kind: 'embedded', role: 'member' }
  if (authenticate) {
    return async (authorization) => ((await authenticate(bearerToken(authorization))) ? member : { kind: 'none' })
  }
  if (anonymous) return () => member
  throw new TypeError(
    'This core has no accounts. Add accounts() to the features of createFairlead, or give the adapter `authenticate` or `anonymous: true`.',
  )
}

/** The user who asks. An embedding program is none, and has no keys, sessions or usage of its own. */
export function requireAccount(caller: Caller): Account {
  if (caller.kind === 'account') return caller
  throw new FairleadError('FORBIDDEN', 'This belongs to a user: ask with a user’s token.')
}

/** Tells apart those whose answers, data and shares of traffic are their own. */
export function accountName(caller: Caller): string {
  return caller.kind === 'account' ? caller.userId : caller.kind
}

/** Finds the account of a token. The feature that has accounts provides it. */
export interface Authenticator {
  /** The account of a token. Rejects one that is malformed, unknown, revoked, expired, or of a suspended user. */
  authenticate(token: string): Account | Promise<Account>
}
