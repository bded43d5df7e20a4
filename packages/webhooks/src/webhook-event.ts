// Generated from the event types: npm run generate

/** An event of Fairlead itself. Its `type` narrows the type of its `data`. */
export type WebhookEvent =
  /** A text generation succeeded. */
  | EventOf<'generation.completed', CompletedCall>
  /** A text generation failed, or its client closed the request. */
  | EventOf<'generation.failed', FailedCall>
  /** An image generation succeeded. */
  | EventOf<'image.completed', CompletedCall>
  /** An image generation failed, or its client closed the request. */
  | EventOf<'image.failed', FailedCall>
  /** An embedding of texts succeeded. */
  | EventOf<'embedding.completed', CompletedCall>
  /** An embedding of texts failed, or its client closed the request. */
  | EventOf<'embedding.failed', FailedCall>
  /** A text analysis succeeded. */
  | EventOf<'analysis.completed', CompletedCall>
  /** A text analysis failed, or its client closed the request. */
  | EventOf<'analysis.failed', FailedCall>
  /** A user signed up, or an admin created one. */
  | EventOf<'user.created', UserSnapshot>
  /** A user was changed. */
  | EventOf<'user.updated', UserSnapshot>
  /** A user was deleted by an admin, who receives the event. The data is the user as it was before. */
  | EventOf<'user.deleted', UserSnapshot>
  /** An API key was created. */
  | EventOf<'api_key.created', ApiKeySnapshot>
  /** The name, the scopes, the expiry, or the limits of an API key were changed. */
  | EventOf<'api_key.updated', ApiKeySnapshot>
  /** An API key got a new secret. */
  | EventOf<'api_key.rotated', ApiKeySnapshot>
  /** An API key was revoked. */
  | EventOf<'api_key.revoked', ApiKeySnapshot>
  /** An API key, or the sessions of a user, used 80% of the monthly quota. Sent once per month. */
  | EventOf<'quota.warning', QuotaStatus>
  /** The monthly quota is used up: further metered requests are rejected until it resets. Sent once per month. */
  | EventOf<'quota.exceeded', QuotaStatus>
  /** A share of a budget was spent, by default 50% and 80%. Sent once per period and share. */
  | EventOf<'budget.warning', BudgetUse>
  /** A budget is used up, or has no room for a request that was rejected. Sent once per period. */
  | EventOf<'budget.exceeded', BudgetUse>
  /** A shipment was created. */
  | EventOf<'shipment.created', ShipmentSnapshot | TruncatedData>
  /** A shipment was changed. */
  | EventOf<'shipment.updated', ShipmentSnapshot | TruncatedData>
  /** The status of a shipment changed. Sent besides `shipment.updated`. */
  | EventOf<'shipment.status_changed', ShipmentStatusChange | TruncatedData>
  /** A shipment was deleted. The data is the shipment as it was before. */
  | EventOf<'shipment.deleted', ShipmentSnapshot | TruncatedData>
  /** The service disabled a webhook, because it responded with 410 or failed for five days. */
  | EventOf<'webhook.disabled', WebhookSnapshot>
  /** A test that the owner of the webhook requested. Sent only to this webhook. */
  | EventOf<'webhook.test', WebhookSnapshot>
  /** The head of the audit log, once a day. Only webhooks of admins for all users receive it. */
  | EventOf<'audit.head', AuditHead>

interface EventOf<Type extends string, Data> {
  readonly type: Type
  /** When the event occurred, in ISO 8601. */
  readonly timestamp: string
  readonly data: Data
}

/** The data of an event that would exceed 20 kB. Request the record by its id. */
export interface TruncatedData {
  id: string
  version?: number | undefined
  truncated: true
}

/** A model call that succeeded, without its content. */
export interface CompletedCall {
  /** Id of the result. If the result has none, the id of the request. */
  id: string
  /** Id of the request, as in `X-Request-Id`. */
  request_id: string
  /** Id of the model. */
  model: string | null
  /** Id of the provider. Null if none responded. */
  provider: string | null
  /** Token usage. A cached response uses none. */
  usage: TokenUsage
  /** Cost of the call in USD. */
  cost_usd: number
  /** Whether the response came from the cache. */
  cached: boolean
  /** Number of calls to providers. */
  attempts: number
  /** Duration in milliseconds. */
  duration_ms: number
  /** Id of the API key. Null for a session. */
  key_id: string | null
  /** Id of the session. Null for an API key. */
  session_id: string | null
}

/** Token counts of a call. */
export interface TokenUsage {
  /** Tokens in the prompt. */
  prompt_tokens: number
  /** Tokens generated. */
  completion_tokens: number
  /** Total tokens. */
  total_tokens: number
  /** Generated tokens that were reasoning, if the provider counts them. */
  reasoning_tokens?: number | undefined
  /** Prompt tokens that the provider read from its cache, if any. */
  cached_prompt_tokens?: number | undefined
  /** Prompt tokens that the provider wrote to its cache, if any. */
  cache_write_tokens?: number | undefined
  /** Searches of the web that the provider ran, if any. */
  web_searches?: number | undefined
}

/** A model call that failed, without its content. */
export interface FailedCall extends CompletedCall {
  /** Error code of the response. `aborted` if the client closed the request, `partial` if a stream ended early. */
  error: string
}

/** A user as it was after a change. */
export interface UserSnapshot {
  /** User id: `usr_` and digits. */
  id: string
  /** Email address, in lower case. */
  email: string
  /** Whether the email address is known to be the user’s. A changed address is not. */
  email_verified: boolean
  /** Display name. */
  name: string
  /** The user’s role. Admins can read and change everything. */
  role: 'admin' | 'member'
  /** The tier, which sets the quota of the user’s keys. */
  tier: 'free' | 'pro' | 'enterprise'
  /** Requests per month and credential, for the tier enterprise. Null means no limit. */
  quota_limit: number | null
  /** Whether each API key of the user has a monthly quota, or all of them share one. */
  quota_scope: 'key' | 'user'
  /** The maximum cost of model calls in each period, in US dollars. Null means no budget. */
  budget_usd: number | null
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
  budget_period: 'day' | 'week' | 'month' | null
  /** Networks from which the user’s sessions may be used: IP addresses and CIDRs. Null means all. API keys have their own networks. */
  allowed_networks: string[] | null
  /** Models that the user may call: ids of models, routes and aliases, in which `*` stands for any text. Null means all. */
  models: string[] | null
  /** Every request of a suspended user is rejected, and every request for a project without another active owner. */
  status: 'active' | 'suspended'
  /** When the account was created. */
  created_at: string
  /** When the account was last changed. */
  updated_at: string
  /** Version of the record: 1 when it is created, incremented by each change. */
  version: number
}

/** An API key as it was after a change, without its secret. */
export interface ApiKeySnapshot {
  /** API key id: `key_` and digits. */
  id: string
  /** Display name. */
  name: string
  /** First ten characters of the secret. */
  prefix: string
  /** Scopes of the key. */
  scopes: string[]
  /** Tier of the owner. */
  tier: 'free' | 'pro' | 'enterprise'
  /** Requests per month. Null means no limit. */
  quota_limit: number | null
  /** Models that the key may call: ids of models, routes and aliases, in which `*` stands for any text. Null means all. */
  models: string[] | null
  /** Metered requests per minute. Null means no limit except the tier’s. */
  requests_per_minute: number | null
  /** Prompt and completion tokens per minute. Null means no limit. */
  tokens_per_minute: number | null
  /** Model calls at the same time. Null means no limit. */
  max_concurrency: number | null
  /** Networks from which the key may be used: IP addresses and CIDRs. Null means all. */
  allowed_networks: string[] | null
  /** The maximum cost of model calls in each period, in US dollars. Null means no budget. */
  budget_usd: number | null
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
  budget_period: 'day' | 'week' | 'month' | null
  /** Tags of all requests with the key, at most 16 pairs. Null means none. */
  metadata: Record<string, string> | null
  /** Whether the `metadata` that clients of OpenAI’s API send are tags of their requests, too. */
  tags_from_metadata: boolean
  /** Id of the API key or session that created the key. Null if it is unknown, as for the first key. */
  created_by: string | null
  /** When the key was created. */
  created_at: string
  /** When the key was last used, to the minute. Null if never. */
  last_used_at: string | null
  /** When the key expires. Null if never. */
  expires_at: string | null
  /** When the key was revoked. Null if it was not. */
  revoked_at: string | null
  /** Version of the record: 1 when it is created, incremented by each change. */
  version: number
}

/** The monthly quota of an API key, or of a user’s sessions. */
export interface QuotaStatus {
  /** Id of the API key, or of the user for the quota of all their sessions, or of all their keys. */
  id: string
  /** Id of the user. */
  user_id: string
  /** Id of the API key. Null for the quota of a user. */
  key_id: string | null
  /** Requests per month. */
  limit: number
  /** Requests so far this month, including those in progress. */
  used: number
  /** Month in UTC, as `YYYY-MM`. */
  period: string
  /** When the quota resets. */
  reset_at: string
}

/** How much of a budget was spent. */
export interface BudgetUse {
  /** Id of the API key, the user or the project whose budget it is. */
  id: string
  /** Whose budget it is. */
  kind: 'key' | 'user' | 'project'
  /** Id of the user or the project that the request belongs to. */
  user_id: string
  /** The budget in US dollars. */
  limit_usd: number
  /** Spent so far in the period, in US dollars. */
  spent_usd: number
  /** The share of the budget that was reached, in percent. */
  threshold: number
  /** Period of the budget in UTC. Null for a total. */
  period: 'day' | 'week' | 'month' | null
  /** When the budget resets. Null for a total. */
  resets_at: string | null
}

/** A shipment as it was after a change. */
export interface ShipmentSnapshot {
  /** Shipment id: `shp_` and digits. */
  id: string
  /** Reference, chosen by the owner. */
  reference: string
  /** Status. */
  status: 'pending' | 'in_transit' | 'out_for_delivery' | 'delivered' | 'exception' | 'returned' | 'cancelled'
  carrier: string | null
  tracking_number: string | null
  /** Address of origin. */
  origin: Address
  /** Address of destination. */
  destination: Address
  /** Parcels. */
  parcels: Parcel[]
  notes: string | null
  /** Custom key-value pairs, at most 50. Names have 1 to 64 characters. */
  metadata: Record<string, string>
  estimated_delivery: string | null
  /** When the shipment was created. */
  created_at: string
  /** When the shipment was last changed. */
  updated_at: string
  /** Status history, the current status last. */
  history: StatusChange[]
  /** Version of the record: 1 when it is created, incremented by each change. */
  version: number
}

/** A postal address. */
export interface Address {
  /** Name of the sender or recipient. */
  name: string
  /** Street and number. */
  street: string
  /** City. */
  city: string
  /** Postal code. */
  postal_code: string
  /** Default: `null`. */
  region: string | null
  /** Country code, ISO 3166-1 alpha-2. */
  country: string
}

/** A parcel of a shipment. */
export interface Parcel {
  /** Weight in kilograms. */
  weight_kg: number
  /** Default: `null`. */
  length_cm: number | null
  /** Default: `null`. */
  width_cm: number | null
  /** Default: `null`. */
  height_cm: number | null
  /** Default: `null`. */
  description: string | null
}

/** A change of status, and when it happened. */
export interface StatusChange {
  /** Status. */
  status: 'pending' | 'in_transit' | 'out_for_delivery' | 'delivered' | 'exception' | 'returned' | 'cancelled'
  /** When the status was set. */
  at: string
}

/** A shipment after a change of its status, and the status before. */
export interface ShipmentStatusChange extends ShipmentSnapshot {
  /** Status before the change. */
  from: 'pending' | 'in_transit' | 'out_for_delivery' | 'delivered' | 'exception' | 'returned' | 'cancelled'
}

/** A webhook as it was after a change, without its secret. */
export interface WebhookSnapshot {
  /** Webhook id: `whk_` and digits. */
  id: string
  /** URL that receives the events: https, at a public address. Admins may also use `mailto:`, with or without addresses. */
  url: string
  /** Event types, groups such as `shipment.*`, or `*` for all. */
  events: string[]
  description: string | null
  /** Whether it receives events. */
  enabled: boolean
  /** Why the service disabled it. Null if it is enabled, or was disabled by its owner. */
  disabled_reason: 'gone' | 'failing' | null
  /** Whether it receives the events of all users. Only admins may set it. */
  all_users: boolean
  /** When a delivery last succeeded, to the minute. Null if none did. */
  last_delivered_at: string | null
  /** When the first attempt failed since the last success. Null if none did. */
  failing_since: string | null
  /** Until when the previous secret signs too. Null if the secret was never rotated. */
  previous_secret_expires_at: string | null
  /** When the webhook was created. */
  created_at: string
  /** When the webhook was last changed. */
  updated_at: string
  /** Version of the record: 1 when it is created, incremented by each change. */
  version: number
}

/** The head of the audit log, which covers all of its entries. */
export interface AuditHead {
  /** The head: the hash of the last entry. */
  id: string
  /** The month of the last entry in UTC, as `YYYY-MM`. */
  month: string
  /** The number of the last entry in the month. */
  number: number
}
