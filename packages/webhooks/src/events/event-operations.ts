import * as z from 'zod'
import { listedOwner, visibleOwner, isUnavailable } from '@fairlead/core/feature'
import { FairleadError, type EventType } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import type { EventRow } from '@fairlead/core/stores'
import { eventRecord, isVisible, sharedEventRecord, toEventRecord } from './event.ts'
import { matchesAny, patternIssue, typesMatching } from './event-pattern.ts'
import { allowedTypes } from './event-scopes.ts'
import { findEvents } from '../loaders.ts'
import type { Subscription } from '../webhook-store.ts'
import { list, read, subscription, type WebhookServices } from '../services.ts'

const filters = {
  type: z.string().max(64).optional().describe('Only this event type, or a group such as `shipment.*`.'),
  resourceId: z.string().max(64).optional().describe('Only events about the record or request with this id.'),
  userId: z.string().max(64).optional().describe('Only events of this user.'),
}

export const listEvents = list({
  name: 'events',
  summary: 'Lists events: the caller’s own, or all of them for an admin.',
  access: { scope: 'events' },
  metered: false,
  rest: { method: 'GET', path: '/events' },
  graphql: { query: 'events' },
  filters,
  record: eventRecord,
  async find({ stores, eventTypes }, { caller }, { type, resourceId, userId: asked }, slice) {
    checkType(type, eventTypes)
    const types = allowedTypes(caller, eventTypes, type) ?? typesMatching(type, eventTypes)
    const userId = listedOwner(caller, asked)
    return userId === null ? [] : stores.read((view) => view.events.list({ types, resourceId, userId }, slice))
  },
  show: toEventRecord,
})

export const getEvent = read({
  name: 'event',
  summary: 'Returns an event.',
  access: { scope: 'events' },
  metered: false,
  rest: { method: 'GET', path: '/events/{id}' },
  graphql: { query: 'event', node: { prefix: 'evt', loader: findEvents } },
  input: z.strictObject({ id: z.string().describe('Event id.') }),
  output: eventRecord,
  errors: ['NOT_FOUND'],
  async run({ stores, eventTypes }, { caller }, { id }) {
    const event = await stores.read((view) => view.events.find(id))
    if (!event || !isVisible(caller, event, eventTypes)) throw new FairleadError('NOT_FOUND', 'Event not found.')
    return toEventRecord(event)
  },
})

/**
 * No order is promised to receivers, but a stream follows the order of commits: continuing after an event skips none.
 */
export const subscribeEvents = subscription({
  name: 'eventStream',
  summary: 'Streams events as they happen: the caller’s own, or all of them for an admin.',
  access: { scope: 'events' },
  metered: false,
  rest: { method: 'GET', path: '/events/stream' },
  graphql: { subscription: 'events' },
  input: z.strictObject({
    ...filters,
    after: z.string().max(64).optional().describe('Starts after this event. Default: only events from now on.'),
  }),
  output: eventRecord,
  isChecked: true,
  async prepare({ eventTypes, eventFeed }, { caller }, { type, after, resourceId, userId }) {
    checkType(type, eventTypes)
    const types = allowedTypes(caller, eventTypes, type)
    await eventFeed.checkStart(after)
    return { patterns: types ?? [type ?? '*'], after, resourceId, userId, owner: visibleOwner(caller) ?? userId }
  },
  async *subscribe(services, call, { patterns, after, resourceId, userId, owner }) {
    const wanted = { userId: owner ?? null, allUsers: owner === undefined, events: patterns }
    // An embedding program may change the record that it gets.
    const show = call.caller.kind === 'embedded' ? toEventRecord : sharedEventRecord
    const close = await openSubscription(services, call.newId('str'), wanted)
    const matches = (event: EventRow) =>
      (owner === undefined || event.userId === owner) &&
      (userId === undefined || event.userId === userId) &&
      matchesAny(event.type, patterns) &&
      (resourceId === undefined || event.resourceId === resourceId)
    try {
      for await (const event of services.eventFeed.follow({ matches, after, signal: call.signal })) {
        yield show(event)
      }
    } finally {
      await close()
    }
  },
})

/** How long the subscription of a stream stays valid if its process crashes, in milliseconds. */
const subscriptionMs = 60_000

/**
 * Makes the subscription of a stream known to all processes, because events of model calls are stored only while someone
 * subscribes to them. Returns how to end it.
 */
async function openSubscription(
  { stores, eventSink, clock, log }: WebhookServices,
  id: string,
  wanted: Subscription,
): Promise<() => Promise<void>> {
  const keep = () =>
    stores.transact((tx) => tx.webhooks.keepStream(id, wanted, clock.now() + subscriptionMs), { durable: false })
  await keep()
  eventSink.invalidate()
  let cancel = clock.schedule(subscriptionMs / 2, renew)
  function renew(): void {
    cancel = clock.schedule(subscriptionMs / 2, renew)
    keep().catch((error: unknown) => {
      // During an outage, the failed reads are logged instead of each stream.
      if (!isUnavailable(error)) log.warn({ error }, 'could not renew the subscription of an event stream')
    })
  }
  return async () => {
    cancel()
    await stores.transact((tx) => tx.webhooks.removeStream(id), { durable: false })
    eventSink.invalidate()
  }
}

function checkType(pattern: string | undefined, eventTypes: readonly EventType[]): void {
  const issue = pattern === undefined ? undefined : patternIssue(pattern, eventTypes)
  if (issue !== undefined) throw invalidRequest({ field: 'type', issue })
}
