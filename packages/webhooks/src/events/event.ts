import * as z from 'zod'
import type { Caller, EventType } from '@fairlead/core'
import { visibleOwner, instant, toInstant, namedObject } from '@fairlead/core/feature'
import type { EventRow } from '@fairlead/core/stores'
import { mayReadType } from './event-scopes.ts'

export const eventRecord = namedObject('Event', 'Something that happened.', {
  id: z.string().describe('Event id: `evt_` and digits.'),
  type: z.string().describe('Event type, such as `shipment.created`.'),
  userId: z.string().nullable().describe('The user that it belongs to. Null if it belongs to none.'),
  resourceId: z.string().describe('Id of the record or request that it is about.'),
  createdAt: instant.describe('When it happened.'),
  data: z
    .record(z.string(), z.unknown())
    .describe('The record as it was after the event, in snake_case, as webhooks receive it.'),
})

export function toEventRecord({ createdAt, data, ...event }: EventRow): z.output<typeof eventRecord> {
  return { ...event, createdAt: toInstant(createdAt), data: { ...data } }
}

const sharedRecords = new WeakMap<EventRow, z.output<typeof eventRecord>>()

/** The record that all streams of the process share, so that it is written once for all of them. */
export function sharedEventRecord(event: EventRow): z.output<typeof eventRecord> {
  let record = sharedRecords.get(event)
  if (!record) sharedRecords.set(event, (record = toEventRecord(event)))
  return record
}

export function isVisible(caller: Caller, { userId, type }: EventRow, eventTypes: readonly EventType[]): boolean {
  const owner = visibleOwner(caller)
  return (owner === undefined || owner === userId) && mayReadType(caller, eventTypes, type)
}
