import * as z from 'zod'
import { FairleadError, type Issue } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import type { KeyLimits } from '@fairlead/core/stores'
import { coversNetwork, integerBetween, smallCount, coversPattern, tagsSchema } from '@fairlead/core/feature'
import { budgetFields } from '../budget-fields.ts'
import { modelList } from '../model-list.ts'
import { networkList } from '../network-list.ts'
import { type Owner, isProject, monthlyLimit } from '../owner.ts'

/** A key may have at most this much JSON in all of its lists and tags together, in bytes. */
const maxListBytes = 16_000

const limits = {
  models: modelList
    .nullable()
    .describe(
      'Models that the key may call: ids of models, routes and aliases, in which `*` stands for any text. Null means all.',
    ),
  requestsPerMinute: integerBetween(1, 1_000_000)
    .nullable()
    .describe('Metered requests per minute. Null means no limit except the tier’s.'),
  tokensPerMinute: integerBetween(1, 1_000_000_000)
    .nullable()
    .describe('Prompt and completion tokens per minute. Null means no limit.'),
  maxConcurrency: integerBetween(1, 10_000).nullable().describe('Model calls at the same time. Null means no limit.'),
  allowedNetworks: networkList
    .nullable()
    .describe('Networks from which the key may be used: IP addresses and CIDRs. Null means all.'),
  quotaLimit: integerBetween(0, Number.MAX_SAFE_INTEGER)
    .nullable()
    .describe('Requests per month, at most the tier’s limit. Null means the tier’s limit.'),
  ...budgetFields,
  metadata: tagsSchema.nullable().describe('Tags of all requests with the key, at most 16 pairs. Null means none.'),
  tagsFromMetadata: z
    .boolean()
    .describe('Whether the `metadata` that clients of OpenAI’s API send are tags of their requests, too.'),
}

/** The limits of a key as its record shows them. `quotaLimit` follows from the tier, too, and is not among them. */
export const shownLimits = {
  models: z
    .array(z.string())
    .nullable()
    .describe(limits.models.description ?? ''),
  requestsPerMinute: smallCount.nullable().describe(limits.requestsPerMinute.description ?? ''),
  tokensPerMinute: smallCount.nullable().describe(limits.tokensPerMinute.description ?? ''),
  maxConcurrency: smallCount.nullable().describe(limits.maxConcurrency.description ?? ''),
  allowedNetworks: z
    .array(z.string())
    .nullable()
    .describe(limits.allowedNetworks.description ?? ''),
  ...budgetFields,
  metadata: z
    .record(z.string(), z.string())
    .nullable()
    .describe(limits.metadata.description ?? ''),
  tagsFromMetadata: limits.tagsFromMetadata,
}

export function toLimitsRecord(own: KeyLimits | null) {
  const { models, requestsPerMinute, tokensPerMinute, maxConcurrency, allowedNetworks } = own ?? {}
  const { budgetUsd, budgetPeriod, metadata, tagsFromMetadata = false } = own ?? {}
  return {
    models: models ? [...models] : null,
    requestsPerMinute: requestsPerMinute ?? null,
    tokensPerMinute: tokensPerMinute ?? null,
    maxConcurrency: maxConcurrency ?? null,
    allowedNetworks: allowedNetworks ? [...allowedNetworks] : null,
    budgetUsd: budgetUsd ?? null,
    budgetPeriod: budgetPeriod ?? null,
    metadata: metadata ? { ...metadata } : null,
    tagsFromMetadata,
  }
}

/** The limits of a new key. */
export const newLimits = {
  models: limits.models.default(null),
  requestsPerMinute: limits.requestsPerMinute.default(null),
  tokensPerMinute: limits.tokensPerMinute.default(null),
  maxConcurrency: limits.maxConcurrency.default(null),
  allowedNetworks: limits.allowedNetworks.default(null),
  quotaLimit: limits.quotaLimit.default(null),
  budgetUsd: limits.budgetUsd.default(null),
  budgetPeriod: limits.budgetPeriod.default(null),
  metadata: limits.metadata.default(null),
  tagsFromMetadata: limits.tagsFromMetadata.default(false),
}

/** The limits of a key that change. */
export const changedLimits = z.object(limits).partial().shape

type SentLimits = { readonly [Field in keyof typeof limits]?: z.output<(typeof limits)[Field]> | undefined }
interface Limited {
  readonly limits: KeyLimits | null
}

type Limiting = readonly Limited[]

/** As `LimitingKeys`. */
interface LimitedBy {
  readonly ancestors: Limiting
  readonly others: Limiting
}

const numbers = ['requestsPerMinute', 'tokensPerMinute', 'maxConcurrency', 'quotaLimit'] as const
const covers = { models: coversPattern, allowedNetworks: coversNetwork } as const
const lists = ['models', 'allowedNetworks'] as const

/**
 * The limits of a key after a change; null if it has none. Throws `INVALID_REQUEST` for limits that exceed the limits
 * of the keys above it, and for a quota beyond the owner's tier.
 *
 * @param sent undefined fields keep their value; null is no limit except the ancestors', which hold for its requests,
 *   too, and stands for the limits of the other keys
 */
export function grantLimits(
  before: KeyLimits | null,
  sent: SentLimits,
  { ancestors, others: limiting }: LimitedBy,
  owner: Owner,
): KeyLimits | null {
  const after = new Map<string, unknown>(Object.entries(before ?? {}))
  for (const [field, value] of Object.entries(sent)) if (value !== undefined) after.set(field, value)
  for (const field of numbers) if (sent[field] === null) after.set(field, lowestLimit(field, limiting))
  for (const field of lists) if (sent[field] === null) after.set(field, sharedBy(field, limiting))
  if (sent.budgetUsd === null) {
    const inherited = limiting.find((key) => key.limits?.budgetUsd !== undefined)?.limits
    after.set('budgetUsd', inherited?.budgetUsd)
    after.set('budgetPeriod', inherited?.budgetPeriod)
  }
  for (const [field, value] of after) if (value === null || value === undefined || value === false) after.delete(field)
  const granted: KeyLimits = Object.fromEntries(after)
  requireShort(granted, sent)
  const [first, ...others] = [
    ...[...findExcess(granted, limiting), ...namedExcess(granted, ancestors)].filter(
      ({ field }) => sent[field] !== undefined,
    ),
    ...quotaExcess(sent.quotaLimit ?? null, owner),
  ]
  if (first) throw invalidRequest(first, ...others)
  return after.size === 0 ? null : granted
}

const listed = ['models', 'allowedNetworks', 'metadata'] as const

/** Throws `INVALID_REQUEST` for lists and tags that are too long together. Names the longest of those that were sent. */
function requireShort(granted: KeyLimits, sent: SentLimits): void {
  const sizes = listed.map((field) => ({ field, bytes: Buffer.byteLength(JSON.stringify(granted[field]) ?? '') }))
  const [longest] = sizes.filter(({ field }) => sent[field]).toSorted((one, other) => other.bytes - one.bytes)
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0)
  if (!longest || bytes <= maxListBytes) return
  const { field } = longest
  const issue = `is too long: the models, the networks and the metadata of a key have at most ${maxListBytes} bytes of JSON together, and these have ${bytes}`
  throw invalidRequest({ field, issue })
}

/** Throws `FORBIDDEN` if a key exceeds the limits of the key that would get its secret, and of those that this one descends from. */
export function requireWithin(key: Limited, { ancestors, others }: LimitedBy): void {
  const [own, ...further] = [key, ...ancestors].map(({ limits: each }) => findExcess(each ?? {}, others))
  // One of its limits is enough.
  const excess = own?.find(({ field }) => further.every((issues) => issues.some((issue) => issue.field === field)))
  if (!excess) return
  throw new FairleadError(
    'FORBIDDEN',
    `An API key cannot get the secret of one with more: ${excess.field} ${excess.issue}`,
  )
}

type LimitIssue = Issue & { readonly field: keyof typeof limits }

const reason = 'a key cannot exceed the one that creates or changes it'

function findExcess(granted: KeyLimits, limiting: Limiting): readonly LimitIssue[] {
  const ofNumbers = numbers.flatMap((field) => {
    const max = lowestLimit(field, limiting)
    const isWithin = max === undefined || (granted[field] ?? Infinity) <= max
    return isWithin ? [] : [{ field, issue: `must be at most ${max}: ${reason}` }]
  })
  const ofLists = lists.flatMap((field) => {
    const excess = granted[field]?.find((entry) => !areCovered(field, entry, limiting))
    if (excess !== undefined) return [{ field, issue: `cannot include ${excess}: ${reason}` }]
    const needed = granted[field] ? undefined : sharedBy(field, limiting)
    return needed ? [{ field, issue: `must be among ${needed.join(', ')}: ${reason}` }] : []
  })
  return [...ofNumbers, ...ofLists, ...budgetExcess(granted, limiting)]
}

/**
 * The sent names that the limits of ancestors exclude. Names that were not sent are limited by the ancestors anyway.
 */
function namedExcess(granted: KeyLimits, ancestors: Limiting): readonly LimitIssue[] {
  return findExcess(granted, ancestors).filter(({ field }) => {
    if (field === 'budgetPeriod') return false
    const sharesPeriod = ancestors.some(({ limits: own }) => own?.budgetPeriod === granted.budgetPeriod)
    return granted[field] !== undefined && (field !== 'budgetUsd' || sharesPeriod)
  })
}

/** A budget is within another one if it has the same period, and is at most as large: periods have no order. */
function budgetExcess({ budgetUsd = Infinity, budgetPeriod }: KeyLimits, limiting: Limiting): readonly LimitIssue[] {
  return limiting.flatMap(({ limits: own }): LimitIssue[] => {
    if (own?.budgetUsd === undefined) return []
    const amount: LimitIssue = { field: 'budgetUsd', issue: `must be at most ${own.budgetUsd}: ${reason}` }
    const period: LimitIssue = { field: 'budgetPeriod', issue: `must be ${own.budgetPeriod ?? 'null'}: ${reason}` }
    // Both: a change of one of them is checked for that one alone.
    return [...(budgetUsd > own.budgetUsd ? [amount] : []), ...(budgetPeriod === own.budgetPeriod ? [] : [period])]
  })
}

function quotaExcess(quotaLimit: number | null, owner: Owner): readonly Issue[] {
  if (quotaLimit === null) return []
  if (owner.quotaScope !== 'key') {
    return [{ field: 'quotaLimit', issue: `must be null: all API keys of the ${owner.quotaScope} share one quota` }]
  }
  const max = monthlyLimit(owner) ?? Infinity
  if (quotaLimit <= max) return []
  return [
    { field: 'quotaLimit', issue: `must be at most ${max}, the quota of the ${isProject(owner) ? 'project' : 'user'}` },
  ]
}

/** The lowest limit of the keys; undefined if none has one. */
function lowestLimit(field: (typeof numbers)[number], keys: Limiting): number | undefined {
  const values = keys.flatMap((key) => key.limits?.[field] ?? [])
  return values.length === 0 ? undefined : Math.min(...values)
}

/** The entries that the lists of all keys cover; undefined if no key has a list. */
function sharedBy(field: (typeof lists)[number], keys: Limiting): readonly string[] | undefined {
  const entries = keys.flatMap((key) => key.limits?.[field] ?? [])
  const hasLists = keys.some((key) => key.limits?.[field])
  return hasLists ? [...new Set(entries)].filter((entry) => areCovered(field, entry, keys)) : undefined
}

function areCovered(field: (typeof lists)[number], entry: string, keys: Limiting): boolean {
  return keys.every(({ limits: own }) => !own?.[field] || covers[field](own[field], entry))
}
