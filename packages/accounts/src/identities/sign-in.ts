import * as z from 'zod'
import { FairleadError, type Issue, type OperationRun } from '@fairlead/core'
import { namedObject, namedStrictObject, smallCount } from '@fairlead/core/feature'
import { projectId, projectRole } from '../projects/project.ts'
import { type AccountServices, write } from '../services.ts'
import { addSession } from '../sessions/login.ts'
import { browserSecret, signInTokenLifeMs } from '../sessions/sign-in-token.ts'
import { bucketName } from '../sessions/throttles.ts'
import type { AccountTransaction, SessionRow } from '../account-stores.ts'
import { type UserRow, toUserRecord, userFields, userRecord } from '../users/user.ts'
import { applyGrants } from './grants.ts'
import { type UserDefaults, withDefaults } from '../users/user-defaults.ts'
import { addUser } from '../users/users.ts'
import { withVerifiedEmail } from '../users/verify-email.ts'

/** Only the embedding program may vouch for an identity: no adapter has these operations. */
const forPrograms = { access: { scope: 'users', role: 'admin' }, metered: false } as const

const names = {
  issuer: z
    .string()
    .min(1)
    .max(1_000)
    .describe('The issuer of the identity, such as the URL of an OpenID Connect provider.'),
  subject: z.string().min(1).max(1_000).describe('The issuer’s id of the user, which never belongs to another person.'),
  issuerSession: z.string().min(1).max(1_000).describe('The issuer’s id of the session (`sid`), if it has one.'),
}

const input = z.strictObject({
  issuer: names.issuer,
  subject: names.subject,
  email: userFields.email,
  emailVerified: z.boolean().default(false).describe('Whether the issuer knows that the email address is the user’s.'),
  name: userFields.name,
  role: userFields.role.optional().describe('The role from now on. Default: unchanged; `member` for a new user.'),
  tier: userFields.tier.optional().describe('The tier from now on. Default: unchanged; `free` for a new user.'),
  projects: z
    .array(
      namedStrictObject('IdentityProject', 'A project, and the role that an identity gives in it.', {
        projectId,
        role: projectRole.nullable().describe('The role in the project. Null: the user is no member.'),
      }),
    )
    .max(1_000)
    .optional()
    .describe('The roles in projects from now on. Default: unchanged, as in projects that are not among them.'),
  issuerSession: names.issuerSession.optional(),
  issuerToken: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      'The token with which `confirmIdentity` confirms the session, at least daily, such as a refresh token. Stored encrypted. Default: the user signs in again after 24 hours.',
    ),
  browser: browserSecret
    .optional()
    .describe(
      'A random secret of the browser that began the sign-in, which alone can exchange the token: keep it in a cookie. Default: the token works in any browser.',
    ),
  linkByEmail: z
    .boolean()
    .default(false)
    .describe(
      'Whether the identity gets the account with its verified email address even if that account has a password.',
    ),
})

type VerifiedIdentity = z.output<typeof input>

/**
 * Signs in the user of an identity that the program has verified. The user is created at the first sign-in. An account that
 * exists with the email address is linked only if the issuer has verified the address; and, because members choose their own
 * address, only if the account has no password, or with `linkByEmail`.
 */
export const signInWithIdentity = write({
  name: 'signInWithIdentity',
  summary: 'Signs in the user of an identity that the program has verified, such as with OpenID Connect.',
  ...forPrograms,
  input,
  output: namedObject('IdentitySignIn', 'The result of signing in with an identity.', {
    user: userRecord.describe('The user, who is new at the first sign-in.'),
    token: z.string().describe('A token to exchange once, within 15 minutes, for the tokens of the session.'),
  }),
  errors: ['FORBIDDEN', 'CONFLICT'],
  prepare: ({ signInTokens, issuerTokens, userDefaults }, _call, identity) => ({
    identity,
    signInTokens,
    issuerTokens,
    userDefaults,
  }),
  async apply(tx, call, { identity, signInTokens, issuerTokens, userDefaults }) {
    call.auditFailure({ type: 'user', id: null })
    // Two browser tabs can sign in at the same time.
    await tx.lock(bucketName('identity', identity.issuer, identity.subject))
    const { issuer, subject, issuerToken: token } = identity
    const user = await applyGrants(tx, call, await findOrCreateUser(tx, call, identity, userDefaults), identity)
    const session = await addSession(tx, call, user, {
      generation: 0,
      expiresAt: call.at + signInTokenLifeMs,
      issuerSession: sessionName(identity) ?? null,
      confirmedAt: call.at,
      issuerToken: (id) => (token === undefined ? null : issuerTokens.seal({ issuer, subject, token }, id)),
    })
    return { user: toUserRecord(user), token: signInTokens.issueFor(session.id, call.at, identity.browser) }
  },
})

async function findOrCreateUser(
  tx: AccountTransaction,
  call: OperationRun,
  identity: VerifiedIdentity,
  defaults: UserDefaults,
): Promise<UserRow> {
  const { issuer, subject, email, emailVerified, name } = identity
  const known = await tx.identities.find(issuer, subject)
  const user = known && (await tx.users.take(known.userId))
  if (user) return verifiedBy(tx, call, identity, user)
  const linked = await linkedUser(tx, identity)
  const owner = linked
    ? await verifiedBy(tx, call, identity, linked)
    : await addUser(tx, call, { email, emailVerified, name, ...withDefaults({}, defaults) })
  await tx.identities.add({ issuer, subject, userId: owner.id, createdAt: call.at })
  call.audit({ target: { type: 'user', id: owner.id }, after: { issuer, subject } })
  return owner
}

/** Notes that the address of the user is theirs, if the issuer knows it. */
async function verifiedBy(
  tx: AccountTransaction,
  call: OperationRun,
  { email, emailVerified }: VerifiedIdentity,
  user: UserRow,
): Promise<UserRow> {
  return emailVerified && email === user.email ? withVerifiedEmail(tx, call, user) : user
}

/** The account with the email address of a new identity. Throws `CONFLICT` if it may belong to another person. */
async function linkedUser(tx: AccountTransaction, identity: VerifiedIdentity): Promise<UserRow | undefined> {
  const found = await tx.users.findByEmail(identity.email)
  const user = found && (await tx.users.take(found.id))
  if (!user) return undefined
  if (!identity.emailVerified) {
    throw taken({ field: 'emailVerified', issue: 'must be true to get the account with this email address' })
  }
  const others = await tx.identities.ofUser(user.id)
  const hasPassword = (await tx.users.passwordHash(user.id)) !== undefined
  if (others.some(({ issuer }) => issuer === identity.issuer) || (hasPassword && !identity.linkByEmail)) {
    throw taken({ field: 'email', issue: 'belongs to an account that is not linked to this identity' })
  }
  return user
}

function taken(issue: Issue): FairleadError {
  return new FairleadError('CONFLICT', 'An account with this email address already exists.', { issues: [issue] })
}

/** How long a logout token is known, at least as long as a program may accept it. */
const logoutTokenLifeMs = 60 * 60_000

/**
 * Ends sessions because the user has logged out at the issuer: the one that belongs to the issuer's session, or else
 * all of the user.
 */
export const endIdentitySessions = write({
  name: 'endIdentitySessions',
  summary: 'Ends the sessions of a user who has logged out at the issuer of their identity.',
  ...forPrograms,
  input: z.strictObject({
    issuer: names.issuer,
    subject: names.subject.optional(),
    issuerSession: names.issuerSession.optional(),
    tokenId: z.string().min(1).max(1_000).describe('The id of the logout token (`jti`), which is accepted once.'),
  }),
  output: namedObject('EndedSessions', 'The sessions that were ended.', {
    ended: smallCount.describe('The number of sessions that were ended.'),
  }),
  errors: ['CONFLICT'],
  async apply(tx, call, { issuer, subject, issuerSession, tokenId }) {
    const rule = { at: call.at, windowMs: logoutTokenLifeMs, max: 1 }
    const { granted } = await tx.throttles.hit(bucketName('logout token', issuer, tokenId), rule)
    if (!granted) throw new FairleadError('CONFLICT', 'The logout token was used before.')
    const identity = subject === undefined ? undefined : await tx.identities.find(issuer, subject)
    const ofUser = identity ? await tx.sessions.ofUser(identity.userId) : []
    const name = sessionName({ issuer, issuerSession })
    const sessions = name === undefined ? ofUser : await ofIssuerSession(tx, name, ofUser)
    const ids = sessions.map(({ id }) => id)
    await tx.sessions.remove(ids)
    for (const { id, userId: actor } of sessions) {
      call.audit({ target: { type: 'session', id }, by: { actor, credential: id } })
    }
    call.afterCommit(({ authenticator }: AccountServices) =>
      ids.forEach((id) => authenticator.forget({ credentialId: id })),
    )
    return { ended: ids.length }
  },
})

/** Hashed together with the issuer, whose ids another issuer may use, too. */
function sessionName({
  issuer,
  issuerSession,
}: Pick<VerifiedIdentity, 'issuer' | 'issuerSession'>): string | undefined {
  return issuerSession === undefined ? undefined : bucketName('session', issuer, issuerSession)
}

/** Sessions of the user that name no session of the issuer may belong to it, too. */
async function ofIssuerSession(
  tx: AccountTransaction,
  name: string,
  ofUser: readonly SessionRow[],
): Promise<readonly SessionRow[]> {
  const found = await tx.sessions.ofIssuerSession(name)
  return found.length > 0 ? found : ofUser.filter((session) => session.issuerSession === null)
}
