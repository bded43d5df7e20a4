import type { AccountsMethods } from './methods.ts'
import type { Feature } from '@fairlead/core'
import { budgetEvents, operationsByName, quotaEvents } from '@fairlead/core/feature'
import { renewFingerprint } from './sessions/adopt-secret-key.ts'
import { createAttemptLimits } from './sessions/attempt-limits.ts'
import { createAuthenticator } from './authenticator.ts'
import { keyEvents, userEvents } from './events.ts'
import { type ConfirmIdentity, createIssuerTokens } from './identities/issuer-tokens.ts'
import { endIdentitySessions, signInWithIdentity } from './identities/sign-in.ts'
import { createKey, getKey, listKeys, revokeKey, rotateKey, updateKey } from './keys/keys.ts'
import { acceptInvitation, createInvitation, deleteInvitation, listInvitations } from './projects/invitations.ts'
import { createInvitationProofs, type InvitationMail } from './projects/invitation-mail.ts'
import { listMembers, removeMember, setMember } from './projects/members.ts'
import type { PasskeyCeremonies } from './passkeys/passkey.ts'
import type { AdminSecondFactor } from './passkeys/required-passkey.ts'
import { createPasskeyTokens } from './passkeys/passkey-tokens.ts'
import {
  addPasskey,
  listPasskeys,
  passkeyOptions,
  removePasskey,
  removePasskeys,
  updatePasskey,
} from './passkeys/passkeys.ts'
import { loginWithPasskey, passkeyLoginOptions } from './passkeys/sign-in-with-passkey.ts'
import { createProject, deleteProject, getProject, listProjects, updateProject } from './projects/projects.ts'
import { exchangeSignInToken, login, logout, refresh, signup } from './sessions/login.ts'
import { type PasswordHasher, noPasswords } from './sessions/passwords.ts'
import { createSessionTokens, defaultSessionDays } from './sessions/session.ts'
import { createSignInTokens } from './sessions/sign-in-token.ts'
import { getRequest, listRequests } from './usage/requests.ts'
import { endSession, listSessions } from './sessions/sessions.ts'
import type { AddressMail } from './users/address-mail.ts'
import { patchUser, updateUser } from './users/update-user.ts'
import { getUsageTimeseries } from './usage/usage-timeseries.ts'
import { getUsage } from './usage/usage.ts'
import type { UserDefaults } from './users/user-defaults.ts'
import { createUser, deleteUser, getUser, listUsers } from './users/users.ts'
import { createEmailTokens } from './users/email-tokens.ts'
import { sendEmailVerification, verifyEmail } from './users/verify-email.ts'
import { findKeyBudgets, findKeys, findKeyUsage, findUserBudgets } from './loaders.ts'
import { memoryAccounts, memoryThrottles } from './memory-accounts.ts'
import { type AccountServices, defineFeature } from './services.ts'

export interface AccountsOptions {
  /** Default: password login is disabled. */
  readonly passwords?: PasswordHasher | undefined
  /** Default: there are no passkeys, and users who have some cannot log in with their password. */
  readonly passkeys?: PasskeyCeremonies | undefined
  /**
   * `required`: a session of an admin that did not begin with an identity may only add a passkey until the admin has one.
   * Default: `optional`.
   */
  readonly adminSecondFactor?: AdminSecondFactor | undefined
  /** Whether anyone may sign up. Default: true. */
  readonly signup?: boolean | undefined
  /** How many days a session lasts, however often it is refreshed. `Infinity`: no limit. Default: 30. */
  readonly sessionDays?: number | undefined
  /**
   * Confirms, at least daily, a session that began with an identity and an `issuerToken`. Default: these users sign in again
   * after 24 hours.
   */
  readonly confirmIdentity?: ConfirmIdentity | undefined
  /** The budget and the models of new users, also of those who sign up or come with an identity. Default: no limits. */
  readonly defaults?: UserDefaults | undefined
  /** Mails an invitation that names an email address, once it is stored. Default: only the inviter gets the token. */
  readonly sendInvitation?: ((invitation: InvitationMail) => Promise<void>) | undefined
  /** Mails the link that verifies the email address of a user, or tells a former address of its change. Default: no mail. */
  readonly sendAddressMail?: ((mail: AddressMail) => Promise<void>) | undefined
}

const tree = {
  sessions: {
    signup,
    login,
    exchange: exchangeSignInToken,
    refresh,
    logout,
    list: listSessions,
    end: endSession,
    signIn: signInWithIdentity,
    endOfIdentity: endIdentitySessions,
  },
  passkeys: {
    list: listPasskeys,
    options: passkeyOptions,
    add: addPasskey,
    update: updatePasskey,
    remove: removePasskey,
    removeAll: removePasskeys,
    loginOptions: passkeyLoginOptions,
    login: loginWithPasskey,
  },
  apiKeys: { list: listKeys, create: createKey, get: getKey, update: updateKey, revoke: revokeKey, rotate: rotateKey },
  users: {
    list: listUsers,
    create: createUser,
    get: getUser,
    update: updateUser,
    patch: patchUser,
    delete: deleteUser,
    sendEmailVerification,
    verifyEmail,
  },
  projects: {
    list: listProjects,
    create: createProject,
    get: getProject,
    update: updateProject,
    delete: deleteProject,
    members: listMembers,
    setMember,
    removeMember,
    invitations: listInvitations,
    invite: createInvitation,
    deleteInvitation,
    acceptInvitation,
  },
  usage: { get: getUsage, timeseries: getUsageTimeseries },
  requests: { list: listRequests, get: getRequest },
} as const

/**
 * The operations of accounts by name, for `core.run`.
 *
 * @example
 *   await core.run(accountOperations.createApiKey, credentials, { name: 'shop' })
 */
export const accountOperations = operationsByName(tree)

/** Adds users, sessions, API keys, quotas, and usage. Callers then need an API key or an access token. */
export function accounts({
  passwords = noPasswords,
  passkeys,
  adminSecondFactor = 'optional',
  signup: open = true,
  sessionDays = defaultSessionDays,
  confirmIdentity,
  defaults = {},
  sendInvitation,
  sendAddressMail,
}: AccountsOptions = {}): Feature<typeof tree, AccountsMethods, AccountServices> {
  if (adminSecondFactor === 'required' && !passkeys) {
    throw new TypeError('accounts() needs `passkeys` for `adminSecondFactor: "required"`, or no admin could log in.')
  }
  return defineFeature({
    name: 'accounts',
    operations: tree,
    edges: {
      ApiKey: {
        usage: {
          description: 'Its usage this month. Null if it could not be used this month.',
          loader: findKeyUsage,
          idOf: ({ id }) => id,
        },
        budget: {
          description: 'The rest of its budget. Null without one.',
          loader: findKeyBudgets,
          idOf: idIfBudget,
        },
      },
      User: {
        budget: {
          description: 'The rest of the budget. Null without one.',
          loader: findUserBudgets,
          idOf: idIfBudget,
        },
      },
      CredentialUsage: {
        apiKey: { description: 'The API key. Null for sessions.', loader: findKeys, idOf: ({ id }) => id },
      },
    },
    events: [
      ...Object.values(userEvents),
      ...Object.values(keyEvents),
      ...Object.values(quotaEvents),
      ...Object.values(budgetEvents),
    ],
    sections: [
      {
        name: 'Authentication',
        description: 'Sign-up, login, passkeys and sessions for people. Programs use API keys.',
        segments: ['auth', 'sessions'],
      },
      { name: 'API keys', description: 'Credentials for programs.', segments: ['api-keys'] },
      {
        name: 'Usage',
        description: 'Usage, remaining quota, and the log of metered requests.',
        segments: ['usage', 'requests'],
      },
      { name: 'Users', description: 'User accounts.', segments: ['users'], prefix: '/api/v1' },
      {
        name: 'Projects',
        description: 'API keys, budgets and records that several users share.',
        segments: ['projects', 'invitations'],
      },
    ],
    scopes: {
      users: 'Read and change users.',
      keys: 'Read and change API keys and sessions.',
      projects: 'Read and change projects, their members and invitations.',
      usage: 'Read usage.',
    },
    memoryTables: ({ undo }) => ({ ...memoryAccounts(undo), throttles: memoryThrottles(undo) }),
    setUp(core) {
      const { clock, keyring, log, scopes } = core
      const authenticator = createAuthenticator(core, adminSecondFactor)
      const sessionTokens = createSessionTokens(keyring)
      return {
        authenticator,
        services: {
          authenticator,
          passwords,
          passkeys,
          passkeyTokens: createPasskeyTokens(keyring),
          adminSecondFactor,
          attempts: createAttemptLimits(clock),
          sessionTokens,
          signInTokens: createSignInTokens(keyring),
          signup: open,
          userDefaults: defaults,
          maxSessionMs: sessionDays * 24 * 3_600_000,
          confirmIdentity,
          issuerTokens: createIssuerTokens(keyring, log),
          mailInvitation:
            sendInvitation &&
            mailing(sendInvitation, ({ id: invitationId }, error) =>
              log.warn({ invitationId, error }, 'could not mail an invitation'),
            ),
          invitationProofs: createInvitationProofs(keyring),
          mailAddress:
            sendAddressMail &&
            mailing(sendAddressMail, ({ id: mailId, kind }, error) =>
              log.warn({ mailId, kind, error }, 'could not mail the address of a user'),
            ),
          emailTokens: createEmailTokens(keyring),
          scopes,
        },
        async removeExpired({ now, inBatches }) {
          await renewFingerprint(core.stores, keyring)
          await inBatches((tx, limit) => tx.sessions.purge(now, limit))
          await inBatches((tx, limit) => tx.throttles.purge(now, limit))
          await inBatches((tx, limit) => tx.invitations.purge(now, limit))
        },
      }
    },
  })
}

function idIfBudget({ id, budgetUsd }: Readonly<Record<string, unknown>>): unknown {
  return budgetUsd === null ? null : id
}

/** A failure is only logged: an inviter has the token, too, and a user can ask again. */
function mailing<Sent>(
  send: (mail: Sent) => Promise<void>,
  onFailure: (mail: Sent, error: unknown) => void,
): (mail: Sent) => Promise<void> {
  return async (mail) => {
    try {
      await send(mail)
    } catch (error) {
      onFailure(mail, error)
    }
  }
}
