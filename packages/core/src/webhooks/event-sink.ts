import type { EventSink } from '../runtime/events.ts'
import type { WebhooksTransaction } from './webhook-store.ts'

export function createEventSink(): EventSink {
  return {
    wants: () => true,
    async add(tx: WebhooksTransaction, events) {
      await tx.events.add(events.map((event) => ({ ...event, resourceId: String(event.data['id'] ?? '') })))
    },
    committed() {},
  }
}
