import type { Budget } from './budgets/budget.ts'
import type { AppliedLimits } from './key-limits.ts'
import type { Quota } from './quota/quota.ts'
import { FairleadError, type FailureReason } from './errors.ts'

/** A permission of a credential. Features bring them. */
export type Scope = string

export type Role = 'admin' | 'member'

/** The tiers of users, each with a monthly quota. For `enterprise`, each user has a separate one. */
export const tiers = ['free', 'pro', 'enterprise'] as const
export type Tier = (typeof tiers)[number]

export type Credentials =
  /** The embedding program: trusted, and without a quota. */
  | { readonly kind: 'embedded'; /** Default: admin. */ readonly role?: Role }
  /** `project` is the id of the project for which a session acts. Default: the user of the session. */
  | { readonly kind: 'bearer'; readonly token: string; readonly project?: string | undefined }
  | { readonly kind: 'none' }

export type Caller = { readonly kind: 'embedded'; readonly role: Role } | { readonly kind: 'anonymous' } | Account

/** The roles of the members of a project. Each may do what those before it may. */
export const projectRoles = ['viewer', 'developer', 'admin', 'owner'] as const
export type ProjectRole = (typeof projectRoles)[number]

/** Whether a role in a project may do what another one may. */
export function includesRole(role: ProjectRole, other: ProjectRole): boolean {
  return projectRoles.indexOf(role) >= projectRoles.indexOf(other)
}

/** A user or a project, authenticated by one of their credentials. */
export interface Account {
  readonly kind: 'account'
  /**
   * The owner of what the account reads, changes and uses: a user (`usr_…`), or a project (`prj_…`) for which an API key or a
   * member acts. For who acts, see `actingUser`.
   */
  readonly userId: string
  /** In a project: `member`, also for the admins of the service. */
  readonly role: Role
  readonly tier: Tier
  readonly scopes: readonly Scope[]
  readonly credential: { readonly kind: 'key' | 'session'; readonly id: string }
  /** The name of the quota counter: the credential's, or the user's if all credentials of the user share a quota. */
  readonly counter: string
  /** Metered operations per month; null means no limit. */
  readonly limit: number | null
  /**
   * Of the API key, and of the keys that it descends from; of a session, the networks of its user. Undefined if none has
   * limits.
   */
  readonly limits: readonly AppliedLimits[] | undefined
  /** The monthly quotas of the keys that the API key descends from. Undefined if none has one. */
  readonly sharedQuotas: readonly Quota[] | undefined
  /**
   * The budgets of the key, the keys that it descends from, the user, the project and its payer. Undefined if none
   * applies. In the order of their ids, in which transactions lock them.
   */
  readonly budgets: readonly Budget[] | undefined
  /** The id of the user who created the project and whose budget pays for it. Undefined for none. */
  readonly payer?: string | undefined
  /** The user who acts in a project, in a session. Undefined outside of projects, and for API keys. */
  readonly member?: { readonly userId: string; readonly role: ProjectRole } | undefined
  /** Whether this is a session of an admin who needs a passkey, and has none. It may only add one. Default: no. */
  readonly lacksPasskey?: true
}

/** The user who acts. For an API key of a project, the project. */
export function actingUser({ member, userId }: Account): string {
  return member ? member.userId : userId
}

/** The ids of an authenticated caller. They contain no secrets. */
export interface IdentifiedCaller {
  readonly userId: string
  /** The id of the API key, if the request was authenticated with one. */
  readonly keyId?: string
  /** The id of the session, if the request was authenticated with an access token. */
  readonly sessionId?: string
}

/** The name of a credential in records of its usage. All sessions of a user share one. */
export function credentialName(userId: string, { kind, id }: Account['credential']): string {
  return kind === 'key' ? id : userId
}

export function toIdentified({ userId, credential }: Account): IdentifiedCaller {
  return { userId, [credential.kind === 'key' ? 'keyId' : 'sessionId']: credential.id }
}

/**
 * The only owner whose records the caller may see; undefined for all owners, as for admins and embedding programs.
 *
 * @example
 *   const only = visibleOwner(call.caller)
 *   if (!note || (only !== undefined && note.userId !== only)) throw new FairleadError('NOT_FOUND', 'Note not found.')
 */
export function visibleOwner(caller: Caller): string | undefined {
  return caller.kind === 'account' && caller.role !== 'admin' ? caller.userId : undefined
}

/**
 * The user whose records a list shows; undefined for all users, and null for none, because the caller may not see the
 * records of the user that it asks for.
 */
export function listedOwner(caller: Caller, asked: string | undefined): string | undefined | null {
  const only = visibleOwner(caller)
  return only === undefined || asked === undefined || asked === only ? (asked ?? only) : null
}

/** The permissions that an operation requires. */
export type Access =
  | {
      readonly scope: Scope
      /** Default: any role. */
      readonly role?: Role
      /**
       * The least role of members who may call it in a project, in place of `role`. Operations about the user who acts allow
       * every member. Default: `viewer` for what only reads, `developer` for all else; none with a `role`.
       */
      readonly inProject?: ProjectRole
      /** Whether it needs a session, because a leaked API key must not change how its user logs in. Default: no. */
      readonly sessionOnly?: true
      /** Whether an admin may call it who needs a passkey, and has none. Default: no. */
      readonly beforePasskey?: true
    }
  /** No credential: for operations such as login. */
  | { readonly anonymous: true }

/** The kinds of operations, as far as access depends on them. */
type OperationKind = 'read' | 'write' | 'action' | 'subscription'

/**
 * Throws `FORBIDDEN` if the caller's role or scopes do not allow the operation.
 *
 * @param kind the kind of the operation. Default: it reads
 */
export function authorize(caller: Caller, access: Access, kind: OperationKind = 'read'): void {
  if (caller.kind === 'anonymous' || 'anonymous' in access) return
  if (caller.kind === 'account' && caller.lacksPasskey && !access.beforePasskey) throw passkeyRequired()
  if (caller.kind === 'account' && access.sessionOnly && caller.credential.kind === 'key') {
    throw new FairleadError('FORBIDDEN', 'An API key cannot change how its user logs in: log in first.')
  }
  const least = caller.kind === 'account' && caller.member ? leastRole(access, kind) : undefined
  if (least !== undefined) requireProjectRole(caller, least)
  else if (access.role !== undefined && caller.role !== access.role) {
    throw new FairleadError('FORBIDDEN', `This requires the role "${access.role}".`)
  }
  if (caller.kind === 'account' && !caller.scopes.includes(access.scope)) {
    throw new FairleadError('FORBIDDEN', `The credential lacks the scope "${access.scope}".`)
  }
}

function passkeyRequired(): FairleadError {
  const reason: FailureReason = 'passkey_required'
  return new FairleadError('FORBIDDEN', 'Admins of this service need a passkey. Add one to your account first.', {
    facts: { reason },
  })
}

/** Undefined if only the admins of the service may call it. */
function leastRole({ role, inProject }: Exclude<Access, { anonymous: true }>, kind: OperationKind) {
  if (inProject !== undefined) return inProject
  if (role !== undefined) return undefined
  return kind === 'read' || kind === 'subscription' ? 'viewer' : 'developer'
}

function requireProjectRole(caller: Caller, least: ProjectRole): void {
  if (caller.kind !== 'account' || !caller.member || includesRole(caller.member.role, least)) return
  const others = least === 'owner' ? '' : ' or a higher one'
  throw new FairleadError('FORBIDDEN', `This requires the role "${least}"${others} in the project.`)
}

/** Authenticates credentials. Throws `UNAUTHORIZED` for invalid ones, and `FORBIDDEN` for a suspended user. */
export function identify(
  authenticator: Authenticator | undefined,
  credentials: Credentials,
  access: Access,
): Caller | Promise<Caller> {
  switch (credentials.kind) {
    case 'embedded':
      return { kind: 'embedded', role: credentials.role ?? 'admin' }
    case 'bearer':
      if (!authenticator) throw new FairleadError('UNAUTHORIZED', 'This service has no accounts and accepts no tokens.')
      return 'anonymous' in access
        ? authenticateOrAnonymous(authenticator, credentials.token)
        : authenticator.authenticate(credentials.token, undefined, credentials.project)
    case 'none':
      if ('anonymous' in access) return { kind: 'anonymous' }
      throw new FairleadError('UNAUTHORIZED', 'This requires an API key: send it as "Authorization: Bearer <API key>".')
  }
}

/** Ignores an invalid token where none is required: a client with an expired token must be able to log in. */
async function authenticateOrAnonymous(authenticator: Authenticator, token: string): Promise<Caller> {
  try {
    return await authenticator.authenticate(token)
  } catch (error) {
    if (error instanceof FairleadError && error.code === 'UNAUTHORIZED') return { kind: 'anonymous' }
    throw error
  }
}

const bearer = /^Bearer +(\S+) *$/i

/**
 * Reads the bearer token of an `Authorization` header (RFC 6750, 2.1). Any other header counts as no credentials.
 *
 * @param project the header `X-Fairlead-Project`. Default: none
 */
export function bearerCredentials(header: string | null | undefined, project?: string | null): Credentials {
  const token = bearer.exec(header ?? '')?.[1]
  if (token === undefined) return { kind: 'none' }
  return typeof project === 'string' ? { kind: 'bearer', token, project } : { kind: 'bearer', token }
}

/** Access to an adapter over a core without `accounts()`, which requires one of the two. With `accounts()` they have no effect. */
export interface AdapterAccess {
  /** Returns whether a request with this bearer token is allowed. Default: see `anonymous`. */
  readonly authenticate?: (token: string | undefined) => boolean | Promise<boolean>
  /** Whether all requests are allowed. Default: false. */
  readonly anonymous?: boolean | undefined
}

/** Reads the headers `Authorization` and `X-Fairlead-Project`. */
export type ReadCredentials = (
  authorization: string | null | undefined,
  project?: string | null,
) => Credentials | Promise<Credentials>

/** Throws a `TypeError` if the core has no accounts and neither option is set. */
export function credentialsReader(
  { hasAccounts }: { readonly hasAccounts: boolean },
  { authenticate, anonymous = false }: AdapterAccess,
): ReadCredentials {
  if (hasAccounts) return bearerCredentials
  const member: Credentials = { kind: 'embedded', role: 'member' }
  if (authenticate) {
    return async (authorization) =>
      (await authenticate(bearer.exec(authorization ?? '')?.[1])) ? member : { kind: 'none' }
  }
  if (anonymous) return () => member
  throw new TypeError(
    'This core has no accounts. Add accounts() to the features of createFairlead, or give the adapter `authenticate` or `anonymous: true`.',
  )
}

/** Returns the caller's account. Throws `FORBIDDEN` for an embedding program, which has no keys, sessions, or usage. */
export function requireAccount(caller: Caller): Account {
  if (caller.kind === 'account') return caller
  throw new FairleadError('FORBIDDEN', 'This operation requires a user. Send the API key or access token of a user.')
}

/** The name that keeps a caller's cached responses, data, and share of the traffic apart from everyone else's. */
export function accountName(caller: Caller): string {
  return caller.kind === 'account' ? caller.userId : caller.kind
}

/** Authenticates tokens. The feature that has accounts provides it. */
export interface Authenticator {
  /**
   * Returns the account of a token. Throws or rejects with `UNAUTHORIZED` if it is malformed, unknown, revoked, or expired,
   * and with `FORBIDDEN` if the user is suspended.
   *
   * @param maxAgeMs how old a cached account may be, in milliseconds. Default: five seconds
   * @param project the id of the project for which the token acts; `NOT_FOUND` if its user is no member. Default: none
   */
  authenticate(token: string, maxAgeMs?: number, project?: string): Account | Promise<Account>
  /**
   * The account whose credential an error of `authenticate` rejects, such as an expired API key, for the log of requests of the
   * account. Undefined if it is not known. Default: it never is.
   */
  rejectedAccount?(error: FairleadError): Account | undefined
  /** Calls back when this node may have changed an account's access. Returns how to stop. Default: streams are checked later. */
  onChange?(account: Account, listener: () => void): () => void
}
