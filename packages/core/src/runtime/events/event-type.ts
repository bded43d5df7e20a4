import type * as z from 'zod'
import type { Scope } from '../access.ts'
import { wireNames } from '../schema/wire-names.ts'
import type { RuntimeTransaction } from '../stores/stores.ts'

/** The schema of an event's data. Its `id` is the id of the record or request that the event is about. */
export type EventSchema = z.ZodObject & z.ZodType<{ readonly id: string }>

/** The declaration of an event type. Webhooks, event streams, and documents derive from it. */
export interface EventType<Data extends EventSchema = EventSchema> {
  /** Unique, such as `shipment.created`. */
  readonly type: string
  /** One sentence for the reference. */
  readonly summary: string
  /** Users without this scope get no events of this type. Default: the scope `events` or `webhooks` is enough. */
  readonly scope?: Scope | undefined
  /** The version of the schema. Incremented by changes that break receivers. */
  readonly version: number
  /** Field names in camelCase. A record also has its `version`, so that receivers can sort. */
  readonly data: Data
  readonly example: z.output<Data>
  /** One line that says what happened, for people. Default: the type. */
  title?(data: z.output<Data>): string
  /** Whether the data can exceed `maxEventBytes`, and is then truncated. Default: false. */
  readonly truncates?: boolean | undefined
  /** Whether events are stored only while a webhook or a stream subscribes to them. Default: false. */
  readonly onDemand?: boolean | undefined
}

/**
 * Declares an event type. Add it to the `events` of a feature, and emit it with `call.emit`.
 *
 * @example
 *   const invoicePaid = defineEvent({
 *     type: 'invoice.paid',
 *     summary: 'An invoice was paid.',
 *     scope: 'usage',
 *     version: 1,
 *     data: z.object({ id: z.string(), version: z.int(), amountUsd: z.number() }),
 *     example: { id: 'inv_1', version: 2, amountUsd: 12.5 },
 *   })
 */
export function defineEvent<Data extends EventSchema>(event: EventType<Data>): EventType<Data> {
  return event
}

export function exampleEvent({ type, data, example }: EventType): Readonly<Record<string, unknown>> {
  return { type, timestamp: exampleTime, data: wireNames(data).write(example) }
}

const exampleTime = '2026-03-15T08:00:00.000Z'

/** Maximum size of an event's data as JSON. */
export const maxEventBytes = 20_000

/** Creates an event: its data gets the JSON form of the REST wire, which webhooks, REST, GraphQL, and embedded callers share. */
export function createEvent<Data extends EventSchema>(
  { type, data: schema }: EventType<Data>,
  data: z.output<Data>,
  facts: Pick<EventRow, 'id' | 'userId' | 'createdAt'>,
): EventRow {
  return {
    ...facts,
    type,
    resourceId: data.id,
    data: atMost(maxEventBytes, wireNames(schema).write(data) as EventRow['data']),
  }
}

function atMost(maxBytes: number, data: EventRow['data']): EventRow['data'] {
  if (Buffer.byteLength(JSON.stringify(data)) <= maxBytes) return data
  const { id, version } = data
  return { id, ...(version !== undefined && { version }), truncated: true }
}

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
