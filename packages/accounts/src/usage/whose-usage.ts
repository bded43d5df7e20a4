import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod'
import { authorize, requireAccount, addTotals } from '@fairlead/core/feature'
import type { Caller } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import type { UsageQuery, UsageTotal } from '@fairlead/core/stores'
import type { AccountStores } from '../account-stores.ts'

/** The input fields that say whose usage is returned. */
export const whoseUsage = {
  userId: z
    .string()
    .max(64)
    .optional()
    .describe('Id of the user or the project. Only admins may name another one. Default: the caller.'),
  allUsers: z.boolean().optional().describe('Whether to return the usage of all users. For admins.'),
} as const

interface Whose {
  readonly userId?: string | undefined
  readonly allUsers?: boolean | undefined
}

/** Throws `FORBIDDEN` if the caller may not ask for all users, and `INVALID_REQUEST` if it also asks for one of them. */
export function requireAllUsersAllowed(caller: Caller, { userId, allUsers = false }: Whose): void {
  if (!allUsers) return
  authorize(caller, { scope: 'usage', role: 'admin' })
  if (userId !== undefined)
    throw invalidRequest({ field: 'allUsers', issue: 'cannot be combined with the id of a user' })
}

/** The user whose usage the caller asks for; undefined for all users. */
export function askedUser(caller: Caller, { userId, allUsers = false }: Whose): string | undefined {
  return allUsers ? undefined : (userId ?? requireAccount(caller).userId)
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The sums of all users in a period, added up in pieces: one query for all of it would block a process on SQLite. */
export async function totalsOfAll(stores: AccountStores, query: Omit<UsageQuery, 'userId'>): Promise<UsageTotal[]> {
  const totals = new Map<string, UsageTotal>()
  const pieceMs = query.by.includes('hour') ? 4 * hourMs : dayMs
  for (let from = query.from; from < query.to;) {
    const to = Math.min(query.to, (Math.floor(from / pieceMs) + 1) * pieceMs)
    const piece = { ...query, from, to }
    for (const total of await stores.read((view) => view.usage.totals(piece))) {
      const name = JSON.stringify(query.by.map((dimension) => total[dimension]))
      totals.set(name, { ...total, ...addTotals(total, totals.get(name)) })
    }
    from = to
    await nextTurn()
  }
  return [...totals.values()]
}
