import * as z from 'zod'
import { requireAccount, tiers } from '../../runtime/access.ts'
import { endOf, periodOf, startOf } from '../../runtime/quota/quota.ts'
import { type User, monthlyLimit, visibleUser } from '../users/user.ts'
import { instant, namedObject, namedEnum } from '../../runtime/schema/field-schemas.ts'
import type { Call } from '../../runtime/run/call.ts'
import type { AccountStores } from '../stores.ts'
import type { UsageTotal } from '../../runtime/quota/usage.ts'
import { read } from '../services.ts'

const operationUsage = namedObject('OperationUsage', 'The usage of one operation.', {
  operation: z.string().describe('Operation name.'),
  requests: z.int().describe('Number of requests.'),
  errors: z.int().describe('Number of failed requests.'),
  charged: z.int().describe('Units charged.'),
  costUsd: z.number().describe('Cost in US dollars.'),
})

export const credentialUsage = namedObject('CredentialUsage', 'The usage of one credential this month.', {
  kind: namedEnum('CredentialKind', 'Kind of credential.', {
    key: 'An API key.',
    session: 'All sessions of a user.',
  }).describe('Kind of credential. All sessions of a user count as one.'),
  id: z.string().nullable().describe('API key id. Null for sessions.'),
  name: z.string().nullable().describe('API key name. Null for sessions.'),
  limit: z.int().nullable().describe('Requests per month. Null means no limit.'),
  used: z.int().describe('Units used this month.'),
  remaining: z.int().nullable().describe('Units left this month. Null means no limit.'),
  operations: z.array(operationUsage).describe('Usage by operation.'),
})

type CredentialUsage = z.output<typeof credentialUsage>

/** More than any tier allows per month. */
const maxKeys = 1_000

export const getUsage = read({
  name: 'usage',
  summary:
    'Returns this month’s usage and the remaining units of each credential of the caller or, for an admin, of another user.',
  access: { scope: 'usage' },
  metered: false,
  rest: { method: 'GET', path: '/usage' },
  graphql: { query: 'usage' },
  input: z.strictObject({
    userId: z.string().max(64).optional().describe('Id of the user. Default: the caller.'),
  }),
  output: namedObject('Usage', 'The usage of a user this month.', {
    period: z.string().describe('Current calendar month in UTC, as `YYYY-MM`.'),
    resetsAt: instant.describe('When the counters reset.'),
    tier: z.enum(tiers).describe('The user’s tier.'),
    credentials: z
      .array(credentialUsage)
      .describe('All sessions as one entry, then each API key that was usable this month.'),
  }),
  errors: ['NOT_FOUND'],
  run: ({ stores }, call, { userId }) => usageThisMonth(stores, call, userId),
})

/** This month's usage of each credential of a user, by default the caller. Throws `NOT_FOUND` if the caller may not see it. */
export function usageThisMonth(stores: AccountStores, { caller, at }: Pick<Call, 'caller' | 'at'>, named?: string) {
  const userId = named ?? requireAccount(caller).userId
  return stores.read(async (view) => {
    const user = visibleUser(caller, await view.users.find(userId))
    const { period: counted } = await view.counters.peek(userId)
    // A counter never returns to an earlier month, even if the clock does.
    const period = counted > periodOf(at) ? counted : periodOf(at)
    const from = startOf(period)
    const totals = await view.usage.totals({ userId, from, to: endOf(period), by: ['counter', 'operation'] })
    const keys = await view.keys.list({ userId, aliveSince: from }, { first: 'oldest', limit: maxKeys })
    const used = await view.counters.used([user.id, ...keys.map(({ id }) => id)])
    const credentials = [
      { kind: 'session' as const, id: null, name: null },
      ...keys.map(({ id, name }) => ({ kind: 'key' as const, id, name })),
    ].map((credential) => usageOf(user, credential, used.get(credential.id ?? user.id) ?? 0, totals))
    return { period, resetsAt: new Date(endOf(period)).toISOString(), tier: user.tier, credentials }
  })
}

function usageOf(
  user: User,
  credential: Pick<CredentialUsage, 'kind' | 'id' | 'name'>,
  used: number,
  totals: readonly UsageTotal[],
): CredentialUsage {
  const counter = credential.id ?? user.id
  const limit = monthlyLimit(user)
  return {
    ...credential,
    limit,
    used,
    remaining: limit === null ? null : Math.max(0, limit - used),
    operations: totals
      .filter((total) => total.counter === counter)
      .map(({ operation = '', ...sums }) => ({ ...sums, operation }))
      .sort((one, other) => (one.operation < other.operation ? -1 : 1)),
  }
}
