import type { Generated, Kysely } from 'kysely'

/**
 * The tables, the same on every database. Instants are milliseconds since the epoch, flags are 0 or 1, lists and records
 * are JSON text.
 */
export interface Schema {
  users: {
    id: string
    email: string
    name: string
    role: string
    tier: string
    quota_limit: number | null
    status: string
    created_at: number
    updated_at: number
    version: Generated<number>
  }
  api_keys: {
    id: string
    user_id: string
    name: string
    prefix: string
    secret_hash: string
    previous_secret_hash: string | null
    previous_expires_at: number | null
    scopes: string
    created_by: string | null
    last_used_at: number | null
    created_at: number
    expires_at: number | null
    revoked_at: number | null
    version: Generated<number>
  }
  counters: {
    counter: string
    period: string
    used: number
    warned: Generated<number>
    exceeded: Generated<number>
  }
  usage_records: {
    run_id: string
    request_id: string
    user_id: string
    counter: string
    operation: string
    at: number
    duration_ms: number
    first_token_ms: number | null
    outcome: string
    charged: number
    model: string | null
    provider: string | null
    prompt_tokens: number
    completion_tokens: number
    reasoning_tokens: number | null
    cached_prompt_tokens: number | null
    cost_usd: number
  }
  images: {
    id: string
    user_id: string | null
    model: string
    created_at: number
  }
  claims: {
    id: string
    fingerprint: string
    owner: string
    lease_until: number
    at: number
    outcome: string | null
  }
  shipments: {
    id: string
    user_id: string
    reference: string
    status: string
    carrier: string | null
    tracking_number: string | null
    origin: string
    destination: string
    parcels: string
    notes: string | null
    metadata: string
    estimated_delivery: string | null
    history: string
    created_at: number
    updated_at: number
    version: number
  }
  webhooks: {
    id: string
    user_id: string
    url: string
    events: string
    all_users: number
    description: string | null
    enabled: number
    disabled_reason: string | null
    secret: string
    previous_secret: string | null
    previous_secret_until: number | null
    failures: string | null
    last_delivered_at: number | null
    created_at: number
    updated_at: number
    version: number
  }
  events: {
    id: string
    type: string
    user_id: string
    resource_id: string
    created_at: number
    data: string
  }
  deliveries: {
    id: string
    webhook_id: string
    event_id: string
    event_type: string
    status: string
    attempts: string
    tries: number
    next_attempt_at: number | null
    created_at: number
    updated_at: number
  }
  event_streams: {
    id: string
    user_id: string
    all_users: number
    events: string
    ends_at: number
  }
  migrations: {
    name: string
    at: number
  }
  passwords: {
    user_id: string
    hash: string
  }
  sessions: {
    id: string
    user_id: string
    generation: number
    created_at: number
    refreshed_at: number
    expires_at: number
  }
  access_tokens: {
    hash: string
    session_id: string
    expires_at: number
  }
  throttles: {
    bucket: string
    hits: string
    expires_at: number
  }
  settings: {
    name: string
    value: string
  }
  write_checks: {
    node: string
    at: number
  }
  usage_hours: UsageSums & { hour: number }
  usage_days: UsageSums & { day: number }
}

/** Sums of the runs of an hour or a day (UTC), named by its first instant; `model` is empty for runs without a model. */
type UsageSums = {
  user_id: string
  counter: string
  operation: string
  model: string
  requests: number
  errors: number
  charged: number
  prompt_tokens: number
  completion_tokens: number
  cost_usd: number
} & { [Bucket in HistogramColumn]: Generated<number> }

export type HistogramColumn = `${'latency' | 'first_token'}_${number}`

export type Database = Kysely<Schema>
