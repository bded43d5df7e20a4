/** What an API key may do at most, besides the limits of its user's tier. Absent fields set no limit. */
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
  /** Tags of all requests with the key. */
  readonly metadata?: Readonly<Record<string, string>>
}
