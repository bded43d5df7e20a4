import { useIsAdmin } from '../../projects/current-project.ts'
import { useUser } from '../../session/use-session.ts'

/** In place of the id of a user: all users. */
export const everyone = 'all'

/** Whose usage the overview shows. Only admins can choose. */
export interface WhoseUsage {
  readonly isAdmin: boolean
  readonly isOwn: boolean
  readonly isEveryone: boolean
  /** For `/usage`. */
  readonly query: { readonly user_id?: string } | { readonly all_users?: boolean }
  /** The filter of the page Requests, which shows admins everyone's requests. */
  readonly requestsOf: { readonly user?: string }
}

/** @param chosen the id of a user, or `everyone`. Default: the signed-in user */
export function useWhoseUsage(chosen: string | undefined): WhoseUsage {
  const me = useUser()
  const isAdmin = useIsAdmin()
  if (!isAdmin) return { isAdmin, isOwn: true, isEveryone: false, query: {}, requestsOf: {} }
  const isOwn = chosen === undefined || chosen === me.id
  const isEveryone = chosen === everyone
  return {
    isAdmin,
    isOwn,
    isEveryone,
    query: isEveryone ? { all_users: true } : isOwn ? {} : { user_id: chosen },
    requestsOf: isEveryone ? {} : { user: chosen ?? me.id },
  }
}
