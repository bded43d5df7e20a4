import * as z from 'zod'
import { type KeyLimits, type Period, toPeriod, type Reading, type UsageTotal } from '@fairlead/core/stores'
import {
  requireAccount,
  tiers,
  periodEnd,
  periodStart,
  instant,
  namedObject,
  namedEnum,
  toInstant,
} from '@fairlead/core/feature'
import { type Owner, monthlyLimit, visibleAccount } from '../owner.ts'
import type { OperationRun } from '@fairlead/core'
import { budgetStatus, budgetStatuses } from './budget-status.ts'
import type { AccountStores } from '../account-stores.ts'
import { findPayer } from '../projects/payer.ts'
import { read } from '../services.ts'
import { requireAllUsersAllowed, totalsOfAll, whoseUsage } from './whose-usage.ts'

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
  userId: z.string().describe('The user or the project whose credential it is.'),
  limit: z.int().nullable().describe('Requests per month. Null means no limit.'),
  used: z.int().describe('Units used this month.'),
  remaining: z
    .int()
    .nullable()
    .describe(
      'Units left this month, of all credentials if the user’s credentials share a quota. Null means no limit.',
    ),
  operations: z.array(operationUsage).describe('Usage by operation.'),
})

const imageUsage = namedObject('ImageUsage', 'The storage that the images of an account use.', {
  bytes: z.int().describe('Bytes of the images that are kept.'),
  limitBytes: z.int().nullable().describe('How many bytes they may take up. Null means no limit.'),
})

type CredentialUsage = z.output<typeof credentialUsage>

/** More than any tier allows per month. */
const maxKeys = 1_000
/** Maximum number of credentials of all users. */
const maxCredentials = 100

export const getUsage = read({
  name: 'usage',
  summary:
    'Returns this month’s usage and the remaining units of each credential of the caller or, for an admin, of another user or of all users.',
  access: { scope: 'usage' },
  metered: false,
  rest: { method: 'GET', path: '/usage' },
  graphql: { query: 'usage' },
  input: z.strictObject(whoseUsage),
  output: namedObject('Usage', 'The usage of a user this month.', {
    period: z.string().describe('Current calendar month in UTC, as `YYYY-MM`.'),
    resetsAt: instant.describe('When the counters reset.'),
    tier: z.enum(tiers).describe('The user’s tier. With `all_users`, the caller’s.'),
    credentials: z
      .array(credentialUsage)
      .describe(
        'All sessions as one entry, then each API key that was usable this month. With `all_users`, the 100 credentials with the highest cost this month.',
      ),
    budgets: z
      .array(budgetStatus)
      .describe(
        'The budgets of the user or the project, of the user whose budget pays for the project, and of these API keys. With `all_users`, those of the users and projects of these credentials.',
      ),
    images: imageUsage
      .optional()
      .describe('The images of the user, the project, or the user who pays for the project. Absent with `all_users`.'),
  }),
  errors: ['NOT_FOUND'],
  prepare(_services, { caller }, whose) {
    requireAllUsersAllowed(caller, whose)
    return whose
  },
  async run(services, call, { userId, allUsers }) {
    const { stores } = services
    if (allUsers) return usageOfAll(stores, call)
    const { imageAccount, ...usage } = await usageThisMonth(stores, call, userId)
    const { bytes, limit } = await services.imageUsage(imageAccount)
    return { ...usage, images: { bytes, limitBytes: limit } }
  },
})

/** This month's usage of each credential of a user, by default the caller. Throws `NOT_FOUND` if the caller may not see it. */
export function usageThisMonth(
  stores: AccountStores,
  { caller, at }: Pick<OperationRun, 'caller' | 'at'>,
  named?: string,
) {
  const userId = named ?? requireAccount(caller).userId
  return stores.read(async (view) => {
    const owner = visibleAccount(caller, await view.owners.find(userId))
    const period = currentPeriod(await view.counters.peek(userId), at)
    const from = periodStart(period)
    const totals = await view.usage.totals({ userId, from, to: periodEnd(period), by: ['counter', 'operation'] })
    const keys = await view.keys.list({ userId, aliveSince: from }, { first: 'oldest', limit: maxKeys })
    const used = await view.counters.used([owner.id, ...keys.map(({ id }) => id)])
    const credentials = [sessions, ...keys.map(keyCredential)].map((credential) =>
      toUsage(owner, credential, used, totals),
    )
    const payer = await findPayer(view, owner)
    const budgets = await budgetStatuses(view.spend, { owners: [owner, ...(payer ? [payer] : [])], keys }, at)
    const imageAccount = payer?.id ?? owner.id
    return { period, resetsAt: toInstant(periodEnd(period)), tier: owner.tier, credentials, budgets, imageAccount }
  })
}

/** A counter never returns to an earlier month, even if the clock does. */
function currentPeriod({ period }: Reading, at: number): Period {
  return period > toPeriod(at) ? period : toPeriod(at)
}

/** This month's usage of the credentials of all users that cost most. */
async function usageOfAll(stores: AccountStores, { caller, at }: Pick<OperationRun, 'caller' | 'at'>) {
  const account = requireAccount(caller)
  const period = currentPeriod(await stores.read((view) => view.counters.peek(account.counter)), at)
  const [from, to] = [periodStart(period), periodEnd(period)]
  const totals = await totalsOfAll(stores, { from, to, by: ['user', 'counter', 'operation'] })
  const ranked = [...Map.groupBy(totals, ({ counter = '' }) => counter)].sort(
    ([, one], [, other]) => sumCosts(other) - sumCosts(one) || chargedIn(other) - chargedIn(one),
  )
  const first = ranked.slice(0, maxCredentials).map(([counter, own]) => ({ counter, own, userId: own[0]?.user ?? '' }))
  const counters = first.map(({ counter }) => counter)
  const userIds = [...new Set(first.map(({ userId }) => userId))]
  const shown = await stores.read(async (view) => {
    const owners = byId(await view.owners.findMany(userIds))
    const keys = byId(await view.keys.findMany(counters))
    const used = await view.counters.used([...new Set([...counters, ...userIds])])
    const budgets = await budgetStatuses(view.spend, { owners: [...owners.values()] }, at)
    const credentials = first.flatMap(({ counter, own, userId }) => {
      const owner = owners.get(userId)
      const key = keys.get(counter) ?? { id: counter, name: null, limits: null }
      const credential = counter === userId ? sessions : keyCredential(key)
      // A deleted user has no limits.
      return owner ? [toUsage(owner, credential, used, own)] : []
    })
    return { credentials, budgets }
  })
  return { period, resetsAt: toInstant(to), tier: account.tier, ...shown }
}

const sumCosts = (totals: readonly UsageTotal[]) => totals.reduce((sum, { costUsd }) => sum + costUsd, 0)
const chargedIn = (totals: readonly UsageTotal[]) => totals.reduce((sum, { charged }) => sum + charged, 0)

function byId<Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.id, item]))
}

type Credential = Pick<CredentialUsage, 'kind' | 'id' | 'name'> & { readonly quotaLimit?: number | undefined }

const sessions: Credential = { kind: 'session', id: null, name: null }

function keyCredential({
  id,
  name,
  limits,
}: {
  readonly id: string
  readonly name: string | null
  readonly limits: KeyLimits | null
}): Credential {
  return { kind: 'key', id, name, quotaLimit: limits?.quotaLimit }
}

/** @param used the units of each counter */
function toUsage(
  owner: Owner,
  { quotaLimit, ...credential }: Credential,
  used: ReadonlyMap<string, number>,
  totals: readonly UsageTotal[],
): CredentialUsage {
  const counter = credential.id ?? owner.id
  const own = totals.filter((total) => total.counter === counter)
  const limit = monthlyLimit(owner, quotaLimit)
  const isShared = owner.quotaScope !== 'key'
  const counted = used.get(isShared ? owner.id : counter) ?? 0
  return {
    ...credential,
    userId: owner.id,
    limit,
    used: isShared ? chargedIn(own) : counted,
    remaining: limit === null ? null : Math.max(0, limit - counted),
    operations: own
      .map(({ operation = '', ...sums }) => ({ ...sums, operation }))
      .sort((one, other) => (one.operation < other.operation ? -1 : 1)),
  }
}
