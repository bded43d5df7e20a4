import { credentialName, isId, lruCache, parseNetworks } from '@fairlead/core/feature'
import { isFuture, type KeyLimits, type Scope } from '@fairlead/core/stores'
import { type FeatureContext, FairleadError, type Account, type Authenticator } from '@fairlead/core'
import type { AccessGrant, KeyGrant, AccountStores, AccountView } from './account-stores.ts'
import { toBudgets } from './budget-fields.ts'
import { findLineage } from './keys/ancestors.ts'
import { type ApiKeyRow, maxGraceMs } from './keys/key.ts'
import { invalidRequest } from '@fairlead/core/adapter'
import { budgetOfOwner, isProject, monthlyLimit, type Owner } from './owner.ts'
import { ifSuspended, rejectionOfProject } from './projects/project-rejection.ts'
import { type AdminSecondFactor, lacksPasskey } from './passkeys/required-passkey.ts'
import { findPayer } from './projects/payer.ts'
import { personalProjectId, projectNotFound } from './projects/project.ts'
import { accessLifeMs } from './sessions/session.ts'
import { hashToken, prefixOfToken, type TokenPrefix } from './sessions/tokens.ts'
import { actingAs, isUser, type UserRow } from './users/user.ts'

/** How long the account of a token is cached: another node's revocation takes effect within this time. */
const knownCachedForMs = 5_000
/** How long an unknown token is cached. */
const unknownCachedForMs = 1_000
const maxEntries = 10_000
/** How often `lastUsedAt` of a key or a session is updated at most. */
const touchEveryMs = 60_000

/** The stored state of a token. Immutable: a fresh read replaces the whole entry. */
interface Entry {
  /** Undefined where the token is unknown. */
  readonly account: Account | undefined
  readonly rejection: FairleadError | undefined
  /** When the token expires, in milliseconds since the epoch; null is never. */
  readonly endsAt: number | null
  /** The earliest possible time of issue, for tokens with a fixed lifetime. */
  readonly startsAt: number | null
  readonly lastUsedAt: number | null
  /** Why the token may not act for the project that the request names. Undefined if it may, and if none is named. */
  readonly denial?: FairleadError | undefined
}

type CachedEntry = Entry & { readonly readAt: number; readonly cachedForMs: number }

/** A user or a project whose access has changed, or one of its keys or sessions. */
export type AccessSubject = { readonly userId: string } | { readonly credentialId: string }

/** An authenticator with a cache that can be invalidated. */
export interface AccountAuthenticator extends Authenticator {
  /** Removes a user, a project or a credential from the cache: the next request reads it from the store. */
  forget(subject: AccessSubject): void
}

/** Caches tokens for a few seconds, so that most requests need no store query. */
export function createAuthenticator(
  { stores, clock, log, scopes }: FeatureContext<AccountStores>,
  adminSecondFactor: AdminSecondFactor = 'optional',
): AccountAuthenticator {
  const entries = lruCache<CachedEntry>(maxEntries)
  const touched = lruCache<number>(maxEntries)
  /** Incremented by `forget`: a read that began before it may return outdated data and is not cached. */
  let epoch = 0
  const listeners = new Set<{ readonly account: Account; readonly call: () => void }>()

  /** The accounts of rejected credentials, for the log of requests of the account. */
  const rejected = new WeakMap<FairleadError, Account>()

  function toRejection(account: Account, error: FairleadError): FairleadError {
    rejected.set(error, account)
    return error
  }

  async function readEntry(name: string, secretHash: string, prefix: TokenPrefix, project?: string): Promise<Entry> {
    const begunAt = clock.now()
    const begunIn = epoch
    const entry = await stores.read(async (view) => {
      if (prefix === 'fl_') return forProject(await ofKey(view, await view.keys.findBySecretHash(secretHash)), project)
      const grant = await view.sessions.findByAccessHash(secretHash)
      const own = ofSession(grant, scopes)
      const acting = grant && project !== undefined ? await ofMember(view, own, grant, project) : own
      const isLimited = grant && (await lacksPasskey(view, adminSecondFactor, grant.user, grant.session))
      return isLimited ? withoutPasskey(acting) : acting
    })
    // Another node may add the passkey.
    const cachedForMs = entry.account && !entry.account.lacksPasskey ? knownCachedForMs : unknownCachedForMs
    if (begunIn === epoch) entries.set(name, { ...entry, readAt: begunAt, cachedForMs })
    return entry
  }

  function admit({ account, rejection, endsAt, startsAt, lastUsedAt, denial }: Entry, tokenKind: string): Account {
    const now = clock.now()
    if (!account) throw unauthorized(`The ${tokenKind} is unknown.`)
    if (rejection) throw toRejection(account, rejection)
    if (endsAt !== null && endsAt <= now) {
      throw toRejection(account, unauthorized(`The ${tokenKind} has expired.`))
    }
    // Otherwise a token that was issued while the clock was ahead would be valid for too long.
    if (startsAt !== null && isFuture(startsAt, now)) throw unauthorized(`The ${tokenKind} is not valid yet.`)
    if (denial) throw toRejection(account, denial)
    touch(account.credential, lastUsedAt, now)
    return account
  }

  /** Runs in the background: the request neither waits for it nor fails with it. */
  function touch({ kind, id }: Account['credential'], lastUsedAt: number | null, now: number): void {
    const unlessSince = now - touchEveryMs
    const isRecent = (instant = -Infinity) => instant > unlessSince && !isFuture(instant, now)
    if (isRecent(lastUsedAt ?? undefined) || isRecent(touched.get(id))) return
    touched.set(id, now)
    stores
      .transact((tx) => (kind === 'key' ? tx.keys : tx.sessions).touch(id, now, unlessSince))
      .catch((error: unknown) =>
        log.warn({ error }, `could not record the last use of ${kind === 'key' ? 'an API key' : 'a session'}`),
      )
  }

  return {
    authenticate(token, maxAgeMs = Infinity, project = undefined) {
      const tokenKind = token.startsWith('fls_') ? 'access token' : 'API key'
      const secretHash = hashToken(token)
      if (project !== undefined) requireProjectId(project)
      const name = project === undefined ? secretHash : `${secretHash} ${project}`
      const entry = entries.get(name)
      // The absolute difference, so that entries expire even after the clock was set back.
      const isFresh = entry && Math.abs(clock.now() - entry.readAt) < Math.min(entry.cachedForMs, maxAgeMs)
      if (isFresh) return admit(entry, tokenKind)
      // A known token is well-formed, so that its checksum is not computed for every request.
      const prefix = prefixOfToken(token)
      if (!prefix) throw unauthorized(`The ${tokenKind} is malformed or mistyped.`)
      return readEntry(name, secretHash, prefix, project).then((fresh) => admit(fresh, tokenKind))
    },
    rejectedAccount: (error) => rejected.get(error),
    forget(subject) {
      epoch += 1
      for (const [secretHash, { account }] of entries.entries()) {
        if (account && belongsTo(account, subject)) entries.delete(secretHash)
      }
      for (const { account, call } of listeners) if (belongsTo(account, subject)) call()
    },
    onChange(account, call) {
      const listener = { account, call }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function belongsTo({ userId, credential, member, payer }: Account, subject: AccessSubject): boolean {
  if ('credentialId' in subject) return subject.credentialId === credential.id
  return [userId, member?.userId, payer].includes(subject.userId)
}

/** Throws `INVALID_REQUEST` for a malformed id, before the store is asked for it. */
function requireProjectId(project: string): void {
  if (isId(project, 'prj')) return
  throw invalidRequest({ field: 'X-Fairlead-Project', issue: 'must be the id of a project, such as prj_2144…' })
}

const unknown: Entry = { account: undefined, rejection: undefined, endsAt: null, startsAt: null, lastUsedAt: null }

async function ofKey(view: AccountView, grant: KeyGrant | undefined): Promise<Entry> {
  if (!grant) return unknown
  const { key, owner, secretExpiresAt } = grant
  const rejection = isProject(owner) ? await rejectionOfProject(view, owner) : ifSuspended(owner)
  const credential = { kind: 'key', id: key.id } as const
  return {
    account: createAccount(isUser(owner) ? actingAs(owner) : owner, key.scopes, credential, {
      keys: await findLineage(view, key),
      payer: await findPayer(view, owner),
    }),
    rejection: key.revokedAt === null ? rejection : unauthorized('The API key was revoked.'),
    endsAt: earlier(key.expiresAt, secretExpiresAt),
    startsAt: secretExpiresAt === null ? null : secretExpiresAt - maxGraceMs,
    lastUsedAt: key.lastUsedAt,
  }
}

/** @param scopes all of them: a session may do what its user may do */
function ofSession(grant: AccessGrant | undefined, scopes: readonly Scope[]): Entry {
  if (!grant) return unknown
  const { session, user, expiresAt } = grant
  return {
    account: createAccount(actingAs(user, session), scopes, { kind: 'session', id: session.id }, { sessionOf: user }),
    rejection: ifSuspended(user),
    endsAt: expiresAt,
    startsAt: expiresAt - accessLifeMs,
    lastUsedAt: Math.max(session.refreshedAt, session.lastUsedAt ?? 0),
  }
}

function withoutPasskey(entry: Entry): Entry {
  return entry.account ? { ...entry, account: { ...entry.account, lacksPasskey: true } } : entry
}

/** The entry of a key in a request that names a project, which must be its owner. */
function forProject(entry: Entry, project: string | undefined): Entry {
  if (!entry.account || project === undefined || project === personalProjectId(entry.account.userId)) return entry
  return { ...entry, denial: new FairleadError('FORBIDDEN', 'The API key belongs to another project.') }
}

/**
 * The entry of a session that acts for a project. Admins of the service are owners of every project.
 *
 * @param own the entry of the session without a project
 */
async function ofMember(
  view: AccountView,
  own: Entry,
  { session, user }: AccessGrant,
  projectId: string,
): Promise<Entry> {
  if (!own.account || projectId === personalProjectId(user.id)) return own
  const project = await view.projects.find(projectId)
  const role = own.account.role === 'admin' ? 'owner' : (await view.members.find(projectId, user.id))?.role
  if (!project || !role) return { ...own, denial: projectNotFound() }
  const payer = await findPayer(view, project)
  const account = {
    ...createAccount(project, own.account.scopes, { kind: 'session', id: session.id }, { sessionOf: user, payer }),
    member: { userId: user.id, role },
  }
  return { ...own, account, rejection: own.rejection ?? (await rejectionOfProject(view, project)) }
}

interface Lineage {
  /** The API key, and the keys that it descends from. Default: none, as for a session. */
  readonly keys?: readonly ApiKeyRow[]
  /** The user of a session, whose networks hold for it, and whose budget pays, too, for what it does in a project. */
  readonly sessionOf?: UserRow
  /** The user whose budget pays for a project. */
  readonly payer?: UserRow | undefined
}

function createAccount(
  owner: Owner,
  granted: readonly Scope[],
  credential: Account['credential'],
  { keys = [], sessionOf, payer }: Lineage,
): Account {
  const [key, ...ancestors] = keys
  const payers = distinct([owner, sessionOf, payer])
  const allowedNetworks = sessionOf?.allowedNetworks
  const limits = [
    ...(allowedNetworks ? [applied(credential.id, { allowedNetworks })] : []),
    ...keys.flatMap((each) => (each.limits ? [applied(each.id, each.limits)] : [])),
    ...payers.flatMap((each) => (isUser(each) && each.models ? [applied(each.id, { models: each.models })] : [])),
  ]
  const quotas = ancestors.flatMap(({ id, limits: own }) =>
    own?.quotaLimit === undefined || owner.quotaScope !== 'key' ? [] : { counter: id, limit: own.quotaLimit },
  )
  const budgets = toBudgets(
    ...keys.map((each) => ['key', each.id, each.limits ?? undefined] as const),
    ...payers.map(budgetOfOwner),
  )
  return {
    kind: 'account',
    userId: owner.id,
    role: owner.role,
    tier: owner.tier,
    scopes: granted,
    credential,
    counter: owner.quotaScope === 'key' ? credentialName(owner.id, credential) : owner.id,
    limit: monthlyLimit(owner, key?.limits?.quotaLimit),
    limits: limits.length > 0 ? limits : undefined,
    sharedQuotas: quotas.length > 0 ? quotas : undefined,
    budgets: budgets
      ?.map((budget) => ({ ...budget, isInherited: budget.kind === 'key' && budget.id !== credential.id }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    payer: payer?.id,
    member: undefined,
  }
}

function applied(keyId: string, limits: KeyLimits): NonNullable<Account['limits']>[number] {
  return { ...limits, keyId, networks: limits.allowedNetworks && parseNetworks(limits.allowedNetworks) }
}

/** Each once: the user of a session can be the owner, or pay for the project. */
function distinct(owners: readonly (Owner | undefined)[]): readonly Owner[] {
  return [...new Map(owners.flatMap((owner) => (owner ? [[owner.id, owner] as const] : []))).values()]
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

function unauthorized(message: string): FairleadError {
  return new FairleadError('UNAUTHORIZED', message)
}
