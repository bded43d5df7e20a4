import type { components } from '../../api/schema.d.ts'
import { eventGroup } from '../../events/event-types.ts'
import { formatMs, formatUsd } from '../../format.ts'

export type Event = components['schemas']['Event']

/** One line about the record of an event. The data of future types is unknown: they have none. */
export function summarize({ type, data }: Pick<Event, 'type' | 'data'>): string {
  const parts = summaryParts(eventGroup(type), data)
  return parts.filter((part) => typeof part === 'string' || typeof part === 'number').join(' · ')
}

function summaryParts(group: string, data: Event['data']): readonly unknown[] {
  switch (group) {
    case 'generation.*':
    case 'image.*':
    case 'analysis.*': {
      const { duration_ms: duration } = data
      return [data['model'], data['error'], typeof duration === 'number' && formatMs(duration)]
    }
    case 'user.*':
      return [data['name'], data['email']]
    case 'api_key.*':
      return [data['name'], data['prefix']]
    case 'quota.*':
      return [`${String(data['used'])} of ${String(data['limit'])} units used`]
    case 'budget.*': {
      const { spent_usd: spent, limit_usd: limit } = data
      return [
        typeof spent === 'number' && typeof limit === 'number' && `${formatUsd(spent)} of ${formatUsd(limit)} spent`,
      ]
    }
    case 'shipment.*': {
      const { status } = data
      return [data['reference'], typeof status === 'string' && status.replaceAll('_', ' ')]
    }
    case 'webhook.*':
      return [data['description'], data['url']]
    default:
      return []
  }
}
