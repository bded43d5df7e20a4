import * as z from 'zod'
import { invalidRequest } from '@fairlead/core/adapter'
import { dateTime, instant, namedEnum, namedObject, smallCount, toInstant, addTotals } from '@fairlead/core/feature'
import { type UsageTotal, percentile } from '@fairlead/core/stores'
import type { AccountStores } from '../account-stores.ts'
import { visibleAccount } from '../owner.ts'
import { read } from '../services.ts'
import { namesById } from './request.ts'
import { askedUser, requireAllUsersAllowed, totalsOfAll, whoseUsage } from './whose-usage.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const groupings = ['day', 'hour', 'model', 'operation', 'key', 'user', 'tag'] as const
type Grouping = (typeof groupings)[number]

type Split = 'model' | 'operation' | 'key' | 'user' | 'tag'

/** Maximum number of splits. The rest are summed up, so that the response stays small. */
const maxSplits = 8
/** The same of the users, and of the API keys of all users. */
const maxGroups = 100
const rest = 'other'

const usageGroup = namedObject('UsageGroup', 'The usage of one group.', {
  group: z
    .string()
    .nullable()
    .describe(
      'The group: a day as `YYYY-MM-DD`, the start of an hour, a model, an operation, a user id, the value of a tag, or an API key id or `sessions`. `other` for all but the 100 values of a tag, or with `all_users` the 100 users or keys, with the highest cost.',
    ),
  split: z
    .string()
    .nullable()
    .optional()
    .describe(
      'With `split_by`: the model, operation, API key, user or value of a tag, or `other` for all but the eight most used.',
    ),
  name: z
    .string()
    .nullable()
    .optional()
    .describe('Name of the user or API key of the group. Null for all other groups.'),
  requests: z.int().describe('Number of requests.'),
  errors: z.int().describe('Number of failed requests.'),
  latencyP50Ms: smallCount.nullable().describe('Median latency in milliseconds.'),
  latencyP95Ms: smallCount.nullable().describe('95th percentile latency in milliseconds.'),
  firstTokenP50Ms: smallCount
    .nullable()
    .describe('Median time to the first token of streams in milliseconds. Null without streams.'),
  firstTokenP95Ms: smallCount
    .nullable()
    .describe('95th percentile time to the first token of streams in milliseconds. Null without streams.'),
  promptTokens: z.int().describe('Prompt tokens.'),
  completionTokens: z.int().describe('Completion tokens.'),
  totalTokens: z.int().describe('Total tokens.'),
  costUsd: z.number().describe('Cost in US dollars.'),
})

export const getUsageTimeseries = read({
  name: 'usageTimeseries',
  summary:
    'Returns the usage of the caller or, for an admin, of another user or of all users, grouped by day, hour, model, operation, API key, user or tag.',
  access: { scope: 'usage' },
  metered: false,
  rest: { method: 'GET', path: '/usage/timeseries' },
  graphql: { query: 'usageTimeseries' },
  input: z.strictObject({
    from: dateTime.optional().describe('Start of the period, rounded down to the hour. Default: 30 days before `to`.'),
    to: dateTime.optional().describe('End of the period, rounded up to the hour. Default: now.'),
    groupBy: namedEnum<Grouping>('UsageGrouping', 'Grouping of usage.', {
      day: 'Day in UTC.',
      hour: 'Hour.',
      model: 'Model.',
      operation: 'Operation.',
      key: 'API key; all sessions are one group.',
      user: 'User; only with `all_users`.',
      tag: 'Value of a tag; only with `tag`.',
    })
      .default('day')
      .describe('Grouping. Days are in UTC.'),
    splitBy: namedEnum<Split>('UsageSplit', 'Second grouping of usage.', {
      model: 'Model.',
      operation: 'Operation.',
      key: 'API key; all sessions are one group.',
      user: 'User; only with `all_users`.',
      tag: 'Value of a tag; only with `tag`.',
    })
      .optional()
      .describe('Splits each group further, such as days by model.'),
    tag: z
      .string()
      .max(64)
      .optional()
      .describe('Name of a tag. Only requests with it, of whole days, by day, user, or value of the tag.'),
    tagValue: z.string().max(128).optional().describe('Only requests with this value of the tag.'),
    ...whoseUsage,
  }),
  output: namedObject('UsageTimeseries', 'Usage in groups.', {
    from: instant.describe('Start of the period, rounded down to the hour.'),
    to: instant.describe('End of the period, rounded up to the hour.'),
    groupBy: z.enum(groupings).describe('Grouping of the usage.'),
    groups: z
      .array(usageGroup)
      .describe('Groups with usage, in order; users and values of a tag by their cost, the highest first.'),
  }),
  errors: ['NOT_FOUND'],
  prepare(_services, { at, caller }, { from, to, groupBy, splitBy, tag: name, tagValue: value, ...whose }) {
    requireAllUsersAllowed(caller, whose)
    checkTag(groupBy, splitBy, name, value)
    if (!whose.allUsers && [groupBy, splitBy].includes('user')) {
      const field = groupBy === 'user' ? 'groupBy' : 'splitBy'
      throw invalidRequest({ field, issue: 'can be "user" only for the usage of all users' })
    }
    const spanMs = name === undefined ? hourMs : dayMs
    const end = ceilTo(spanMs, to === undefined ? at : Date.parse(to))
    const start = from === undefined ? end - 30 * dayMs : floorTo(spanMs, Date.parse(from))
    if (start >= end) throw invalidRequest({ field: 'from', issue: 'must be before `to`' })
    // So that a response has at most some hundreds of groups.
    const max = groupBy === 'hour' ? 31 : 400
    if (end - start > max * dayMs) {
      throw invalidRequest({
        field: 'from',
        issue: `must be at most ${max} days before \`to\` when grouping by ${groupBy}`,
      })
    }
    const tag = name === undefined ? undefined : { name, value }
    return { from: start, to: end, groupBy, splitBy, tag, whose }
  },
  async run({ stores }, { caller }, { from, to, groupBy, splitBy, tag, whose }) {
    const userId = askedUser(caller, whose)
    const dimensions = new Set(splitBy ? [groupBy, splitBy] : [groupBy])
    const by = [...dimensions].map((each) => (each === 'key' ? 'counter' : each === 'tag' ? 'value' : each))
    const totals =
      userId === undefined
        ? await totalsOfAll(stores, { from, to, by, tag })
        : await stores.read(async (view) => {
            if (whose.userId !== undefined) visibleAccount(caller, await view.owners.find(userId))
            return view.usage.totals({ userId, from, to, by, tag })
          })
    const isMany = groupBy === 'tag' || (userId === undefined && (groupBy === 'user' || groupBy === 'key'))
    const groupOf = isMany
      ? takeLargest(totals, groupBy, maxGroups, byCost)
      : (total: UsageTotal) => groupName(total, groupBy)
    const splitOf = splitBy && takeLargest(totals, splitBy, maxSplits, byRequests)
    const groups = await withNames(stores, groupBy, toGroups(totals, groupOf, splitOf))
    return {
      from: toInstant(from),
      to: toInstant(to),
      groupBy,
      groups: groups.sort((groupBy === 'user' || groupBy === 'tag') && !splitBy ? byHighestCost : byName),
    }
  },
})

type Group = z.output<typeof usageGroup>
type Size = Pick<UsageTotal, 'requests' | 'costUsd'>

function byName(one: Group, other: Group): number {
  const nameIn = ({ group, split }: Group) => `${group ?? ''} ${split ?? ''}`
  return nameIn(one) < nameIn(other) ? -1 : 1
}

const byRequests = (one: Size, other: Size) => other.requests - one.requests
const byCost = (one: Size, other: Size) => other.costUsd - one.costUsd || byRequests(one, other)
const byHighestCost = (one: Group, other: Group) =>
  Number(one.group === rest) - Number(other.group === rest) || byCost(one, other)

/** Names totals by a grouping: the first in an order by their own name, and the rest `other`. */
function takeLargest(
  totals: readonly UsageTotal[],
  grouping: Grouping,
  max: number,
  order: (one: Size, other: Size) => number,
): (total: UsageTotal) => string | null {
  const sizes = new Map<string | null, Size>()
  for (const total of totals) {
    const name = groupName(total, grouping)
    const { requests = 0, costUsd = 0 } = sizes.get(name) ?? {}
    sizes.set(name, { requests: requests + total.requests, costUsd: costUsd + total.costUsd })
  }
  const kept = new Set(
    [...sizes]
      .sort(([, one], [, other]) => order(one, other))
      .map(([name]) => name)
      .slice(0, max),
  )
  return (total) => (kept.has(groupName(total, grouping)) ? groupName(total, grouping) : rest)
}

/** Finds the names of users or API keys in one query. */
function withNames(stores: AccountStores, groupBy: Grouping, groups: readonly Group[]): Promise<Group[]> | Group[] {
  if (groupBy !== 'user' && groupBy !== 'key') return [...groups]
  const ids = groups.flatMap(({ group }) => group ?? [])
  return stores.read(async ({ owners, keys }) => {
    const names = namesById(await (groupBy === 'user' ? owners : keys).findMany(ids))
    return groups.map((group) => ({ ...group, name: names.get(group.group ?? '') ?? null }))
  })
}

function toGroups(
  totals: readonly UsageTotal[],
  groupOf: (total: UsageTotal) => string | null,
  splitOf: ((total: UsageTotal) => string | null) | undefined,
): Group[] {
  const groups = new Map<string, { readonly group: string | null; readonly split?: string | null; total: UsageTotal }>()
  for (const total of totals) {
    const names = { group: groupOf(total), ...(splitOf && { split: splitOf(total) }) }
    const key = JSON.stringify(names)
    groups.set(key, { ...names, total: addTotals(total, groups.get(key)?.total) })
  }
  return [...groups.values()].map(({ total, ...names }) => ({ ...names, ...toSums(total) }))
}

function groupName(
  { day, hour, model, operation, counter, user, value }: UsageTotal,
  grouping: Grouping,
): string | null {
  switch (grouping) {
    case 'day':
      return new Date(day ?? 0).toISOString().slice(0, 10)
    case 'hour':
      return new Date(hour ?? 0).toISOString()
    case 'model':
      return model ?? null
    case 'operation':
      return operation ?? null
    case 'user':
      return user ?? null
    case 'tag':
      return value ?? null
    case 'key':
      // All sessions of a user or a project share a counter with its id.
      return counter?.startsWith('usr_') || counter?.startsWith('prj_') ? 'sessions' : (counter ?? null)
  }
}

function toSums({ latencies, firstTokens, ...sums }: UsageTotal) {
  return {
    ...sums,
    latencyP50Ms: percentile(latencies, 0.5),
    latencyP95Ms: percentile(latencies, 0.95),
    firstTokenP50Ms: percentile(firstTokens, 0.5),
    firstTokenP95Ms: percentile(firstTokens, 0.95),
    totalTokens: sums.promptTokens + sums.completionTokens,
  }
}

function floorTo(ms: number, at: number): number {
  return Math.floor(at / ms) * ms
}

function ceilTo(ms: number, at: number): number {
  return Math.ceil(at / ms) * ms
}

/** Throws `INVALID_REQUEST` for what is not known of the requests with a tag. */
function checkTag(groupBy: Grouping, splitBy: Split | undefined, name: string | undefined, value: string | undefined) {
  if (name === undefined && (value !== undefined || groupBy === 'tag' || splitBy === 'tag')) {
    throw invalidRequest({
      field: 'tag',
      issue: `is required ${value === undefined ? 'to group by tag' : 'with a value'}`,
    })
  }
  if (name === undefined) return
  const known: readonly string[] = ['day', 'tag', 'user']
  const issue = 'must be day, tag or user for requests with a tag'
  if (!known.includes(groupBy)) throw invalidRequest({ field: 'groupBy', issue })
  if (splitBy && !known.includes(splitBy))
    throw invalidRequest({ field: 'splitBy', issue: 'must be tag or user for requests with a tag' })
}
