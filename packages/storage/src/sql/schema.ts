import type {
  ApiKeyRow,
  AuditMonth,
  ChainedEntry,
  IdentityRow,
  InvitationRow,
  MemberRow,
  SessionRow,
  SignedHead,
  UserRow,
} from '@fairlead/accounts/stores'
import type { Claim, EventRow, Hold, ImageRow, Spend, UsageRecord } from '@fairlead/core/stores'
import type { DeliveryRow, Subscription, WebhookRow } from '@fairlead/webhooks/stores'
import type { PasskeyRow } from '@fairlead/accounts'
import type { ShipmentRow } from '@fairlead/shipments/stores'
import type { Kysely } from 'kysely'

/** Webhooks, events and shipments of an embedding program have the owner '': a unique index treats nulls as different. */
type Owned<Row> = Row & { user_id: string }

/** The tables, the same on every database. Instants are milliseconds since the epoch. */
export interface Schema {
  /** Users and projects. */
  users: Omit<RowOf<UserRow>, keyof UserColumns> & UserColumns & OwnerColumns
  project_members: RowOf<MemberRow>
  project_invitations: RowOf<InvitationRow>
  api_keys: RowOf<ApiKeyRow> & {
    secret_hash: string
    previous_secret_hash: string | null
    previous_expires_at: number | null
  }
  counters: {
    counter: string
    period: string
    used: number
    warned: number
    exceeded: number
  }
  spend: RowOf<Spend>
  holds: RowOf<Hold>
  usage_records: RowOf<UsageRecord>
  images: RowOf<ImageRow>
  claims: RowOf<Claim>
  shipments: Owned<RowOf<ShipmentRow>>
  webhooks: Owned<RowOf<WebhookRow>>
  events: Owned<RowOf<EventRow>>
  deliveries: RowOf<DeliveryRow>
  audit_entries: RowOf<ChainedEntry>
  audit_months: RowOf<AuditMonth>
  audit_heads: RowOf<SignedHead> & { id: string }
  event_streams: Owned<RowOf<Subscription>> & { id: string; ends_at: number }
  migrations: {
    name: string
    at: number
    /** A version that has this migration can use the tables, too. Absent if only versions with the one of the row can. */
    compatible_from?: string | null | undefined
  }
  passwords: {
    user_id: string
    hash: string
  }
  sessions: RowOf<SessionRow>
  identities: RowOf<IdentityRow>
  passkeys: RowOf<PasskeyRow>
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
  /** Sums of the runs with a tag. */
  usage_tags: Omit<UsageSums, 'counter' | 'operation' | 'model' | HistogramColumn> & {
    day: number
    tag: string
    value: string
  }
}

/** The columns that only users have. */
type UserColumns = Partial<Pick<RowOf<UserRow>, 'admin_by_identity' | 'email_verified' | 'models'>>

/** The columns that tell a project from a user. Absent in a row of a new user, whose defaults they are. */
interface OwnerColumns {
  kind?: 'user' | 'project'
  created_by?: string | null
  funded?: number
}

/** Sums of the runs of an hour or a day (UTC), named by its first instant; `model` is empty for runs without a model. */
type UsageSums = Pick<
  RowOf<UsageRecord>,
  'user_id' | 'counter' | 'operation' | 'charged' | 'prompt_tokens' | 'completion_tokens' | 'cost_usd'
> & { model: string } & Record<'requests' | 'errors' | HistogramColumn, number>

export type HistogramColumn = `${'latency' | 'first_token'}_${number}`

export type Database = Kysely<Schema>

/** The row of a record: a column for each field, named in snake case. Flags are 0 or 1, lists and records are JSON text. */
export type RowOf<Rec> = { -readonly [Field in keyof Rec & string as SnakeCase<Field>]: ColumnOf<Rec[Field]> }

type ColumnOf<Value> = Value extends boolean ? number : Value extends object ? string : Value

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name
