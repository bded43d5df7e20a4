import type { Scope } from '../values/api-key.ts'
import { FairleadError } from '../values/fairlead-error.ts'
import type { Role } from '../values/user.ts'
import type { Caller } from './caller.ts'

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
