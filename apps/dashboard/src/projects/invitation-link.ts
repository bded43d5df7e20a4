import { home } from '../home.ts'
import { keptToken } from '../kept-token.ts'

/** The token of an invitation to accept. */
export const invitationToken = keptToken('invitation')

/** A link that invites its reader. */
export function invitationLink(token: string): string {
  return `${home.href}#invitation=${token}`
}
