import { FairleadError } from '../values/fairlead-error.ts'
import type { Authenticator } from './authenticator.ts'
import type { Access } from './authorize.ts'
import type { Caller, Credentials } from './caller.ts'

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
