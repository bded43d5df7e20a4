export const scopes = [
  'generate',
  'analyze',
  'models',
  'shipments',
  'users',
  'webhooks',
  'events',
  'keys',
  'usage',
] as const

/** How long the old secret of a key may stay good after a rotation, in milliseconds. */
export const maxGraceMs = 604_800_000

/** What a credential may be used for. */
export type Scope = (typeof scopes)[number]

export interface ApiKey {
  readonly id: string
  readonly userId: string
  readonly name: string
  /** The secret's first ten characters, for people to tell keys apart. */
  readonly prefix: string
  readonly scopes: readonly Scope[]
  /** Milliseconds since the epoch, as are the others. */
  readonly createdAt: number
  /** To the minute. */
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}
