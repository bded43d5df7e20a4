import type { RuntimeTransaction } from './stores.ts'

/** Something that happened, for webhooks and event streams. */
export interface Event {
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
   * Whether an event of this type would be stored for the user. Events of model calls are stored only while a webhook or
   * a stream subscribes to them.
   */
  wants(type: string, userId: string | null): boolean | Promise<boolean>
  /** Stores events, in the transaction that causes them. */
  add(tx: RuntimeTransaction, events: readonly Event[]): Promise<void>
  /** Called when the transaction that stored events is committed. */
  committed(): void
}
