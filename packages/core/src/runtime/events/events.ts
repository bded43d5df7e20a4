import type { RuntimeTransaction } from '../stores/stores.ts'

export interface EventRow {
  readonly id: string
  /** Such as `shipment.created`. */
  readonly type: string
  /** The user that it belongs to; null if the embedding program caused it for no user. */
  readonly userId: string | null
  /** The id of the record or request that it is about. */
  readonly resourceId: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** JSON, as webhooks and REST callers receive it. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Stores the events of runs. At most one feature has one; without one, events are discarded. */
export interface EventSink {
  /**
   * Whether an event of this type would be stored for the user. An event of a model call needs a subscription to it.
   */
  wants(type: string, userId: string | null): boolean | Promise<boolean>
  /** Returns how many deliveries it stored with them. */
  add(tx: RuntimeTransaction, events: readonly EventRow[]): Promise<number>
  committed(): void
}
