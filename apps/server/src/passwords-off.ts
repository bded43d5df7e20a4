import { FairleadError } from '@fairlead/core'
import type { PasswordHasher } from '@fairlead/accounts'

/** For `FAIRLEAD_PASSWORDS=off`: refuses every login, and every new password. */
export const passwordsOff: PasswordHasher = {
  hash: () => reject('Passwords are disabled.'),
  verify: () => reject('Password login is disabled. Sign in with single sign-on.'),
  isOutdated: () => false,
}

async function reject(message: string): Promise<never> {
  throw new FairleadError('FORBIDDEN', message)
}
