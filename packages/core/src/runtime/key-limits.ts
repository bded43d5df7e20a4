import type { BudgetPeriod } from './budgets/budget.ts'
import { FairleadError } from './errors.ts'
import { contains, type Network, parseAddress } from './outbound/networks.ts'

/** The limits of an API key, besides the limits of its user's tier. Absent fields set no limit. */
export interface KeyLimits {
  /** The models that the key may call: ids of models, routes and aliases, in which `*` stands for any text. */
  readonly models?: readonly string[]
  readonly requestsPerMinute?: number
  /** Prompt and completion tokens. */
  readonly tokensPerMinute?: number
  /** Metered calls at the same time. */
  readonly maxConcurrency?: number
  /** The networks that the key may be used from: IP addresses and CIDRs. */
  readonly allowedNetworks?: readonly string[]
  /** Requests per month. The limit of the tier holds, too. */
  readonly quotaLimit?: number
  /** The maximum cost of model calls in each period, in US dollars. */
  readonly budgetUsd?: number
  /** Absent: the budget is a total. */
  readonly budgetPeriod?: BudgetPeriod
  /** Tags of all requests with the key. */
  readonly metadata?: Readonly<Record<string, string>>
  /** Whether the `metadata` that clients of OpenAI's API send are tags, too. */
  readonly tagsFromMetadata?: boolean
}

/** The limits of an authenticated key, of one that it descends from, or of a session. Their networks are read once. */
export interface AppliedLimits extends KeyLimits {
  readonly keyId: string
  readonly networks: readonly Network[] | undefined
}

/** Throws `FORBIDDEN` for an address outside of the networks of the credential, or of a key that it descends from. */
export function requireNetwork(limits: readonly AppliedLimits[], kind: 'key' | 'session', address: string): void {
  const lists = limits.flatMap(({ networks }) => (networks ? [networks] : []))
  if (lists.length === 0 || isWithin(lists, address)) return
  const subject = kind === 'key' ? 'API key' : 'session'
  throw new FairleadError(
    'FORBIDDEN',
    `The ${subject} may not be used from ${address}, which is not in its allowed networks.`,
  )
}

/** Whether an address is in a network of each list. Text that is no address is in none. */
export function isWithin(lists: readonly (readonly Network[])[], text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && lists.every((networks) => networks.some((network) => contains(network, address)))
}
