import type { EventRow } from '@fairlead/core/stores'
import type { NewId } from '@fairlead/core/adapter'
import type { WebhookStores } from '@fairlead/webhooks/stores'

/** An event with plausible facts. */
export function someEvent(newId: NewId, facts: Partial<EventRow> = {}): EventRow {
  return {
    id: newId('evt'),
    type: 'shipment.created',
    userId: newId('usr'),
    resourceId: newId('shp'),
    createdAt: Date.UTC(2026, 2, 14, 12),
    data: {},
    ...facts,
  }
}

/** The first 100 events in the stores, the oldest first. */
export function storedEvents(stores: WebhookStores): Promise<readonly EventRow[]> {
  return stores.read((view) => view.events.list({}, { first: 'oldest', limit: 100 }))
}
