import { createAttemptLimits } from '../access/attempt-limits.ts'
import { createAuthenticator } from '../access/authenticator.ts'
import { createSessionTokens } from '../access/session-tokens.ts'
import { createKey } from '../operations/keys/create-key.ts'
import { getKey } from '../operations/keys/get-key.ts'
import { listKeys } from '../operations/keys/list-keys.ts'
import { revokeKey } from '../operations/keys/revoke-key.ts'
import { rotateKey } from '../operations/keys/rotate-key.ts'
import { endSession } from '../operations/sessions/end-session.ts'
import { listSessions } from '../operations/sessions/list-sessions.ts'
import { login } from '../operations/sessions/login.ts'
import { logout } from '../operations/sessions/logout.ts'
import { refresh } from '../operations/sessions/refresh.ts'
import { signup } from '../operations/sessions/signup.ts'
import { getUsageTimeseries } from '../operations/usage/get-usage-timeseries.ts'
import { getUsage } from '../operations/usage/get-usage.ts'
import { createUser } from '../operations/users/create-user.ts'
import { deleteUser } from '../operations/users/delete-user.ts'
import { getUser } from '../operations/users/get-user.ts'
import { listUsers } from '../operations/users/list-users.ts'
import { updateUser } from '../operations/users/update-user.ts'
import { noPasswords, type PasswordHasher } from '../ports/password-hasher.ts'
import { defineFeature, type Feature } from '../runtime/feature.ts'

export interface AccountsOptions {
  /** Default: password login is disabled. */
  readonly passwords?: PasswordHasher
  /** Whether anyone may sign up. Default: true. */
  readonly signup?: boolean
}

const accountOperations = {
  sessions: { signup, login, refresh, logout, list: listSessions, end: endSession },
  apiKeys: { list: listKeys, create: createKey, get: getKey, revoke: revokeKey, rotate: rotateKey },
  users: { list: listUsers, create: createUser, get: getUser, update: updateUser, delete: deleteUser },
  usage: { get: getUsage, timeseries: getUsageTimeseries },
} as const

/** Users, sessions, API keys, quotas and usage: who may call the service, and how often. */
export function accounts({ passwords = noPasswords, signup: open = true }: AccountsOptions = {}): Feature<
  typeof accountOperations
> {
  return defineFeature({
    name: 'accounts',
    operations: accountOperations,
    sections: [
      {
        name: 'Authentication',
        description: 'Sign-up, login and sessions for people. Programs use API keys.',
        segments: ['auth', 'sessions'],
      },
      { name: 'API keys', description: 'Credentials for programs.', segments: ['api-keys'] },
      { name: 'Usage', description: 'Usage and remaining quota.', segments: ['usage'] },
      { name: 'Users', description: 'User accounts.', segments: ['users'], prefix: '/api/v1' },
    ],
    setUp({ stores, clock, log, keyring }) {
      const authenticator = createAuthenticator(stores, clock, log)
      const sessionTokens = createSessionTokens(keyring)
      return {
        authenticator,
        services: { authenticator, passwords, attempts: createAttemptLimits(clock), sessionTokens, signup: open },
      }
    },
  })
}
