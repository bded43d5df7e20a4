import * as z from 'zod'
import { requireAccount } from '../../runtime/access.ts'
import { invalidRequest } from '../../runtime/errors.ts'
import { dateTime, instant, namedEnum, namedObject, smallCount, toInstant } from '../../runtime/schema/field-schemas.ts'
import { type UsageTotal, addTotals, percentile } from '../../runtime/quota/usage.ts'
import { visibleUser } from '../users/user.ts'
import { read } from '../services.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const groupings = ['day', 'hour', 'model', 'operation', 'key'] as const
type Grouping = (typeof groupings)[number]

type Split = 'model' | 'operation' | 'key'

/** Maximum number of splits. The rest are summed up, so that the response stays small. */
const maxSplits = 8
const otherSplits = 'other'

const usageGroup = namedObject('UsageGroup', 'The usage of one group.', {
  group: z
    .string()
    .nullable()
    .describe(
      'The group: a day as `YYYY-MM-DD`, the start of an hour, a model, an operation, or an API key id or `sessions`.',
    ),
  split: z
    .string()
    .nullable()
    .optional()
    .describe('With `split_by`: the model, operation or API key, or `other` for all but the eight most used.'),
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
    'Returns the usage of the caller or, for an admin, of another user, grouped by day, hour, model, operation or API key.',
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
    })
      .default('day')
      .describe('Grouping. Days are in UTC.'),
    splitBy: namedEnum<Split>('UsageSplit', 'Second grouping of usage.', {
      model: 'Model.',
      operation: 'Operation.',
      key: 'API key; all sessions are one group.',
    })
      .optional()
      .describe('Splits each group further, such as days by model.'),
    userId: z.string().max(64).optional().describe('Id of the user. Default: the caller.'),
  }),
  output: namedObject('UsageTimeseries', 'Usage in groups.', {
    from: instant.describe('Start of the period, rounded down to the hour.'),
    to: instant.describe('End of the period, rounded up to the hour.'),
    groupBy: z.enum(groupings).describe('Grouping of the usage.'),
    groups: z.array(usageGroup).describe('Groups with usage, in order.'),
  }),
  errors: ['NOT_FOUND'],
  prepare(_services, { at }, { from, to, groupBy, splitBy, userId }) {
    const end = ceilToHour(to === undefined ? at : Date.parse(to))
    const start = from === undefined ? end - 30 * dayMs : floorToHour(Date.parse(from))
    if (start >= end) throw invalidRequest({ field: 'from', issue: 'must be before `to`' })
    // So that a response has at most some hundreds of groups.
    const max = groupBy === 'hour' ? 31 : 400
    if (end - start > max * dayMs) {
      throw invalidRequest({
        field: 'from',
        issue: `must be at most ${max} days before \`to\` when grouping by ${groupBy}`,
      })
    }
    return { from: start, to: end, groupBy, splitBy, userId }
  },
  async run({ stores }, { caller }, { from, to, groupBy, splitBy, userId: named }) {
    const userId = named ?? requireAccount(caller).userId
    const dimensions = new Set(splitBy ? [groupBy, splitBy] : [groupBy])
    const by = [...dimensions].map((each) => (each === 'key' ? 'counter' : each))
    const totals = await stores.read(async (view) => {
      if (named !== undefined) visibleUser(caller, await view.users.find(named))
      return view.usage.totals({ userId, from, to, by })
    })
    const groups = splitBy
      ? splitGroups(totals, groupBy, splitBy, userId)
      : totals.map((total) => ({ group: nameOf(total, groupBy, userId), ...toSums(total) }))
    return {
      from: toInstant(from),
      to: toInstant(to),
      groupBy,
      groups: groups.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)),
    }
  },
})

function orderOf({ group, split }: { readonly group: string | null; readonly split?: string | null | undefined }) {
  return `${group ?? ''} ${split ?? ''}`
}

/** The groups of each of the most used splits, and of the rest together. */
function splitGroups(totals: readonly UsageTotal[], groupBy: Grouping, splitBy: Split, userId: string) {
  const splitOf = (total: UsageTotal) => nameOf(total, splitBy, userId)
  const requestsOf = (parts: readonly UsageTotal[]) => parts.reduce((sum, { requests }) => sum + requests, 0)
  const splits = [...Map.groupBy(totals, splitOf)].sort(([, one], [, other]) => requestsOf(other) - requestsOf(one))
  const kept = new Set(splits.slice(0, maxSplits).map(([split]) => split))
  const groups = new Map<string, { group: string | null; split: string | null; total: UsageTotal }>()
  for (const total of totals) {
    const split = kept.has(splitOf(total)) ? splitOf(total) : otherSplits
    const group = nameOf(total, groupBy, userId)
    const key = JSON.stringify([group, split])
    groups.set(key, { group, split, total: addTotals(total, groups.get(key)?.total) })
  }
  return [...groups.values()].map(({ group, split, total }) => ({ group, split, ...toSums(total) }))
}

function nameOf({ day, hour, model, operation, counter }: UsageTotal, groupBy: Grouping, userId: string) {
  switch (groupBy) {
    case 'day':
      return new Date(day ?? 0).toISOString().slice(0, 10)
    case 'hour':
      return new Date(hour ?? 0).toISOString()
    case 'model':
      return model ?? null
    case 'operation':
      return operation ?? null
    case 'key':
      return counter === userId ? 'sessions' : (counter ?? null)
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

function floorToHour(at: number): number {
  return Math.floor(at / hourMs) * hourMs
}

function ceilToHour(at: number): number {
  return Math.ceil(at / hourMs) * hourMs
}
