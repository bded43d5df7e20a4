import type { Scope } from '../values/api-key.ts'
import type { Role, Tier } from '../values/user.ts'

/** Who asks, as a transport presents it. */
export type Credentials =
  /** The embedding program itself: trusted, without quota. */
  | { readonly kind: 'embedded'; /** Default: admin. */ readonly role?: Role }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'none' }

/** Who asks, as core knows it. */
export type Caller = { readonly kind: 'embedded'; readonly role: Role } | { readonly kind: 'anonymous' } | Account

/** A user, known by one of its credentials. */
export interface Account {
  readonly kind: 'account'
  readonly userId: string
  readonly role: Role
  readonly tier: Tier
  readonly scopes: readonly Scope[]
  readonly credential: { readonly kind: 'key' | 'session'; readonly id: string }
  /** The counter on which this credential's requests count. */
  readonly counter: string
  /** Metered operations a month; null is without limit. */
  readonly limit: number | null
}
